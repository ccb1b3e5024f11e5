/**
 * The webhook and reconciliation, in this process: every order and number of deliveries, late ones, lost ones, and
 * Stripe or the database failing on the way.
 */
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type Stripe from 'stripe';
import { signPayload } from '#dev/stripe/webhooks.ts';
import type { AttentionItem } from '#contract/payments.ts';
import type { Env } from '#worker/env.ts';
import { deliverMail } from '#worker/mail/outbox.ts';
import { orders, type OrderRecord } from '#worker/orders/schema.ts';
import { markSeen, readAttention } from '#worker/payments/attention.ts';
import { requestPaymentIntent } from '#worker/payments/pay.ts';
import { reconcileAll } from '#worker/payments/reconcile.ts';
import { mountPayments } from '#worker/payments/routes.ts';
import { paymentIntents, payments } from '#worker/payments/schema.ts';
import { settlePayment } from '#worker/payments/settle.ts';
import { cancelOrder, setPaymentByHand } from '#worker/payments/cancel.ts';
import { ask, openApp } from '../support/in-process-app.ts';
import { administrator, byCustomer, openShop, price, type Shop } from './orders-shop.ts';

const isFull = process.env['FULL'] === '1';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.close());

interface Delivery {
  readonly body: string;
  readonly secret?: string;
  readonly at?: number;
}

/** Sends a delivery to the webhook as Stripe does. @returns the answer's status */
async function deliver(
  { body, secret = 'whsec_shop', at = Date.now() }: Delivery,
  settings: Partial<Env> = {},
): Promise<number> {
  const app = openApp();
  mountPayments(app);
  const response = await ask(
    app,
    '/stripe/webhook',
    {
      method: 'POST',
      body,
      headers: { 'Stripe-Signature': signPayload(body, secret, Math.floor(at / 1_000)) },
    },
    { ...shop.env, ...settings },
  );
  return response.status;
}

async function openPage(order: OrderRecord): Promise<string> {
  const [id = ''] = (
    await requestPaymentIntent(shop.openPaymentContext(), order._id, price, () => byCustomer)
  ).split('_secret');
  return id;
}

const payByCard = (intentId: string): Promise<Stripe.PaymentIntent> =>
  shop.stripe.paymentIntents.confirm(intentId, { payment_method: 'pm_card_visa' });

/** A new order whose payment has succeeded at Stripe, which nobody has told us. */
async function newPaidOrder() {
  const order = await shop.newOrder();
  const intent = await payByCard(await openPage(order));
  return { order, intent };
}

/** Every event that Stripe has of an intent and its charge, oldest first, as it would deliver them. */
async function eventsOf(intent: Stripe.PaymentIntent): Promise<string[]> {
  const { data } = await shop.stripe.events.list({ limit: 100 });
  return data
    .filter(({ data: { object } }) => JSON.stringify(object).includes(intent.id))
    .map((event) => JSON.stringify(event))
    .reverse();
}

const succeededEvent = async (intent: Stripe.PaymentIntent) => {
  const found = (await eventsOf(intent)).find((body) => body.includes('"payment_intent.succeeded"'));
  if (found === undefined) throw new Error('Stripe has no such event.');
  return found;
};

const readOrder = async ({ _id }: OrderRecord) => {
  const [order] = await shop.db.select().from(orders).where(eq(orders._id, _id));
  return order;
};
const ledgerOf = ({ _id }: OrderRecord) => shop.db.select().from(payments).where(eq(payments.orderId, _id));

/** Lets the time pass after which reconciliation looks at an order's intent. */
const letTimePass = ({ _id }: OrderRecord) =>
  shop.db
    .update(paymentIntents)
    .set({ checkAt: Date.now() - 1 })
    .where(eq(paymentIntents.orderId, _id));

function permutations<T>(list: readonly T[]): T[][] {
  if (list.length <= 1) return [[...list]];
  return list.flatMap((first, index) =>
    permutations(list.filter((_, other) => other !== index)).map((rest) => [first, ...rest]),
  );
}

test('Deliveries in every order and many copies make one ledger row and one mail', async () => {
  const copies = isFull ? 20 : 3;
  const { intent } = await newPaidOrder();
  const count = Math.min((await eventsOf(intent)).length, 4);
  expect(count).toBeGreaterThan(1);
  const places = Array.from({ length: count }, (_, index) => index);
  for (const sequence of isFull ? permutations(places) : permutations(places).slice(-6)) {
    const paid = await newPaidOrder();
    const events = (await eventsOf(paid.intent)).slice(-count);
    await deliverMail(shop.env, () => undefined, shop.db);
    shop.sent.length = 0;
    for (const place of sequence) {
      const body = events[place] ?? '';
      const statuses = await Promise.all(Array.from({ length: copies }, () => deliver({ body })));
      expect(new Set(statuses)).toEqual(new Set([200]));
    }
    expect(await ledgerOf(paid.order)).toHaveLength(1);
    expect((await readOrder(paid.order))?.paymentStatus).toBe('Paid');
    expect(shop.sent.filter(({ subject }) => subject.startsWith('We have your payment'))).toHaveLength(1);
    expect(await shop.findFaults(paid.order._id)).toEqual([]);
  }
});

test('An altered, stale or wrongly signed delivery is refused and writes nothing', async () => {
  const { order, intent } = await newPaidOrder();
  const body = await succeededEvent(intent);
  const hourAgo = Date.now() - 3_600_000;
  expect(await deliver({ body, secret: 'whsec_other' })).toBe(400);
  expect(await deliver({ body, at: hourAgo })).toBe(400);
  expect(await deliver({ body }, { STRIPE_WEBHOOK_SECRET: 'whsec_changed' })).toBe(400);
  expect(await ledgerOf(order)).toEqual([]);
  expect((await readOrder(order))?.paymentStatus).toBe('UnPaid');
  expect(await deliver({ body })).toBe(200);
});

test('While secrets are rotated, deliveries signed with either are taken', async () => {
  const rotating = { STRIPE_WEBHOOK_SECRET: 'whsec_new, whsec_shop' };
  for (const secret of ['whsec_shop', 'whsec_new']) {
    const { order, intent } = await newPaidOrder();
    expect(await deliver({ body: await succeededEvent(intent), secret }, rotating)).toBe(200);
    expect((await readOrder(order))?.paymentStatus).toBe('Paid');
  }
});

test('While the database is down Stripe is asked to deliver again', async () => {
  const { order, intent } = await newPaidOrder();
  const body = await succeededEvent(intent);
  expect(await deliver({ body }, { TURSO_DATABASE_URL: 'http://127.0.0.1:1' })).toBe(503);
  expect(await deliver({ body })).toBe(200);
  expect((await readOrder(order))?.paymentStatus).toBe('Paid');
});

test('A payment that neither browser nor webhook told of is found by reconciliation', async () => {
  const { order } = await newPaidOrder();
  await reconcileAll(shop.openPaymentContext());
  expect((await readOrder(order))?.paymentStatus).toBe('UnPaid');
  await letTimePass(order);
  await Promise.all([reconcileAll(shop.openPaymentContext()), reconcileAll(shop.openPaymentContext())]);
  expect(await readOrder(order)).toMatchObject({ paymentStatus: 'Paid', paymentMethod: 'Card' });
  expect(await shop.findFaults(order._id)).toEqual([]);
});

test('A payment that arrives for a cancelled order goes back, is told to the customer and flagged', async () => {
  const order = await shop.newOrder();
  const intentId = await openPage(order);
  const late = await payByCard(intentId);
  // As if Stripe had cancelled and then, against its word, charged: the order was cancelled on our side meanwhile.
  await shop.db.update(orders).set({ paymentIntentId: '' }).where(eq(orders._id, order._id));
  await cancelOrder(shop.openPaymentContext(), order._id, byCustomer);
  await shop.db.update(orders).set({ paymentIntentId: intentId }).where(eq(orders._id, order._id));
  shop.sent.length = 0;

  const body = await succeededEvent(late);
  expect(await Promise.all([deliver({ body }), deliver({ body }), deliver({ body })])).toEqual([
    200, 200, 200,
  ]);
  expect((await readOrder(order))?.paymentStatus).toBe('Cancelled');
  expect(await ledgerOf(order)).toMatchObject([{ outcome: 'refunded', refusal: 'cancelled' }]);
  const { data: refunds } = await shop.stripe.refunds.list({ payment_intent: intentId });
  expect(refunds.map(({ amount }) => amount)).toEqual([49_950]);
  await deliverMail(shop.env, () => undefined, shop.db);
  expect(shop.sent.filter(({ subject }) => subject.startsWith('We are returning your payment'))).toHaveLength(
    1,
  );
  expect(await shop.findFaults(order._id)).toEqual([]);

  const flagged = await attentionFor(order);
  expect(flagged).toMatchObject([{ kind: 'refund', orderId: order._id }]);
  await markSeen(shop.db, flagged[0]?._id ?? '', administrator.accountId);
  expect(await attentionFor(order)).toEqual([]);
});

const attentionFor = async (order: OrderRecord): Promise<AttentionItem[]> =>
  (await readAttention(shop.db)).filter(({ orderId }) => orderId === order._id);

test('A refund that Stripe fails is due until it is done', async () => {
  const { order, intent } = await newPaidOrder();
  await shop.db.update(orders).set({ priceCents: 1 }).where(eq(orders._id, order._id));
  shop.emulator.controls.planFault({ kind: 'error-before', path: '/v1/refunds', count: 3, status: 500 });
  await settlePayment(shop.openPaymentContext(), intent);
  expect(await ledgerOf(order)).toMatchObject([{ outcome: 'refundDue', refusal: 'amountDiffers' }]);
  expect((await attentionFor(order))[0]?.text).toContain('has not returned it yet');
  shop.emulator.controls.clearFaults({});
  await reconcileAll(shop.openPaymentContext());
  expect(await ledgerOf(order)).toMatchObject([{ outcome: 'refunded' }]);
  await reconcileAll(shop.openPaymentContext());
  const { data: refunds } = await shop.stripe.refunds.list({ payment_intent: intent.id });
  expect(refunds).toHaveLength(1);
  expect((await readOrder(order))?.paymentStatus).toBe('UnPaid');
  await shop.db.update(orders).set({ priceCents: 49_950 }).where(eq(orders._id, order._id));
});

test('A refund whose answer was lost is not sent twice', async () => {
  const { order, intent } = await newPaidOrder();
  await shop.db.update(orders).set({ priceCents: 1 }).where(eq(orders._id, order._id));
  shop.emulator.controls.planFault({ kind: 'disconnect-after', path: '/v1/refunds' });
  await settlePayment(shop.openPaymentContext(), intent);
  shop.emulator.controls.clearFaults({});
  await reconcileAll(shop.openPaymentContext());
  expect(await ledgerOf(order)).toMatchObject([{ outcome: 'refunded' }]);
  const { data: refunds } = await shop.stripe.refunds.list({ payment_intent: intent.id });
  expect(refunds).toHaveLength(1);
  await shop.db.update(orders).set({ priceCents: 49_950 }).where(eq(orders._id, order._id));
});

test('What reconciliation cannot learn is flagged, and settled once Stripe answers again', async () => {
  const { order } = await newPaidOrder();
  shop.emulator.controls.planFault({ kind: 'error-before', count: 100, status: 500 });
  for (let tries = 0; tries < 3; tries += 1) {
    expect(await attentionFor(order)).toEqual([]);
    await letTimePass(order);
    await reconcileAll(shop.openPaymentContext());
  }
  shop.emulator.controls.clearFaults({});
  expect(await attentionFor(order)).toMatchObject([{ kind: 'unsettledIntent', orderId: order._id }]);
  await letTimePass(order);
  await reconcileAll(shop.openPaymentContext());
  expect((await readOrder(order))?.paymentStatus).toBe('Paid');
  expect(await attentionFor(order)).toEqual([]);
}, 60_000);

test('A payment that an administrator has seen to leaves the list and is settled all the same', async () => {
  const { order } = await newPaidOrder();
  shop.emulator.controls.planFault({ kind: 'error-before', count: 100, status: 500 });
  for (let tries = 0; tries < 3; tries += 1) {
    await letTimePass(order);
    await reconcileAll(shop.openPaymentContext());
  }
  const [flagged] = await attentionFor(order);
  await markSeen(shop.db, flagged?._id ?? '', administrator.accountId);
  await expect(markSeen(shop.db, flagged?._id ?? '', administrator.accountId)).rejects.toMatchObject({
    status: 404,
  });
  await letTimePass(order);
  await reconcileAll(shop.openPaymentContext());
  expect(await attentionFor(order)).toEqual([]);
  shop.emulator.controls.clearFaults({});
  const [open] = await shop.db.select().from(paymentIntents).where(eq(paymentIntents.orderId, order._id));
  expect(open?.checkAt).not.toBeNull();
  await letTimePass(order);
  await reconcileAll(shop.openPaymentContext());
  expect((await readOrder(order))?.paymentStatus).toBe('Paid');
}, 60_000);

test('An intent that failed to be made does not block the order', async () => {
  const order = await shop.newOrder();
  shop.emulator.controls.planFault({ kind: 'disconnect-after', method: 'POST', path: '/v1/payment_intents' });
  const intentId = await openPage(order);
  await payByCard(intentId);
  await letTimePass(order);
  await reconcileAll(shop.openPaymentContext());
  expect(await shop.findFaults(order._id)).toEqual([]);
  expect((await readOrder(order))?.transactionId).toBe(intentId);
});

test('A payment of somebody else’s on the same Stripe account is none of our business', async () => {
  const foreign = await shop.stripe.paymentIntents.create({
    amount: 1_000,
    currency: 'usd',
    payment_method: 'pm_card_visa',
    allowed_payment_method_types: ['card'],
    confirm: true,
  });
  expect(await deliver({ body: await succeededEvent(foreign) })).toBe(200);
  const { data: refunds } = await shop.stripe.refunds.list({ payment_intent: foreign.id });
  expect(refunds).toEqual([]);
});

/** An event of the type that tells of a success, as anyone who knows the webhook's secret can write and sign it. */
const forgedEvent = (object: object, event: object = {}) =>
  JSON.stringify({
    id: 'evt_forged',
    object: 'event',
    type: 'payment_intent.succeeded',
    livemode: false,
    data: { object },
    ...event,
  });

test('A signed event changes nothing that Stripe itself does not say', async () => {
  const order = await shop.newOrder();
  const own = await shop.stripe.paymentIntents.retrieve(await openPage(order));
  const foreign = await shop.stripe.paymentIntents.create({
    amount: 49_950,
    currency: 'usd',
    payment_method: 'pm_card_visa',
    allowed_payment_method_types: ['card'],
    confirm: true,
  });
  const claim = {
    object: 'payment_intent',
    status: 'succeeded',
    amount_received: 49_950,
    currency: 'usd',
    metadata: { orderId: order._id },
  };
  for (const id of ['pi_nobody_knows', own.id, foreign.id]) {
    expect(await deliver({ body: forgedEvent({ ...claim, id }) })).toBe(200);
    expect((await readOrder(order))?.paymentStatus).toBe('UnPaid');
    expect(await ledgerOf(order)).toEqual([]);
  }
});

test('An event of the other mode or of another account is refused', async () => {
  const { order, intent } = await newPaidOrder();
  for (const event of [{ livemode: true }, { account: 'acct_other' }])
    expect(await deliver({ body: forgedEvent(intent, event) })).toBe(400);
  expect((await readOrder(order))?.paymentStatus).toBe('UnPaid');
  expect(await deliver({ body: forgedEvent(intent) })).toBe(200);
  expect((await readOrder(order))?.paymentStatus).toBe('Paid');
});

test('While Stripe does not answer, it is asked to deliver its event again', async () => {
  const { order, intent } = await newPaidOrder();
  const body = await succeededEvent(intent);
  shop.emulator.controls.planFault({
    kind: 'error-before',
    path: '/v1/payment_intents',
    count: 3,
    status: 500,
  });
  expect(await deliver({ body })).toBe(503);
  shop.emulator.controls.clearFaults({});
  expect(await deliver({ body })).toBe(200);
  expect((await readOrder(order))?.paymentStatus).toBe('Paid');
});

/** A new order whose payment the bank has not decided on. */
async function newProcessingOrder() {
  const order = await shop.newOrder();
  const method = await shop.stripe.paymentMethods.create({
    type: 'card',
    card: { number: '4000000000002701', exp_month: 12, exp_year: 2040, cvc: '123' },
  });
  const intentId = await openPage(order);
  const intent = await shop.stripe.paymentIntents.confirm(intentId, { payment_method: method.id });
  expect(intent.status).toBe('processing');
  return { order, intentId };
}

test('An order whose payment the bank works on can neither be cancelled nor paid otherwise, until that ends', async () => {
  const { order, intentId } = await newProcessingOrder();
  for (const attempt of [
    cancelOrder(shop.openPaymentContext(), order._id, byCustomer),
    setPaymentByHand(shop.openPaymentContext(), order._id, 'Paid', administrator),
  ])
    await expect(attempt).rejects.toMatchObject({
      status: 409,
      message: 'The bank is working on a card payment for this order just now. Please try again in a minute.',
    });
  expect((await readOrder(order))?.paymentStatus).toBe('UnPaid');
  shop.emulator.controls.settlePayment({ paymentIntent: intentId, isApproved: false });
  expect(await cancelOrder(shop.openPaymentContext(), order._id, byCustomer)).toMatchObject({
    paymentStatus: 'Cancelled',
  });
  expect(await shop.findFaults(order._id)).toEqual([]);
});

test('A payment that the bank works on is left alone until it ends', async () => {
  const { order, intentId } = await newProcessingOrder();
  await letTimePass(order);
  await reconcileAll(shop.openPaymentContext());
  expect((await readOrder(order))?.paymentStatus).toBe('UnPaid');
  shop.emulator.controls.settlePayment({ paymentIntent: intentId });
  await letTimePass(order);
  await reconcileAll(shop.openPaymentContext());
  expect((await readOrder(order))?.paymentStatus).toBe('Paid');
});
