/**
 * A slow database: every response is late, there is no response at all, or a replica that lags behind responds. Nobody
 * waits forever, an unconfirmed write is stored only once, and money is where Stripe says it is.
 */
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { newId } from '#contract/ids.ts';
import { receiveFile, serveFile } from '#worker/fulfillment/files.ts';
import { openDatabase } from '#worker/db/client.ts';
import { placeOrder } from '#worker/orders/place.ts';
import { orders, type OrderRecord } from '#worker/orders/schema.ts';
import { cancelOrder } from '#worker/payments/cancel.ts';
import { openPaymentContext } from '#worker/payments/context.ts';
import { confirmPayment } from '#worker/payments/pay.ts';
import { reconcileAll } from '../api/payment-steps.ts';
import { handleEvent } from '#worker/payments/webhook-events.ts';
import { paymentIntents } from '#worker/payments/schema.ts';
import { openBucket } from '../support/bucket.ts';
import { startDatabaseProxy, type Fate } from '../support/database-proxy.ts';
import { refusalOf } from '../support/refusal.ts';
import { isWrite, openReplica } from '../support/replica.ts';
import type { Visitor } from '../support/visitor.ts';
import { openAccountsApp } from '../api/accounts-app.ts';
import { byCustomer, customer, input, openShop } from '../api/orders-shop.ts';

const bucket = await openBucket();
const shop = await openShop();
const proxy = await startDatabaseProxy(shop.env.TURSO_DATABASE_URL);
afterEach(() => {
  proxy.decide(() => 'pass');
});
afterAll(async () => {
  await proxy.close();
  await shop.close();
});

const env = () => ({ ...shop.env, TURSO_DATABASE_URL: proxy.url });
const context = () => openPaymentContext(env(), () => undefined, openDatabase(env()));

/** What people do, each as one request. */
const place = (key: string) =>
  placeOrder({ db: openDatabase(env()), env: env(), account: customer }, input, key);
const openPage = (order: OrderRecord) => shop.openPage(order, context());
const confirm = ({ _id }: OrderRecord) => confirmPayment(context(), _id);
const cancel = ({ _id }: OrderRecord) => cancelOrder(context(), _id, byCustomer);
const refund = (order: OrderRecord) =>
  shop.refund(order, { idempotencyKey: `refund ${order._id}` }, context());

const uploader = () => ({
  db: openDatabase(env()),
  env: { ...env(), FILES: bucket },
  account: customer,
});
const upload = ({ _id }: OrderRecord, idempotencyKey: string) =>
  receiveFile(
    uploader(),
    _id,
    { name: 'words.txt', idempotencyKey },
    new Request('http://site.test', { method: 'POST', body: 'words', headers: { 'Content-Length': '5' } }),
  );

/**
 * Does something with a short timeout for the database.
 * @returns the real timeout of each wait, in ms
 */
async function loseNoTime(work: () => Promise<unknown>): Promise<number[]> {
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  const spy = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => timeout(300));
  try {
    await work();
    return spy.mock.calls.map(([ms]) => ms);
  } finally {
    spy.mockRestore();
  }
}

test.each<[string, Fate]>([
  ['hangs', 'hang'],
  ['does what it is asked and is cut off', 'cutAfter'],
])(
  'While the database %s, people are asked to try again, and trying again does the work only once',
  async (_, fate) => {
    const during = async (work: () => Promise<unknown>, meets = isWrite) => {
      proxy.decide((body) => (meets(body) ? fate : 'pass'));
      const limits = await loseNoTime(async () =>
        expect(await refusalOf(work)).toBe('503 Please try again in a moment.'),
      );
      proxy.decide(() => 'pass');
      expect(Math.max(...limits)).toBeLessThanOrEqual(30_000);
    };
    const key = newId();
    const before = await shop.db.$count(orders);
    await during(() => place(key));
    const order = await place(key);
    expect((await place(key))._id).toBe(order._id);
    expect(await shop.db.$count(orders)).toBe(before + 1);

    await during(() => openPage(order));
    await shop.payByCard(await openPage(order));
    await during(() => confirm(order));
    expect((await confirm(order)).paymentStatus).toBe('Paid');
    await during(() => refund(order));
    await refund(order);
    await shop.settleReports();
    expect(await shop.readOrder(order)).toMatchObject({
      paymentStatus: 'Refunded',
      refundedCents: order.priceCents,
    });

    await during(
      () => upload(order, key),
      (body) => body.includes('insert into \\"order_files'),
    );
    const { _id } = await upload(order, key);
    expect(await (await serveFile(uploader(), _id)).text()).toBe('words');

    const other = await place(newId());
    await during(() => cancel(other));
    await refusalOf(() => cancel(other));
    expect((await shop.readOrder(other)).paymentStatus).toBe('Cancelled');
    for (const { _id } of [order, other]) expect(await shop.findFaults(_id)).toEqual([]);
  },
);

/** The error for a decision that is based on data the primary no longer has. */
const changing = '503 This order is changing right now. Please try again in a moment.';

const fallBehind = async () => {
  proxy.decide(await openReplica(shop.db));
};
const catchUp = () => {
  proxy.decide(() => 'pass');
};

test('Decisions based on a replica that lags behind charge nobody twice and lose nothing', async () => {
  await fallBehind();
  // The replica does not know this order yet, so its page is missing until the replica has caught up.
  const order = await place(newId());
  expect(await refusalOf(() => openPage(order))).toBe('404 We could not find this order.');
  catchUp();
  const intent = await shop.payByCard(await openPage(order));

  // The replica lags again. Every caller reads the order as unpaid, but only one of them records it as paid.
  await fallBehind();
  const paid = await shop.successOf(intent);
  const told = await Promise.all([
    refusalOf(() => confirm(order)),
    refusalOf(() => confirm(order)),
    refusalOf(() => handleEvent(context(), paid)),
    refusalOf(() => openPage(order)),
  ]);
  for (const words of told) expect([undefined, changing]).toContain(words);
  expect((await shop.readOrder(order)).paymentStatus).toBe('Paid');
  // A person who cancels an order that looks unpaid, refunds twice or pays again gets the primary's answer.
  expect(await refusalOf(() => cancel(order))).toBe(changing);
  catchUp();
  expect((await confirm(order)).paymentStatus).toBe('Paid');

  await fallBehind();
  await refusalOf(() => refund(order));
  await refusalOf(() => refund(order));
  catchUp();
  await shop.db.update(paymentIntents).set({ checkAt: 0 });
  await shop.settleReports();
  await reconcileAll(context());
  expect(await shop.readOrder(order)).toMatchObject({
    paymentStatus: 'Refunded',
    refundedCents: order.priceCents,
  });
  expect(await shop.findFaults(order._id)).toEqual([]);
  expect(await shop.findBookFaults()).toEqual([]);
});

test('A person who logs in while a replica lags behind must log in again once it has caught up, and an old password never works', async () => {
  const app = await openAccountsApp();
  const between = await startDatabaseProxy(app.env.TURSO_DATABASE_URL);
  Object.assign(app.env, { TURSO_DATABASE_URL: between.url });
  const [password, newPassword] = ['a long password', 'another long one'];
  const [ann, bob] = [{ email: 'ann@customers.example' }, { email: 'bob@customers.example' }];
  const send = async (browser: Visitor, path: string, json: unknown, method = 'POST') =>
    (await browser.send(method, `/api/auth/${path}`, json)).status;
  const isSignedIn = async (browser: Visitor) =>
    !(await browser.get('/api/auth/session')).text.includes('"account":null');
  const logIn = (browser: Visitor, who: object) => send(browser, 'login', { ...who, password });
  try {
    const [home, work, phone, other] = [
      app.openBrowser(),
      app.openBrowser(),
      app.openBrowser(),
      app.openBrowser(),
    ];
    expect(await send(home, 'register', { ...ann, password })).toBe(201);
    expect(await logIn(work, ann)).toBe(200);

    between.decide(await openReplica(app.db));
    // The primary answers what is read together with a rate limit, but not the lookup of a session.
    expect(await send(other, 'register', { ...bob, password })).toBe(201);
    expect(await isSignedIn(other)).toBe(false);
    expect(await send(phone, 'register', { ...bob, password })).toBe(409);
    expect(await logIn(phone, ann)).toBe(200);
    expect(await isSignedIn(phone)).toBe(false);
    expect(await isSignedIn(home)).toBe(true);
    expect(await send(home, 'password', { currentPassword: password, newPassword }, 'PUT')).toBe(204);
    expect(await logIn(phone, ann)).toBe(401);

    between.decide(() => 'pass');
    expect(await logIn(other, bob)).toBe(200);
    expect(await isSignedIn(other)).toBe(true);
    // Only the session that the replica still accepted has ended.
    expect(await isSignedIn(work)).toBe(false);
    expect(await send(phone, 'login', { ...ann, password: newPassword })).toBe(200);
    expect(await isSignedIn(phone)).toBe(true);
  } finally {
    await app.settle();
    await between.close();
    await app.close();
  }
});
