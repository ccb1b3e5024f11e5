/** The default limits on orders and payments, by account and by address. */
import { eq } from 'drizzle-orm';
import { afterAll, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { ApiError } from '#worker/http/errors.ts';
import { accounts } from '#worker/accounts/schema.ts';
import { orders, type OrderRecord } from '#worker/orders/schema.ts';
import { changeBilling } from '#worker/orders/billing.ts';
import { claimUnclaimedOrders } from '#worker/orders/personal-data.ts';
import { placeOrder, placeOrderForCustomer } from '#worker/orders/place.ts';
import { reviewReported } from '#worker/payments/declines.ts';
import { confirmPayment } from '#worker/payments/pay.ts';
import { mountPayments } from '#worker/payments/routes.ts';
import { openDatabase } from '#worker/db/client.ts';
import { openApp, callerOf } from '../support/in-process-app.ts';
import { fullSize } from '../support/limits.ts';
import type { Answer } from '../support/visitor.ts';
import { customer, input, openShop, price, staff, wideLimits } from './orders-shop.ts';

/** The number of orders and intents in a flood. */
const flood = fullSize ? 150 : 36;
const minuteMs = 60_000;

const shop = await openShop(Object.fromEntries(Object.keys(wideLimits).map((name) => [name, ''])));
afterAll(() => shop.close());

const setClock = (at: number) => vi.useFakeTimers({ toFake: ['Date'], now: at });

/** Places an order without limits. */
const orderFreely = () =>
  placeOrder(
    { db: openDatabase(shop.env), env: { ...shop.env, ...wideLimits }, account: customer },
    input,
    undefined,
  );

const logged: string[] = [];
const app = openApp((event) => void logged.push(event));
mountPayments(app);

/** Requests an order's PaymentIntent from an address. */
const askToPay = ({ _id }: Pick<OrderRecord, '_id'>, address: string, env = shop.env) =>
  callerOf(app, env).post(
    '/create-payment-intent',
    { amount: price, orderId: _id },
    { headers: { 'CF-Connecting-IP': address } },
  );

/** The id of an order's PaymentIntent. */
async function intentFor(order: OrderRecord, address: string): Promise<string> {
  const { clientSecret } = z
    .object({ clientSecret: z.string() })
    .parse((await askToPay(order, address)).json);
  return clientSecret.split('_secret')[0] ?? '';
}

const decline = (intentId: string) =>
  shop.payByCard(intentId, 'pm_card_chargeDeclined').catch(() => undefined);

const statusAtStripe = async (intentId: string) =>
  (await shop.stripe.paymentIntents.retrieve(intentId)).status;

function expectWait(response: Answer, mostMinutes: number): void {
  expect(response.status).toBe(429);
  const seconds = Number(response.headers.get('Retry-After'));
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThanOrEqual(mostMinutes * 60);
}

/**
 * Places orders at the same time.
 * @returns how many were accepted, and the refusals
 */
async function placeMany(length: number) {
  const results = await Promise.allSettled(Array.from({ length }, () => shop.newOrder()));
  const refusals = results.flatMap((result) =>
    result.status === 'rejected' ? [result.reason as unknown] : [],
  );
  return { taken: length - refusals.length, refusals };
}

test('An account has at most ten unpaid orders, and places at most twenty an hour', async () => {
  const start = Date.now();
  const first = await placeMany(flood);
  expect(first.taken).toBe(10);
  for (const refusal of first.refusals) {
    expect(refusal).toBeInstanceOf(ApiError);
    expect(refusal).toMatchObject({
      status: 429,
      headers: { 'Retry-After': expect.stringMatching(/^\d+$/) as string },
    });
    expect(String(refusal)).toContain('You have 10 unpaid orders.');
  }
  await shop.cancelUnpaid();
  expect((await placeMany(flood)).taken).toBe(10);
  await shop.cancelUnpaid();
  const [refusal] = (await placeMany(1)).refusals;
  expect(String(refusal)).toMatch(/You have placed 20 orders within an hour\. Please wait \d+ minutes/);
  setClock(start + 61 * minuteMs);
  expect((await placeMany(1)).taken).toBe(1);
});

test('A repeated submission does not count', async () => {
  setClock(Date.now() + 120 * minuteMs);
  await shop.cancelUnpaid();
  const repeated = await Promise.all(Array.from({ length: 30 }, () => shop.newOrder('the-same-submit')));
  expect(new Set(repeated.map(({ _id }) => _id)).size).toBe(1);
  expect((await placeMany(9)).taken).toBe(9);
});

/** Places an order as an administrator. */
const placeFor = (email: string, key?: string) =>
  placeOrderForCustomer(
    { db: openDatabase(shop.env), env: shop.env, account: staff, clientIp: 'unknown' },
    { ...input, customerEmail: email, customerName: 'Typed By Somebody' },
    key,
  );

test('An order that an administrator places is emailed to the customer, and does not count against the customer’s limits', async () => {
  setClock(Date.now() + 180 * minuteMs);
  await shop.clearMails();
  const email = 'new@people.example';
  const order = await placeFor(email.toUpperCase(), 'the-same-form');
  expect(await placeFor(email, 'the-same-form')).toEqual(order);
  const [mail, ...others] = await shop.sendMails();
  expect(others).toEqual([]);
  expect(mail).toMatchObject({ to: email, text: expect.stringContaining(`/pay-now/${order._id}`) as string });
  expect(mail?.text).toContain(`#${order.number}`);
  expect(mail?.text).not.toContain('Typed By Somebody');
  expect((await askToPay(order, '192.0.2.1')).status).toBe(200);

  // These orders do not count against the customer's limits.
  await shop.cancelUnpaid();
  for (let count = 0; count < 12; count += 1)
    expect((await placeFor(customer.email)).accountId).toBe(customer.id);
  expect((await placeMany(12)).taken).toBe(10);
});

test('The hourly cron trigger gives an order to the verified owner of its email', async () => {
  setClock(Date.now() + 300 * minuteMs);
  const email = 'late@people.example';
  const placed = await placeFor(email);
  const ownerNow = async () => {
    await claimUnclaimedOrders(shop.db);
    const [order] = await shop.db.select().from(orders).where(eq(orders._id, placed._id));
    return order?.accountId;
  };
  await shop.db.insert(accounts).values({ id: 'late', email, createdAt: 1 });
  expect(await ownerNow()).toBe('');
  await shop.db.update(accounts).set({ emailVerifiedAt: 1 }).where(eq(accounts.id, 'late'));
  expect(await ownerNow()).toBe('late');
  expect(await shop.findBookFaults()).toEqual([]);
});

test('A /64 network starts at most thirty payments an hour, however its addresses are spelled', async () => {
  const placed: OrderRecord[] = [];
  for (let count = 0; count < flood; count += 1) placed.push(await orderFreely());
  const spell = (index: number) => {
    const host = (index % 40).toString(16);
    return index % 2 === 0 ? `2001:db8:0:7::${host}` : `2001:0DB8::7:0:0:a:${host.toUpperCase()}`;
  };
  const answers = await Promise.all(placed.map((order, index) => askToPay(order, spell(index))));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(30);
  for (const answer of answers.filter(({ status }) => status !== 200)) expectWait(answer, 60);
  const made = await shop.stripe.paymentIntents.list({ limit: 100 });
  const orderIds = new Set(placed.map(({ _id }) => _id));
  expect(made.data.filter(({ metadata }) => orderIds.has(metadata['orderId'] ?? ''))).toHaveLength(30);

  const refused = placed.find((_, index) => answers[index]?.status === 429);
  const begun = placed.find((_, index) => answers[index]?.status === 200);
  if (!refused || !begun) throw new Error('Some were refused, some not.');
  // A request for an existing intent does not count.
  expect((await askToPay(begun, spell(0))).status).toBe(200);
  expect((await askToPay(refused, '2001:db8:0:8::1')).status).toBe(200);
});

test('Receipt details have an hourly limit, and unchanged ones do not count', async () => {
  const { _id } = await orderFreely();
  const caller = { db: shop.db, env: { ...shop.env, LIMIT_BILLING_ORDER: '2' }, account: customer };
  const change = (customerCompany: string) => changeBilling(caller, _id, { customerCompany });
  for (const name of ['One', 'One', 'Two', 'Two']) expect((await change(name)).customerCompany).toBe(name);
  await expect(change('Three')).rejects.toMatchObject({ status: 429 });
});

test('A flood is rejected before Stripe is called', async () => {
  const order = await orderFreely();
  await intentFor(order, '203.0.113.60');
  const flooded = { ...shop.env, FLOOD_LIMIT: { limit: () => Promise.resolve({ success: false }) } };
  shop.emulator.controls.planFault({ kind: 'error-before', status: 400, path: '/v1/payment_intents' });
  for (const answer of [
    await askToPay(order, '203.0.113.60', flooded),
    await callerOf(app, flooded).put(`/order/${order._id}`, { paymentStatus: 'Paid' }),
  ]) {
    expect(answer.status).toBe(429);
    expect(answer.headers.get('Retry-After')).toBe('60');
  }
  shop.emulator.controls.clearFaults();
});

test('A customer can pay while the rate limiter does not answer, and the log says so', async () => {
  const FLOOD_LIMIT = { limit: () => Promise.reject(new Error('The binding failed.')) };
  const answer = await askToPay(await orderFreely(), '203.0.113.61', { ...shop.env, FLOOD_LIMIT });
  expect(answer.status).toBe(200);
  expect(logged).toContain('flood-limit.failed');
});

test('An order gets five intents an hour, and failed ones do not count', async () => {
  const order = await orderFreely();
  // The idempotency key changes every minute, and Stripe repeats its response to an old key.
  for (let count = 0; count < 8; count += 1) {
    setClock(Date.now() + minuteMs);
    shop.emulator.controls.planFault({
      kind: 'error-before',
      status: 400,
      method: 'POST',
      path: '/v1/payment_intents',
    });
    expect((await askToPay(order, '203.0.113.2')).status).toBe(503);
  }
  setClock(Date.now() + minuteMs);
  for (let count = 0; count < 5; count += 1)
    await shop.stripe.paymentIntents.cancel(await intentFor(order, `203.0.113.${count + 3}`));
  expectWait(await askToPay(order, '203.0.113.9'), 60);
});

test('After five declined cards, an order must wait, even if the browser does not report them', async () => {
  const order = await orderFreely();
  const address = '198.51.100.1';
  const intentId = await intentFor(order, address);
  for (let count = 0; count < 4; count += 1) await decline(intentId);
  expect(await intentFor(order, address)).toBe(intentId);
  await decline(intentId);
  const refused = await askToPay(order, address);
  expectWait(refused, 15);
  expect(refused.json).toMatchObject({
    detail: expect.stringMatching(
      /^Too many cards were declined for this order\. Please wait 1[45] minutes/,
    ) as string,
  });
  // The old client secret accepts no more cards.
  expect(await statusAtStripe(intentId)).toBe('canceled');
  expectWait(await askToPay(order, '198.51.100.2'), 15);

  setClock(Date.now() + 16 * minuteMs);
  const next = await intentFor(order, address);
  expect(next).not.toBe(intentId);
  await shop.payByCard(next);
  expect(await confirmPayment(shop.openPaymentContext(), order._id)).toMatchObject({ transactionId: next });
});

test('A reported decline cancels the intent of our order, but not that of another site', async () => {
  const order = await orderFreely();
  const own = await intentFor(order, '198.51.100.3');
  const foreign = await shop.makeForeignIntent({ metadata: { orderId: order._id } });
  for (const id of [own, foreign.id]) {
    for (let count = 0; count < 5; count += 1) await decline(id);
    await reviewReported(shop.openPaymentContext(), id);
  }
  expect(await statusAtStripe(own)).toBe('canceled');
  expect(await statusAtStripe(foreign.id)).toBe('requires_payment_method');
});
