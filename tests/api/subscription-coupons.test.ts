/** Coupons on monthly packages, to the cent, and price changes for everybody who pays for a package every month. */
import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { newId } from '#contract/ids.ts';
import type { Subscription } from '#contract/subscriptions.calls.ts';
import { accounts } from '#worker/accounts/schema.ts';
import { readCustomer } from '#worker/customers/read.ts';
import { listCoupons, readCouponPrice } from '#worker/orders/coupons.ts';
import { coupons, subscriptions, type CouponRecord } from '#worker/orders/schema.ts';
import { readRenewal, readSubscriptionTotals } from '#worker/payments/subscriptions.ts';
import { ledger } from '#worker/payments/schema.ts';
import { reconcileSubscriptions } from '#worker/payments/sync-subscription.ts';
import { customer, staff, stranger } from './orders-shop.ts';
import { openSubscriptionShop, type SubscriptionShop } from './subscription-shop.ts';

let shop: SubscriptionShop;
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2027, 2, 1, 12) });
  shop = await openSubscriptionShop();
});
afterEach(() => shop.close());

const view = async (id: string): Promise<Subscription> =>
  (await shop.callAs(customer, 'GET', `/subscription/${id}`)).json as Subscription;

async function makeCoupon(terms: Partial<CouponRecord>): Promise<string> {
  const code = 'FIFTEEN';
  await shop.db.insert(coupons).values({
    _id: newId(),
    code,
    percentOff: 15,
    amountOffCents: null,
    packages: [],
    lastDay: '',
    mostUses: null,
    oncePerCustomer: false,
    createdAt: 1,
    ...terms,
  });
  return code;
}

/** 15% of $499.50, rounded to the cent. */
const [full, off] = [49_950, 7_493];
/** How many payments follow each coupon: two after the longest one of a few months. */
const payments = 5;

test.each([
  ['the first payment', 1, 1, ''],
  [
    'each of the first 3 payments',
    3,
    3,
    ' Starting 06/01/2027, the price is $499.50 per month. Skipped payments do not extend the coupon.',
  ],
  ['every payment', null, payments, ''],
])(
  'A coupon for %s reduces exactly those payments in orders, ledger, revenue and the customer’s texts',
  async (_, reducedMonths, reduced, later) => {
    const couponCode = await makeCoupon({ months: reducedMonths, mostUses: 1 });
    const caller = { db: shop.db, env: shop.env, account: customer };
    const told = await readCouponPrice(caller, { couponCode, packageName: 'Premium' }, customer.id);
    expect(told).toMatchObject({ discount: '74.93', price: '424.57', months: reducedMonths });
    const order = await shop.newMonthlyOrder(customer, couponCode);
    await shop.openPage(order);
    const next = reduced > 1 ? '$424.57' : '$499.50';
    expect(await readRenewal(shop, order.subscriptionId ?? '')).toBe(
      `The next payment of ${next} will be charged to the same card on 04/01/2027, and then every month.${later}`,
    );
    await shop.db.delete(subscriptions);
    await shop.db.update(coupons).set({ mostUses: null });

    const { id } = await shop.subscribe(customer, couponCode);
    expect((await view(id)).whatNext).toContain(`The next payment of ${next} is due on 04/01/2027.`);
    expect((await view(id)).whatNext).toContain(later);
    for (let paid = 1; paid < payments; paid += 1) {
      const nextCents = full - (paid < reduced ? off : 0);
      expect((await view(id)).nextAmount).toBe(nextCents === full ? '499.50' : '424.57');
      expect((await readSubscriptionTotals(shop.db, shop.env)).monthlyCents, String(paid)).toBe(nextCents);
      expect((await readCustomer(shop.db, customer.id)).monthlyCents, String(paid)).toBe(nextCents);
      await shop.liveFor(31);
      if ((await shop.monthsOf(id)).length === paid) paid -= 1;
    }
    const months = await shop.monthsOf(id);
    expect(months.map(({ priceCents, discountCents }) => [priceCents, discountCents])).toEqual(
      months.map((_, index) => (index < reduced ? [full - off, off] : [full, 0])),
    );
    expect(months.map((one) => one.couponCode)).toEqual(
      months.map((_, index) => (index < reduced ? couponCode : '')),
    );
    const rows = await shop.db.select().from(ledger).where(eq(ledger.kind, 'payment'));
    expect(rows.map(({ amountCents }) => amountCents)).toEqual(months.map(({ priceCents }) => priceCents));
    expect(await shop.findBookFaults()).toEqual([]);
    // Another month is not another use of the coupon.
    expect(await listCoupons(shop)).toMatchObject([{ uses: 1, discountCents: off * reduced }]);
  },
);

test('A pause uses up the months of a coupon, as Stripe counts them', async () => {
  const couponCode = await makeCoupon({ months: 2 });
  const { id } = await shop.subscribe(customer, couponCode);
  const paused = await shop.callAs(customer, 'POST', `/subscription/${id}/pause`, { months: 1 });
  expect(paused.json).toMatchObject({ nextPaymentOn: '05/01/2027', nextAmount: '499.50' });
  await shop.liveFor(62);
  expect((await shop.monthsOf(id)).map(({ priceCents }) => priceCents)).toEqual([full - off, full]);
});

test('A price below the coupon can be announced if the coupon ends before it', async () => {
  const couponCode = await makeCoupon({ percentOff: null, amountOffCents: 40_000, months: 2 });
  const { id } = await shop.subscribe(customer, couponCode);
  const announce = () => shop.callAs(staff, 'POST', `/subscription/${id}/price`, { price: '300' });
  expect((await announce()).status).toBe(409);
  shop.passDays(10);
  expect((await announce()).json).toMatchObject({ newPrice: '300', newPriceOn: '05/01/2027' });
  await shop.liveFor(30);
  await shop.liveFor(30);
  const months = (await shop.monthsOf(id)).map(({ priceCents, discountCents }) => [
    priceCents,
    discountCents,
  ]);
  expect(months).toEqual([
    [9_950, 40_000],
    [9_950, 40_000],
    [30_000, 0],
  ]);
});

test('An administrator announces a price to all subscribers, who get an email and are charged it after 30 days', async () => {
  const couponCode = await makeCoupon({ months: null });
  const one = await shop.subscribe(customer, couponCode);
  const { id: strangerId, email } = stranger;
  await shop.db.insert(accounts).values({ id: strangerId, email, emailVerifiedAt: 1, createdAt: 1 });
  const two = await shop.subscribe(stranger);
  shop.passDays(10);
  const { byPackage } = await readSubscriptionTotals(shop.db, shop.env);
  expect(byPackage).toEqual([
    { packageName: 'Premium', displayName: 'Monthly care', subscriptions: 2, monthlyCents: 2 * full },
  ]);
  const change = (body: object) => shop.callAs(staff, 'POST', '/subscription-prices', body);
  expect((await change({ packageName: 'Premium', price: '0.10' })).status).toBe(422);
  const body = { packageName: 'Premium', price: '599' };
  expect((await change(body)).json).toEqual({ changed: 2, left: 0 });
  expect((await change(body)).json).toEqual({ changed: 0, left: 0 });
  expect(await view(one.id)).toMatchObject({
    nextAmount: '424.57',
    newPrice: '599',
    newPriceOn: '05/01/2027',
  });
  await expect
    .poll(() => shop.sent.filter(({ subject }) => subject.startsWith('The price of your')).length)
    .toBe(2);
  // Stripe gets the price immediately, and charges the next month at the old price.
  for (const days of [0, 23, 30]) {
    shop.passDays(days);
    await reconcileSubscriptions(shop.openPaymentContext());
  }
  for (const [{ id }, discount] of [[one, off] as const, [two, 0] as const])
    expect((await shop.monthsOf(id)).map(({ priceCents }) => priceCents + discount)).toEqual([
      full,
      full,
      59_900,
    ]);
  const [row] = await shop.db.select().from(subscriptions).where(eq(subscriptions._id, one.id));
  expect(row).toMatchObject({ priceCents: 59_900, newPriceCents: null });

  // A subscriber whose coupon would leave less than the lowest price keeps the old price.
  const changeOne = (price: string) => shop.callAs(staff, 'POST', `/subscription/${one.id}/price`, { price });
  expect((await change({ ...body, price: '75.42' })).json).toEqual({ changed: 1, left: 1 });
  expect(await changeOne('75.42')).toMatchObject({
    status: 409,
    json: { detail: 'The coupon takes $74.93 off, so at least $75.43 is needed.' },
  });
  expect((await changeOne('75.43')).status).toBe(200);
});
