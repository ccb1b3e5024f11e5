import { expect, test } from 'vitest';
import { couponRefusal, discountCents, displayDiscount, type CouponTerms } from './coupons.ts';

test('A discount is rounded to the cent, and leaves at least the minimum card charge', () => {
  const percent = (percentOff: number) => ({ percentOff, amountOffCents: null });
  const amount = (amountOffCents: number) => ({ percentOff: null, amountOffCents });
  expect(discountCents(89_500, percent(10))).toBe(8_950);
  expect(discountCents(9_995, percent(15))).toBe(1_499);
  expect(discountCents(9_995, percent(50))).toBe(4_998);
  expect(discountCents(89_500, amount(10_000))).toBe(10_000);
  expect(discountCents(89_500, amount(89_500))).toBe(89_450);
  expect(discountCents(89_500, amount(99_999_999))).toBe(89_450);
  expect(discountCents(60, percent(99))).toBe(10);
  expect(discountCents(50, percent(50))).toBe(0);
  expect([displayDiscount(percent(10)), displayDiscount(amount(4_950))]).toEqual(['10% off', '$49.50 off']);
});

const terms: CouponTerms = {
  code: 'SPRING',
  packages: ['Basic', 'Premium'],
  lastDay: '2027-04-09',
  mostUses: 3,
  oncePerCustomer: true,
  isEnded: false,
};
const use = { packageName: 'Basic', today: '2027-04-09', uses: 2, isUsedByCustomer: false } as const;

test('A coupon applies to its packages, through its last day, while the customer has a use left', () => {
  expect(couponRefusal(terms, use)).toBeUndefined();
  expect(couponRefusal({ ...terms, packages: [] }, { ...use, packageName: 'Standard' })).toBeUndefined();
  expect(couponRefusal({ ...terms, oncePerCustomer: false }, { ...use, isUsedByCustomer: true })).toBe(
    undefined,
  );
  expect(couponRefusal({ ...terms, mostUses: null }, { ...use, uses: 1_000 })).toBeUndefined();
  expect(couponRefusal({ ...terms, lastDay: '' }, { ...use, today: '2099-01-01' })).toBeUndefined();

  expect(couponRefusal(undefined, use)).toContain('no coupon with this code');
  expect(couponRefusal({ ...terms, isEnded: true }, use)).toBe('The coupon SPRING has ended.');
  expect(couponRefusal(terms, { ...use, today: '2027-04-10' })).toBe(
    'The coupon SPRING ended on 04/09/2027.',
  );
  expect(couponRefusal(terms, { ...use, packageName: 'Standard' })).toBe(
    'The coupon SPRING is for Basic and Premium only.',
  );
  expect(couponRefusal(terms, { ...use, isUsedByCustomer: true })).toContain('can be used once');
  expect(couponRefusal(terms, { ...use, uses: 3 })).toBe(
    'The coupon SPRING is used up: it was limited to 3 orders.',
  );
});
