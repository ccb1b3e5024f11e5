/** Coupons: administrators create and end them, customers order with them, and the server computes the price. */
import { afterAll, expect, test } from 'vitest';
import type { Coupon, CouponPrice } from '#contract/coupons.calls.ts';
import type { Order } from '#contract/orders.calls.ts';
import { discountCents } from '#contract/coupons.ts';
import { parsePriceCents, toPriceText } from '#contract/money.ts';
import type { AuditEntry } from '#worker/audit/read.ts';
import { findBookFaults } from '../support/books.ts';
import { findPackage, orderBody } from '../support/orders.ts';
import { sharedSystem } from '../support/shared-system.ts';
import { newEmail, registerCustomer, signInAdministrator, type Member, Visitor } from '../support/visitor.ts';

const url = sharedSystem.url;
const owner = await signInAdministrator(url);
afterAll(async () => {
  expect(await findBookFaults(sharedSystem.db)).toEqual([]);
});

let made = 0;
/** Creates a coupon with a unique code. */
async function makeCoupon(terms: Record<string, unknown> = { percentOff: 10 }): Promise<Coupon> {
  made += 1;
  const answer = await owner.post('/api/add-coupon', { code: `test-${process.pid}-${made}`, ...terms });
  expect(answer.status, answer.text).toBe(201);
  return answer.json as Coupon;
}

const readCoupon = async ({ _id }: Coupon): Promise<Coupon | undefined> =>
  ((await owner.get('/api/coupons')).json as Coupon[]).find((coupon) => coupon._id === _id);

const payload = (customer: Member, couponCode: string, changes: Record<string, unknown> = {}) =>
  orderBody(customer, customer.email, { couponCode, ...changes });
const orderWith = async (customer: Member, couponCode: string, changes = {}, headers = {}) =>
  customer.post('/api/new-order', await payload(customer, couponCode, changes), { headers });

test('An order with a coupon costs less, and its price, timeline and receipt say so', async () => {
  const coupon = await makeCoupon({ percentOff: 10 });
  expect(coupon).toMatchObject({ percentOff: 10, amountOffCents: null, uses: 0, endedAt: null });
  expect(coupon.code).toMatch(/^TEST-\d+-1$/);

  const customer = await registerCustomer(url);
  const { packagePrice } = await findPackage(customer, 'Basic');
  const listCents = parsePriceCents(packagePrice) ?? 0;
  const discount = discountCents(listCents, coupon);
  const typed = ` ${coupon.code.toLowerCase()} `;
  const shown = await customer.post('/api/coupon-price', { couponCode: typed, packageName: 'Basic' });
  const expected: CouponPrice = {
    code: coupon.code,
    listPrice: packagePrice,
    discount: toPriceText(discount),
    price: toPriceText(listCents - discount),
    months: null,
  };
  expect(shown.json).toEqual(expected);

  const answer = await orderWith(customer, typed);
  expect(answer.status, answer.text).toBe(201);
  const order = answer.json as Order;
  expect(order).toMatchObject({
    packagePrice: expected.price,
    couponCode: coupon.code,
    discount: expected.discount,
  });

  expect((await owner.put(`/api/order/${order._id}`, { paymentStatus: 'Paid' })).status).toBe(200);
  const receipt = (await customer.get(`/api/order/${order._id}/receipt`)).json;
  expect(receipt).toMatchObject({
    lines: [{ amountCents: listCents }, { title: `Coupon ${coupon.code}`, amountCents: -discount }],
    totalCents: listCents - discount,
  });
  expect(await readCoupon(coupon)).toMatchObject({
    uses: 1,
    discountCents: discount,
    soldCents: listCents - discount,
  });
  const csv = (await owner.get(`/api/orders.csv?q=%23${String(order.number)}`)).text;
  expect(csv).toContain(`${expected.price},${coupon.code},${expected.discount}`);
});

test('A repeated submit is one order, and the same key with another coupon is refused', async () => {
  const coupon = await makeCoupon({ amountOff: '100', oncePerCustomer: true });
  const customer = await registerCustomer(url);
  const headers = { 'Idempotency-Key': 'the-same-order-form' };
  const first = await orderWith(customer, coupon.code, {}, headers);
  const second = await orderWith(customer, coupon.code, {}, headers);
  expect([first.status, second.status]).toEqual([201, 201]);
  expect(second.json).toEqual(first.json);
  const other = await makeCoupon();
  expect((await orderWith(customer, other.code, {}, headers)).status).toBe(422);
  expect((await orderWith(customer, '', {}, headers)).status).toBe(422);
});

test('Only one of several orders gets the last use of a coupon, and cancelling that order returns the use', async () => {
  const coupon = await makeCoupon({ percentOff: 25, mostUses: 1 });
  const customers = await Promise.all(Array.from({ length: 6 }, () => registerCustomer(url)));
  const answers = await Promise.all(customers.map((customer) => orderWith(customer, coupon.code)));
  const winners = answers.filter(({ status }) => status === 201);
  expect(winners).toHaveLength(1);
  for (const { status, json } of answers.filter((answer) => !winners.includes(answer))) {
    expect(status).toBe(422);
    expect(json).toMatchObject({ errors: { couponCode: expect.stringContaining('used up') as string } });
  }
  const winner = customers[answers.findIndex(({ status }) => status === 201)];
  const order = winners[0]?.json as Order;
  await winner?.put(`/api/order-cancelled/${order._id}`, { paymentStatus: 'Cancelled' });
  const [next] = customers.filter((customer) => customer !== winner);
  if (next) expect((await orderWith(next, coupon.code)).status).toBe(201);
});

test('A coupon that is limited to one order per customer counts those that staff place for them', async () => {
  const coupon = await makeCoupon({ percentOff: 25, oncePerCustomer: true });
  const customer = await registerCustomer(url);
  const byStaff = await owner.post('/api/add-order', await payload(customer, coupon.code));
  expect(byStaff.status, byStaff.text).toBe(201);
  expect(byStaff.json).toMatchObject({ couponCode: coupon.code });
  const own = await orderWith(customer, coupon.code);
  expect(own.status).toBe(422);
  expect(own.text).toContain('can be used once');
  const someoneElse = await registerCustomer(url);
  const tries = await Promise.all([1, 2, 3].map(() => orderWith(someoneElse, coupon.code)));
  expect(tries.map(({ status }) => status).toSorted()).toEqual([201, 422, 422]);
});

test('An ended coupon takes nothing off new orders, and orders that use it keep their price', async () => {
  const coupon = await makeCoupon();
  const customer = await registerCustomer(url);
  const order = (await orderWith(customer, coupon.code)).json as Order;
  const ended = await owner.post(`/api/coupon/${coupon._id}/end`);
  expect(ended.status).toBe(200);
  expect(ended.json).toMatchObject({ uses: 1, endedAt: expect.any(String) as string });
  const again = await owner.post(`/api/coupon/${coupon._id}/end`);
  expect(again.json).toEqual(ended.json);

  const refused = await orderWith(customer, coupon.code);
  expect(refused.status).toBe(422);
  expect(refused.json).toMatchObject({ errors: { couponCode: `The coupon ${coupon.code} has ended.` } });
  expect((await customer.get(`/api/order/${order._id}`)).json).toMatchObject({
    packagePrice: order.packagePrice,
  });
  const entries = (await owner.get('/api/audit-log')).json as AuditEntry[];
  const ofCoupon = entries.filter(({ recordId }) => recordId === coupon._id).map(({ details }) => details);
  expect(ofCoupon.toSorted()).toEqual([
    `Added the coupon ${coupon.code}, 10% off`,
    `Ended the coupon ${coupon.code}`,
  ]);
});

test('A browser cannot set the price of an order with a coupon', async () => {
  const coupon = await makeCoupon();
  const customer = await registerCustomer(url);
  const { packagePrice } = await findPackage(customer, 'Basic');
  const cheap = toPriceText((parsePriceCents(packagePrice) ?? 0) - 100);
  expect((await orderWith(customer, coupon.code, { packagePrice: cheap })).status).toBe(409);
  expect((await orderWith(customer, 'NO-SUCH-CODE')).status).toBe(422);
  const stranger = newEmail('stranger');
  expect((await orderWith(customer, coupon.code, { customerEmail: stranger })).status).toBe(422);
});

test('A code belongs to only one coupon, and a coupon takes off either a percentage or an amount', async () => {
  const { code } = await makeCoupon();
  const again = await owner.post('/api/add-coupon', { code, percentOff: 20 });
  expect(again.status).toBe(409);
  const taken = `There is already a coupon with the code ${code}. Choose another code.`;
  expect(again.json).toMatchObject({ errors: { code: taken } });
  for (const wrong of [
    {},
    { percentOff: 10, amountOff: '10' },
    { percentOff: 0 },
    { percentOff: 100 },
    { percentOff: 10.5 },
    { amountOff: '-5' },
    { amountOff: '0' },
    { percentOff: 10, mostUses: 0 },
    { percentOff: 10, packages: ['Gold'] },
    { percentOff: 10, lastDay: '04/09/2027' },
    { percentOff: 10, lastDay: '2020-04-09' },
    { percentOff: 10, code: 'A B' },
    { percentOff: 10, code: '-AB' },
  ]) {
    const answer = await owner.post('/api/add-coupon', { code: 'NEW-CODE', ...wrong });
    expect(answer.status, JSON.stringify(wrong)).toBe(422);
  }
});

test('A stranger sees the price with a coupon, and learns nothing about its users', async () => {
  const coupon = await makeCoupon({ percentOff: 10, oncePerCustomer: true });
  const customer = await registerCustomer(url);
  expect((await orderWith(customer, coupon.code)).status).toBe(201);
  const asked = { couponCode: coupon.code, packageName: 'Basic' };
  expect((await new Visitor(url).post('/api/coupon-price', asked)).json).toMatchObject({ code: coupon.code });
});

test('An account or a visitor’s network has a limited number of attempts to guess a code', async () => {
  const coupon = await makeCoupon();
  const [customer, stranger] = [await registerCustomer(url), new Visitor(url)];
  const guess = async (who: Visitor, address: string, couponCode = 'GUESS') =>
    (
      await who.post(
        '/api/coupon-price',
        { couponCode, packageName: 'Basic' },
        { headers: { 'CF-Connecting-IP': address } },
      )
    ).status;
  const [address, other] = ['198.51.100.31', '198.51.100.32'];
  for (const who of [customer, stranger]) {
    for (let tried = 0; tried < 30; tried += 1) expect(await guess(who, address)).toBe(422);
    expect(await guess(who, address, coupon.code)).toBe(429);
  }
  expect((await orderWith(customer, coupon.code)).status).toBe(429);
  expect(await guess(stranger, other, coupon.code)).toBe(200);
});
