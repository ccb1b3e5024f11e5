/**
 * The webhook and reconciliation, in this process: every order and number of deliveries, late ones, lost ones, and
 * Stripe or the database failing on the way.
 */
import { eq, gt, inArray, isNotNull, lte, min } from 'drizzle-orm';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import type Stripe from 'stripe';
import { signPayload } from '#dev/stripe/webhooks.ts';
import { displayPaymentMethod } from '#contract/orders.ts';
import type { Account } from '#contract/accounts.ts';
import { newId } from '#contract/ids.ts';
import { accounts } from '#worker/accounts/schema.ts';
import { writeBatch } from '#worker/db/client.ts';
import { placeOrder } from '#worker/orders/place.ts';
import type { AttentionItem, OrderRefunds } from '#contract/payments.ts';
import type { Env } from '#worker/env.ts';
import { deliverMail } from '#worker/mail/outbox.ts';
import { forEachAtOnce } from '#worker/operations/at-once.ts';
import { jobRuns } from '#worker/operations/schema.ts';
import { changeOrder, stripeActor, type OrderChange } from '#worker/orders/changes.ts';
import { readTimeline, wholeOrder } from '#worker/orders/read.ts';
import { orders, type OrderRecord } from '#worker/orders/schema.ts';
import { markSeen, readAttention } from '#worker/payments/attention.ts';
import { queueAlerts } from '#worker/payments/alerts.ts';
import { reconcileDisputes, settleDispute } from '#worker/payments/disputes.ts';
import { readOpenDisputes } from '#worker/payments/open-disputes.ts';
import { confirmPayment, requestPaymentIntent } from '#worker/payments/pay.ts';
import { reconcileAll } from '#worker/payments/reconcile.ts';
import { readReceipt } from '#worker/payments/receipts.ts';
import { takeMissedEvents } from '#worker/payments/reported.ts';
import { mountRefunds } from '#worker/payments/refund-routes.ts';
import { mountPayments } from '#worker/payments/routes.ts';
import {
  disputes,
  ledger,
  paymentIntents,
  payments,
  refunds as refundsTable,
  stripeKeys,
} from '#worker/payments/schema.ts';
import { settlePayment } from '#worker/payments/settle.ts';
import { cancelOrder, endUnpaidOrders, setPaymentByHand } from '#worker/payments/cancel.ts';
import { ask, openApp } from '../support/in-process-app.ts';
import { fullSize } from '../support/limits.ts';
import {
  administrator,
  byCustomer,
  customer,
  input,
  openShop,
  payer,
  price,
  type Shop,
} from './orders-shop.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.close());

interface Delivery {
  readonly body: string;
  readonly secret?: string;
  readonly at?: number;
  /** What the signature is of, where that is not the body. */
  readonly signed?: string;
}

/** Sends a delivery to the webhook as Stripe does. @returns the answer's status */
async function deliver(
  { body, secret = 'whsec_shop', at = Date.now(), signed = body }: Delivery,
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
      headers: { 'Stripe-Signature': signPayload(signed, secret, Math.floor(at / 1_000)) },
    },
    { ...shop.env, ...settings },
  );
  return response.status;
}

async function openPage(order: OrderRecord): Promise<string> {
  const [id = ''] = (await requestPaymentIntent(shop.openPaymentContext(), order._id, price, payer)).split(
    '_secret',
  );
  return id;
}

const payByCard = (intentId: string, payment_method = 'pm_card_visa'): Promise<Stripe.PaymentIntent> =>
  shop.stripe.paymentIntents.confirm(intentId, { payment_method });

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
  const copies = fullSize ? 20 : 3;
  const { intent } = await newPaidOrder();
  const count = Math.min((await eventsOf(intent)).length, 4);
  expect(count).toBeGreaterThan(1);
  const places = Array.from({ length: count }, (_, index) => index);
  for (const sequence of fullSize ? permutations(places) : permutations(places).slice(-6)) {
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
  expect(await deliver({ body: body.replace('"succeeded"', '"succeeded" '), signed: body })).toBe(400);
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
  const paidAt = Date.now();
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  // The cron fires every minute; a browser may still tell of it in the first two.
  for (const minute of [0, 1, 2, 3, 4]) {
    vi.setSystemTime(paidAt + minute * 60_000);
    await Promise.all([reconcileAll(shop.openPaymentContext()), reconcileAll(shop.openPaymentContext())]);
    if (minute === 0) expect((await readOrder(order))?.paymentStatus).toBe('UnPaid');
  }
  expect(await readOrder(order)).toMatchObject({ paymentStatus: 'Paid', paymentMethod: 'Card' });
  expect(await shop.findFaults(order._id)).toEqual([]);
});

test('A payment whose page was opened hours ago is found as soon, and asked about once', async () => {
  const { order, intent } = await newPaidOrder();
  const later = { checkAt: Date.now() + 3_600_000 };
  await shop.db.update(paymentIntents).set(later).where(eq(paymentIntents.orderId, order._id));
  // Somebody else's on the same Stripe account.
  const { id } = await shop.makeForeignIntent();
  await payByCard(id);
  const asked: string[] = [];
  for (const [isAway, status] of [
    [true, 'UnPaid'],
    [false, 'Paid'],
    [false, 'Paid'],
  ] as const) {
    const context = shop.openPaymentContext();
    const retrieve = vi.spyOn(context.stripe.paymentIntents, 'retrieve');
    if (isAway) retrieve.mockRejectedValue(new Error('Stripe is away.'));
    await reconcileAll(context);
    await takeMissedEvents(context, Date.now() - 60_000);
    expect((await readOrder(order))?.paymentStatus).toBe(status);
    if (!isAway) asked.push(...retrieve.mock.calls.map(([one]) => one));
  }
  expect(asked.filter((one) => one === intent.id)).toHaveLength(1);
  expect(asked).not.toContain(id);
  expect(await shop.findFaults(order._id)).toEqual([]);
});

test('What a payment was made with stands on its receipt also where reconciliation finds it', async () => {
  const paid = [await newPaidOrder(), await newPaidOrder()];
  for (const { order } of paid) await letTimePass(order);
  await reconcileAll(shop.openPaymentContext());
  const reader = { db: shop.db, env: shop.env, account: customer };
  for (const { order } of paid)
    expect((await readReceipt(reader, order._id)).paidWith).toBe('Visa ending in 4242');
});

test('An order that is paid from a wallet names it', async () => {
  const order = await shop.newOrder();
  expect(displayPaymentMethod(wholeOrder(order))).toBe('');
  await payByCard(await openPage(order), 'pm_wallet_visa');
  await letTimePass(order);
  await reconcileAll(shop.openPaymentContext());
  const paid = await readOrder(order);
  expect(paid && displayPaymentMethod(wholeOrder(paid))).toBe('Google Pay');
  expect(paid?.paymentMethod).toBe('Card');
});

test('A payment that its restored order is paid by, and of which the backup knows no more, is kept', async () => {
  for (const isRefunded of [false, true]) {
    const { order, intent } = await newPaidOrder();
    const change = async (kind: 'paid' | 'refunded', set: OrderChange['set']) => {
      const read = await readOrder(order);
      if (!read || !(await changeOrder(shop.db, read, { kind, by: stripeActor, set })))
        throw new Error('The order did not change.');
    };
    await change('paid', { paymentStatus: 'Paid', paymentMethod: 'Card', transactionId: intent.id });
    if (isRefunded) {
      shop.emulator.controls.refund({ paymentIntent: intent.id });
      await change('refunded', { paymentStatus: 'Refunded', refundedCents: 49_950 });
    }
    await letTimePass(order);
    // It is of the moment at which Stripe took it.
    const lines: unknown[] = [];
    const context = () => ({
      ...shop.openPaymentContext(),
      log: (...line: unknown[]) => void lines.push(line),
    });
    await Promise.all([reconcileAll(context()), reconcileAll(context())]);
    expect(lines).toContainEqual(['payment.found', { order: order._id }]);
    expect(lines).toHaveLength(1);
    const { latest_charge: charge } = await shop.stripe.paymentIntents.retrieve(intent.id, {
      expand: ['latest_charge'],
    });
    if (typeof charge !== 'object') throw new Error('Stripe has no such charge.');
    expect(await ledgerOf(order)).toMatchObject([
      {
        outcome: 'settled',
        refusal: null,
        paymentIntentId: intent.id,
        paidWith: 'Visa ending in 4242',
        at: (charge?.created ?? NaN) * 1_000,
      },
    ]);
    expect(await movementsOf(order)).toEqual([['payment', 49_950]]);
    const { data: made } = await shop.stripe.refunds.list({ payment_intent: intent.id });
    expect(made).toHaveLength(isRefunded ? 1 : 0);
    await takeMissedEvents(shop.openPaymentContext(), intent.created * 1_000);
    expect(await movementsOf(order)).toHaveLength(isRefunded ? 2 : 1);
    expect(await shop.findFaults(order._id)).toEqual([]);
    expect(await shop.findBookFaults()).toEqual([]);
  }
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

test.each<
  [string, (order: OrderRecord) => Promise<unknown>, Partial<Stripe.PaymentIntentCreateParams>, string]
>([
  ['comes twice', payInFull, {}, 'paidAlready'],
  ['comes after its refund', payAndRefund, {}, 'refunded'],
  ['is a cent short', () => Promise.resolve(), { amount: 49_949 }, 'amountDiffers'],
  ['is a cent too much', () => Promise.resolve(), { amount: 49_951 }, 'amountDiffers'],
  ['is as many of another currency', () => Promise.resolve(), { currency: 'eur' }, 'amountDiffers'],
])('A payment that %s goes back whole, and leaves its order alone', async (_, begin, differs, refusal) => {
  const order = await shop.newOrder();
  await begin(order);
  const before = await readOrder(order);
  const { id } = await shop.makeForeignIntent({
    amount: order.priceCents,
    metadata: { orderId: order._id },
    ...differs,
  });
  const intent = await payByCard(id);
  // Told twice at once, as by a webhook and a browser.
  const lines: unknown[] = [];
  const context = () => ({
    ...shop.openPaymentContext(),
    log: (...line: unknown[]) => void lines.push(line),
  });
  await Promise.all([1, 2].map(() => settlePayment(context(), intent)));
  expect(lines).toEqual([['payment.refused', { order: order._id, refusal }]]);
  expect((await ledgerOf(order)).filter((payment) => payment.paymentIntentId === id)).toMatchObject([
    { outcome: 'refunded', refusal, amountCents: intent.amount_received },
  ]);
  const { data } = await shop.stripe.refunds.list({ payment_intent: id });
  expect(data.map(({ amount }) => amount)).toEqual([intent.amount_received]);
  // Only its events tell of it.
  expect(await readOrder(order)).toEqual({ ...before, version: expect.any(Number) as number });
});

test('A payment that is recorded while its order changes is recorded on top of the change', async () => {
  for (const isRefused of [false, true]) {
    const { order, intent } = await newPaidOrder();
    if (isRefused) await shop.db.update(orders).set({ priceCents: 1 }).where(eq(orders._id, order._id));
    let changes = 0;
    const context = shop.openPaymentContext(async (step) => {
      if (!/^(settle|refuse)$/.test(step) || changes > 0) return;
      changes += 1;
      const read = await readOrder(order);
      const set = { customerCompany: 'Ann & Co.' };
      if (read) await changeOrder(shop.db, read, { kind: 'billingChanged', by: stripeActor, set });
      // Of a payment that goes back the ledger alone is written, which somebody else may have done first.
      if (isRefused) await settlePayment(shop.openPaymentContext(), intent);
    });
    await settlePayment(context, intent);
    expect(changes).toBe(1);
    expect(await readOrder(order)).toMatchObject({
      customerCompany: 'Ann & Co.',
      paymentStatus: isRefused ? 'UnPaid' : 'Paid',
    });
    expect(await ledgerOf(order)).toMatchObject([{ outcome: isRefused ? 'refunded' : 'settled' }]);
    if (isRefused) await shop.db.update(orders).set({ priceCents: 49_950 }).where(eq(orders._id, order._id));
  }
});

async function payInFull(order: OrderRecord): Promise<Stripe.PaymentIntent> {
  const intent = await payByCard(await openPage(order));
  await settlePayment(shop.openPaymentContext(), intent);
  return intent;
}

async function payAndRefund(order: OrderRecord): Promise<void> {
  const { id } = await payInFull(order);
  await shop.stripe.refunds.create({ payment_intent: id });
  await shop.settleReports();
}

const attentionFor = async (order: OrderRecord): Promise<AttentionItem[]> =>
  (await readAttention(shop.db, shop.env)).items.filter(({ orderId }) => orderId === order._id);

test('A refund that Stripe fails is due until it is done', async () => {
  const { order, intent } = await newPaidOrder();
  await shop.db.update(orders).set({ priceCents: 1 }).where(eq(orders._id, order._id));
  shop.emulator.controls.planFault({ kind: 'error-before', path: '/v1/refunds', count: 3, status: 500 });
  await settlePayment(shop.openPaymentContext(), intent);
  expect(await ledgerOf(order)).toMatchObject([{ outcome: 'refundDue', refusal: 'amountDiffers' }]);
  expect((await attentionFor(order))[0]?.text).toContain('has not returned it yet');
  shop.emulator.controls.clearFaults({});
  await shop.db.update(refundsTable).set({ checkAt: 0 }).where(eq(refundsTable.orderId, order._id));
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
});

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
});

test('A thousand payments of which nobody has reported are settled or asked about later in two runs, by few calls', async () => {
  await shop.db.update(paymentIntents).set({ checkAt: null });
  const paid: OrderRecord[] = [];
  for (let count = 0; count < (fullSize ? 350 : 20); count += 1) paid.push((await newPaidOrder()).order);
  const left = Array.from({ length: 1_000 - paid.length }, (_, index) => index);
  const begun: (typeof paymentIntents.$inferInsert)[] = [];
  const { _id: orderId } = await shop.newOrder();
  await forEachAtOnce(left, async (index) => {
    const intent = await shop.stripe.paymentIntents.create({ amount: 49_950, currency: 'usd' });
    if (index % 10 === 0) await shop.stripe.paymentIntents.cancel(intent.id);
    const at = Date.now();
    begun.push({
      _id: newId(),
      paymentIntentId: intent.id,
      orderId,
      startedAt: at,
      checkAt: at,
    });
  });
  await shop.db.insert(paymentIntents).values(begun);
  await shop.db.update(paymentIntents).set({ checkAt: 1 }).where(isNotNull(paymentIntents.checkAt));

  const isDue = lte(paymentIntents.checkAt, 1);
  expect(await shop.db.$count(paymentIntents, isDue)).toBe(1_000);
  const context = shop.openPaymentContext();
  let calls = 0;
  const requests: { on(event: 'request', listener: () => void): void } = context.stripe;
  requests.on('request', () => {
    calls += 1;
  });
  await reconcileAll(context);
  expect(calls).toBeLessThanOrEqual(20);
  // What is left over, and some of the oldest again: Stripe lists all the others before them.
  const oldest = begun.slice(0, 60).map(({ _id }) => _id);
  await shop.db.update(paymentIntents).set({ checkAt: 1 }).where(inArray(paymentIntents._id, oldest));
  await reconcileAll(context);
  expect(await shop.db.$count(paymentIntents, isDue)).toBe(0);
  expect(calls).toBeLessThanOrEqual(40);
  expect(await shop.db.$count(paymentIntents, gt(paymentIntents.failures, 0))).toBe(0);
  for (const order of paid) expect((await readOrder(order))?.paymentStatus).toBe('Paid');
  expect(await shop.db.$count(paymentIntents, isNotNull(paymentIntents.checkAt))).toBe(
    left.filter((index) => index % 10 !== 0).length,
  );
  await shop.db.update(paymentIntents).set({ checkAt: null });
});

test('A payment that was begun with another key neither blocks its order nor alarms anybody', async () => {
  const begun: OrderRecord[] = [];
  for (let count = 0; count < 2; count += 1) {
    const order = await shop.newOrder();
    const known = { paymentIntentId: await openPage(order) };
    const unknown = { paymentIntentId: `pi_of_another_key_${count}` };
    await shop.db.update(orders).set(unknown).where(eq(orders._id, order._id));
    await shop.db
      .update(paymentIntents)
      .set(unknown)
      .where(eq(paymentIntents.paymentIntentId, known.paymentIntentId));
    begun.push(order);
    await letTimePass(order);
  }
  await reconcileAll(shop.openPaymentContext());
  const [toPay, toCancel] = begun;
  if (!toPay || !toCancel) throw new Error('There are two.');
  for (const order of begun) expect(await attentionFor(order)).toEqual([]);
  await expect(confirmPayment(shop.openPaymentContext(), toPay._id)).rejects.toMatchObject({ status: 409 });
  const intent = await payByCard(await openPage(toPay));
  await confirmPayment(shop.openPaymentContext(), toPay._id);
  expect(await readOrder(toPay)).toMatchObject({ paymentStatus: 'Paid', transactionId: intent.id });
  await cancelOrder(shop.openPaymentContext(), toCancel._id, byCustomer);
  expect((await readOrder(toCancel))?.paymentStatus).toBe('Cancelled');
});

test('No payment begins while the payment key and the secret key are of different modes', async () => {
  const order = await shop.newOrder();
  await shop.db.insert(stripeKeys).values({ _id: newId(), stripeKey: 'pk_live_shop' });
  await expect(openPage(order)).rejects.toMatchObject({ status: 503 });
  await shop.db.update(stripeKeys).set({ stripeKey: 'pk_test_shop' });
  expect(await openPage(order)).toMatch(/^pi_/);
  await shop.db.delete(stripeKeys);
});

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

/** A context that keeps what it logs. */
function openLogged() {
  const events: string[] = [];
  return {
    events,
    context: { ...shop.openPaymentContext(), log: (event: string) => void events.push(event) },
  };
}

test('Stripe’s receipt goes to whoever pays, and a wrong address keeps nobody from paying', async () => {
  const order = await shop.newOrder();
  const id = await openPage(order);
  const { context, events } = openLogged();
  const open = (receiptEmail: string) =>
    requestPaymentIntent(context, order._id, price, { ...payer, receiptEmail });
  await open('bob@customers.example');
  expect((await shop.stripe.paymentIntents.retrieve(id)).receipt_email).toBe('bob@customers.example');
  shop.emulator.controls.planFault({
    ...{ kind: 'error-before', status: 400, method: 'POST', path: `/v1/payment_intents/${id}` },
  });
  expect(await open('eve@customers.example')).toMatch(new RegExp(`^${id}_secret`));
  expect(events).toEqual(['payment.receipt-not-addressed']);
  // The same address is not sent again.
  shop.emulator.controls.planFault({ kind: 'error-before', status: 400, method: 'POST' });
  await open('bob@customers.example');
  shop.emulator.controls.clearFaults({});
  expect(events).toHaveLength(1);

  // Our sign-up takes it, Stripe does not.
  const receiptEmail = 'ann..smith@customers.example';
  const { _id } = await shop.newOrder();
  const secret = await requestPaymentIntent(context, _id, price, { ...payer, receiptEmail });
  const [made = ''] = secret.split('_secret');
  expect((await shop.stripe.paymentIntents.retrieve(made)).receipt_email).toBeNull();
  expect(await requestPaymentIntent(context, _id, price, { ...payer, receiptEmail })).toBe(secret);
  expect(events.slice(1)).toEqual(['payment.receipt-not-addressed', 'payment.receipt-not-addressed']);
});

/** Makes a call of payments as somebody who is signed in, or nobody. */
async function callAs(account: Account | undefined, method: string, path: string, body?: object) {
  const app = openApp();
  app.use(async (c, next) => {
    c.set('account', account);
    await next();
  });
  mountPayments(app);
  mountRefunds(app);
  const answer = await ask(
    app,
    path,
    {
      method,
      ...(body && { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
    },
    shop.env,
  );
  return { status: answer.status, json: await answer.json<Record<string, unknown>>() };
}
const staff: Account = { ...customer, id: administrator.accountId, email: 'admin@site.test', role: 'Admin' };
const stranger: Account = { ...customer, id: newId(), email: 'eve@customers.example' };

test('Whoever holds the link pays, and only an administrator says by hand that an order is paid or not', async () => {
  const order = await shop.newOrder();
  const begin = { orderId: order._id, amount: price };
  const receiptOf = async (account: Account | undefined) => {
    const { status, json } = await callAs(account, 'POST', '/create-payment-intent', begin);
    expect(status).toBe(200);
    const [id = ''] = String(json['clientSecret']).split('_secret');
    return (await shop.stripe.paymentIntents.retrieve(id)).receipt_email;
  };
  expect(await receiptOf(customer)).toBe(customer.email);
  expect([await receiptOf({ ...customer, emailVerified: false }), await receiptOf(undefined)]).toEqual([
    null,
    null,
  ]);

  const set = (account: Account | undefined, paymentStatus: string) =>
    callAs(account, 'PUT', `/order/${order._id}`, { paymentStatus });
  expect(await set(customer, 'UnPaid')).toMatchObject({
    status: 403,
    json: { detail: 'Only an administrator can mark an order as not paid.' },
  });
  expect((await set(undefined, 'Paid')).status).toBe(409);
  expect(await set(staff, 'Paid')).toMatchObject({ status: 200, json: { paymentMethod: 'PayPal' } });
  expect(await set(staff, 'UnPaid')).toMatchObject({ status: 200, json: { paymentStatus: 'UnPaid' } });
  await payByCard(await openPage((await readOrder(order)) ?? order));
  const { status, json } = await set(undefined, 'Paid');
  expect([status, json['paymentStatus'], 'customerEmail' in json]).toEqual([200, 'Paid', false]);
  // What came by card stays, until it is refunded.
  expect((await set(staff, 'UnPaid')).status).toBe(409);
  expect(await shop.findFaults(order._id)).toEqual([]);
});

test('An order is cancelled by its customer or by us, and by nobody else', async () => {
  for (const account of [customer, staff]) {
    const order = await shop.newOrder();
    const path = `/order-cancelled/${order._id}`;
    expect((await callAs(stranger, 'PUT', path, {})).status).toBe(403);
    expect(await callAs(account, 'PUT', path, {})).toMatchObject({
      status: 200,
      json: { paymentStatus: 'Cancelled' },
    });
    // Mails of the tests above may be in front of it, more than one run sends.
    await expect
      .poll(async () => {
        await deliverMail(shop.env, () => undefined, shop.db);
        return shop.sent.filter(({ text }) => text.includes(`#${order.number}`));
      })
      .not.toEqual([]);
    const receipt = await callAs(account, 'GET', `/order/${order._id}/receipt`);
    expect([receipt.status, receipt.json['paymentStatus']]).toEqual([409, 'Cancelled']);
  }
  expect((await callAs(staff, 'PUT', `/needs-attention/${newId()}`, { seen: true })).status).toBe(404);
  expect((await callAs(staff, 'GET', '/open-disputes')).json).toEqual(await readOpenDisputes(shop.db));
  expect((await callAs(staff, 'GET', '/needs-attention')).json).toEqual(
    JSON.parse(JSON.stringify((await readAttention(shop.db, shop.env)).items)),
  );
  expect((await callAs(staff, 'GET', `/credit-note/${newId()}`)).status).toBe(404);
});

test('A paid order is not cancelled, and each reads what to do instead', async () => {
  const { order, intent } = await newPaidOrder();
  await settlePayment(shop.openPaymentContext(), intent);
  const cancel = (by: Parameters<typeof cancelOrder>[2]) =>
    cancelOrder(shop.openPaymentContext(), order._id, by);
  await expect(cancel(administrator)).rejects.toMatchObject({
    status: 409,
    message: 'This order is paid. Refund it instead: that cancels it.',
    extensions: { paymentStatus: 'Paid' },
  });
  await expect(cancel(byCustomer)).rejects.toMatchObject({
    status: 409,
    message: 'This order is paid, so it cannot be cancelled here. Please write to us.',
  });
});

test('A payment of somebody else’s on the same Stripe account is none of our business', async () => {
  const foreign = await shop.makeForeignIntent({ payment_method: 'pm_card_visa', confirm: true });
  expect(await deliver({ body: await succeededEvent(foreign) })).toBe(200);
  const { data: refunds } = await shop.stripe.refunds.list({ payment_intent: foreign.id });
  expect(refunds).toEqual([]);
  const lines: unknown[] = [];
  const context = { ...shop.openPaymentContext(), log: (...line: unknown[]) => void lines.push(line) };
  await settlePayment(context, foreign);
  await settlePayment(context, (await newPaidOrder()).intent);
  expect(lines).toEqual([['payment.foreign', { intent: foreign.id }]]);
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
  const foreign = await shop.makeForeignIntent({ payment_method: 'pm_card_visa', confirm: true });
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

  // Nor does one about a dispute that Stripe does not know, or that is about somebody else's payment.
  const { id: paymentIntent } = await shop.makeForeignIntent({
    payment_method: 'pm_card_createDispute',
    confirm: true,
  });
  const { data } = await shop.stripe.disputes.list({ payment_intent: paymentIntent });
  const paid = await newPaidOrder();
  for (const id of ['dp_nobody_knows', data[0]?.id]) {
    const dispute = { id, object: 'dispute', payment_intent: paid.intent.id, status: 'lost', amount: 49_950 };
    const body = forgedEvent(dispute, { type: 'charge.dispute.closed' });
    expect(await deliver({ body })).toBe(200);
    expect(await disputesOf(paid.order)).toEqual([]);
    expect(await movementsOf(paid.order)).toEqual([]);
  }
});

test('A delivery with as much evidence as a dispute may hold is taken, and none that is larger', async () => {
  const ofLength = (length: number) =>
    forgedEvent(
      { id: 'dp_nobody_knows', object: 'dispute', evidence: { uncategorized_text: '—'.repeat(length) } },
      { type: 'charge.dispute.updated' },
    );
  expect(await deliver({ body: ofLength(150_000) })).toBe(200);
  expect(await deliver({ body: ofLength(350_000) })).toBe(413);
});

test('A signed event that tells of no object is refused', async () => {
  for (const object of [null, {}, { id: 7 }, { id: '../refunds' }])
    for (const type of ['payment_intent.succeeded', 'charge.dispute.created'])
      expect(await deliver({ body: forgedEvent({}, { type, data: { object } }) })).toBe(400);
  expect(await deliver({ body: forgedEvent({}, { data: undefined }) })).toBe(400);
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
      message:
        'The bank is working on a card payment for this order right now. Please try again in a minute.',
    });
  expect((await readOrder(order))?.paymentStatus).toBe('UnPaid');
  shop.emulator.controls.settlePayment({ paymentIntent: intentId, isApproved: false });
  expect(await cancelOrder(shop.openPaymentContext(), order._id, byCustomer)).toMatchObject({
    paymentStatus: 'Cancelled',
  });
  expect(await shop.findFaults(order._id)).toEqual([]);
});

test('Before an account goes, what it has not paid is ended, and what it is paying is settled', async () => {
  const owner: Account = { ...customer, id: newId(), email: 'leaving@customers.example' };
  await shop.db.insert(accounts).values({ ...owner, emailVerifiedAt: 1, createdAt: 1 });
  const newOrder = () =>
    placeOrder({ ...shop, account: owner }, { ...input, customerEmail: owner.email }, undefined);
  const [open, delivered, paying, paid] = [
    await newOrder(),
    await newOrder(),
    await newOrder(),
    await newOrder(),
  ];
  const intents = [await openPage(open), await openPage(delivered)];
  const now = await readOrder(delivered);
  if (!now) throw new Error('The order is gone.');
  await changeOrder(shop.db, now, {
    kind: 'delivered',
    by: stripeActor,
    set: { orderStatus: 'Delivered' },
  });
  await payByCard(await openPage(paying));
  await setPaymentByHand(shop.openPaymentContext(), paid._id, 'Paid', administrator);
  const others = await shop.newOrder();
  await writeBatch(shop.db, await endUnpaidOrders(shop.openPaymentContext(), owner));
  const statuses = await Promise.all([open, delivered, paying, paid, others].map(readOrder));
  expect(statuses.map((order) => order?.paymentStatus)).toEqual([
    'Cancelled',
    'UnPaid',
    'Paid',
    'Paid',
    'UnPaid',
  ]);
  for (const id of intents) expect((await shop.stripe.paymentIntents.retrieve(id)).status).toBe('canceled');
  expect((await readTimeline(shop.db, open._id, owner)).at(-1)).toMatchObject({ kind: 'cancelled' });
});

test('A payment that the bank works on is left alone until it ends', async () => {
  const { order, intentId } = await newProcessingOrder();
  const readProblem = async (startedAt: number) => {
    await shop.db.update(paymentIntents).set({ startedAt }).where(eq(paymentIntents.orderId, order._id));
    await letTimePass(order);
    await reconcileAll(shop.openPaymentContext());
    const [open] = await shop.db.select().from(paymentIntents).where(eq(paymentIntents.orderId, order._id));
    return [open?.problem, (open?.checkAt ?? 0) > Date.now()];
  };
  const dayMs = 24 * 3_600_000;
  expect(await readProblem(Date.now() - dayMs + 60_000)).toEqual([null, true]);
  expect(await readProblem(Date.now() - dayMs - 60_000)).toEqual([
    'The bank has been working on this payment for more than a day.',
    true,
  ]);
  expect((await readOrder(order))?.paymentStatus).toBe('UnPaid');
  shop.emulator.controls.settlePayment({ paymentIntent: intentId });
  await letTimePass(order);
  await reconcileAll(shop.openPaymentContext());
  expect((await readOrder(order))?.paymentStatus).toBe('Paid');
});

/** A new order whose payment is disputed, which nobody has told us; every event of Stripe's about it, oldest first. */
async function newDisputedOrder() {
  const order = await shop.newOrder();
  const intent = await payByCard(await openPage(order), 'pm_card_createDispute');
  return { order, intent, bodies: () => eventsOf(intent) };
}

const movementsOf = async ({ _id }: OrderRecord) => {
  const rows = await shop.db.select().from(ledger).where(eq(ledger.orderId, _id)).orderBy(ledger.sequence);
  return rows.map(({ kind, amountCents }) => [kind, amountCents]);
};
const disputesOf = ({ _id }: OrderRecord) => shop.db.select().from(disputes).where(eq(disputes.orderId, _id));
const kindsOf = async ({ _id }: OrderRecord) =>
  (await readTimeline(shop.db, _id, customer))
    .map(({ kind }) => kind)
    .filter((kind) => kind.startsWith('dispute'));

test('Deliveries about a dispute in every order and many copies move the money once each way', async () => {
  for (const late of [false, true]) {
    const { order, intent, bodies } = await newDisputedOrder();
    const opening = (await bodies()).slice(-4).reverse();
    // Some come before the dispute is decided, all of them again after it.
    if (!late) for (const body of opening) expect(await deliver({ body })).toBe(200);
    if (!late)
      expect(await movementsOf(order)).toEqual([
        ['payment', 49_950],
        ['disputeWithdrawn', -49_950],
      ]);
    shop.emulator.controls.dispute({ paymentIntent: intent.id, outcome: 'won' });
    const all = (await bodies()).slice(-6);
    for (const body of [...all].reverse()) {
      const statuses = await Promise.all([deliver({ body }), deliver({ body }), deliver({ body })]);
      expect(statuses).toEqual([200, 200, 200]);
    }
    expect(await movementsOf(order)).toEqual([
      ['payment', 49_950],
      ['disputeWithdrawn', -49_950],
      ['disputeReinstated', 49_950],
    ]);
    expect(await disputesOf(order)).toMatchObject([
      { status: 'won', reason: 'fraudulent', amountCents: 49_950, paymentIntentId: intent.id },
    ]);
    expect(await kindsOf(order)).toEqual(late ? ['disputeClosed'] : ['disputeOpened', 'disputeClosed']);
    expect((await readOrder(order))?.paymentStatus).toBe('Paid');
  }
});

test('An administrator reads until when to answer a dispute, until it is decided', async () => {
  const { order, intent, bodies } = await newDisputedOrder();
  const before = await readOpenDisputes(shop.db);
  for (const body of await bodies()) await deliver({ body });
  expect(await readOpenDisputes(shop.db)).toEqual({
    payments: before.payments + 1,
    cents: before.cents + 49_950,
    orderIds: [...before.orderIds, order._id],
  });
  const [dispute] = await disputesOf(order);
  // The last second of a day in Greenwich is the next day's morning in Tokyo.
  const due = new Date(dispute?.evidenceDueAt ?? 0);
  const inTokyo = new Date(due.getTime() + 9 * 3_600_000).toISOString();
  const items = (await readAttention(shop.db, { ...shop.env, SITE_TIMEZONE: 'Asia/Tokyo' })).items;
  const item = items.find(({ orderId }) => orderId === order._id);
  expect(item).toMatchObject({
    kind: 'dispute',
    stripeUrl: `https://dashboard.stripe.com/test/disputes/${dispute?.disputeId ?? ''}`,
  });
  expect(item?.text).toContain('$499.50: the cardholder says that they did not make this payment.');
  expect(item?.text).toContain(
    `The last day for it is ${inTokyo.slice(5, 7)}/${inTokyo.slice(8, 10)}/${inTokyo.slice(0, 4)}.`,
  );
  await queueAlerts(shop.env, shop.db);
  shop.sent.length = 0;
  await deliverMail(shop.env, () => undefined, shop.db);
  expect(shop.sent.find(({ to }) => to === shop.env.NOTIFY_EMAIL)?.text).toContain(
    'Send your evidence in Stripe',
  );
  const live = (await readAttention(shop.db, { ...shop.env, STRIPE_SECRET_KEY: 'sk_live_shop' })).items;
  expect(live.find(({ orderId }) => orderId === order._id)?.stripeUrl).toMatch(/stripe\.com\/disputes\/dp_/);

  const disputesAs = async (account: Account) => {
    const { json } = await callAs(account, 'GET', `/order/${order._id}/refunds`);
    return (json as OrderRefunds).disputes;
  };
  expect(await disputesAs(staff)).toEqual(await attentionFor(order));
  expect(await disputesAs(customer)).toEqual([]);

  shop.emulator.controls.dispute({ paymentIntent: intent.id, outcome: 'lost' });
  for (const body of await bodies()) await deliver({ body });
  expect(await disputesAs(staff)).toEqual([]);
  expect(await attentionFor(order)).toEqual([]);
  expect(await readOpenDisputes(shop.db)).toEqual(before);
});

test('A dispute that no delivery told of, and its end, are found by reconciliation', async () => {
  const { order, intent } = await newDisputedOrder();
  const reconcile = async () => {
    await shop.db.update(jobRuns).set({ ranAt: 0 });
    await reconcileAll(shop.openPaymentContext());
  };
  await reconcile();
  expect(await disputesOf(order)).toMatchObject([{ status: 'needs_response', closedAt: null }]);
  shop.emulator.controls.dispute({ paymentIntent: intent.id, outcome: 'lost' });
  await reconcileAll(shop.openPaymentContext());
  expect(await disputesOf(order)).toMatchObject([{ closedAt: null }]);
  await reconcile();
  expect(await disputesOf(order)).toMatchObject([{ status: 'lost' }]);
  expect(await movementsOf(order)).toEqual([
    ['payment', 49_950],
    ['disputeWithdrawn', -49_950],
  ]);
});

test('A dispute is kept as Stripe says that it stands, each change once', async () => {
  const { order, intent } = await newDisputedOrder();
  await settlePayment(shop.openPaymentContext(), intent);
  const [made] = (await shop.stripe.disputes.list({ payment_intent: intent.id })).data;
  if (!made) throw new Error('There is no dispute.');
  const { context, events } = openLogged();
  const retrieve = vi.spyOn(context.stripe.disputes, 'retrieve');
  const settle = async (said: Partial<Stripe.Dispute>) => {
    retrieve.mockResolvedValue({ ...made, ...said, lastResponse: {} as never });
    await settleDispute(context, made.id);
    const [{ status, evidenceDueAt, closedAt } = {}] = await disputesOf(order);
    return { status, evidenceDueAt, closedAt };
  };
  const dueAt = (made.evidence_details.due_by ?? 0) * 1_000;
  const inquiry = {
    status: 'warning_needs_response',
    evidence_details: { ...made.evidence_details, due_by: null },
    // The balance is kept in euros.
    balance_transactions: made.balance_transactions.map((one) => ({
      ...one,
      currency: 'eur',
      amount: -46_000,
    })),
  } as const;
  expect(await settle(inquiry)).toEqual({ status: inquiry.status, evidenceDueAt: null, closedAt: null });
  expect(await movementsOf(order)).toEqual([
    ['payment', 49_950],
    ['disputeWithdrawn', -49_950],
  ]);
  await settle(inquiry);
  expect(await kindsOf(order)).toEqual(['disputeOpened']);

  const { closedAt } = await settle({ status: 'warning_closed', payment_intent: intent });
  expect(closedAt).toEqual(expect.any(Number));
  // When it was decided stays, whatever is said of it later.
  expect(await settle({ status: 'prevented' })).toEqual({
    ...{ status: 'prevented', evidenceDueAt: dueAt, closedAt },
  });
  expect(await settle({})).toEqual({ status: 'needs_response', evidenceDueAt: dueAt, closedAt: null });
  for (const status of ['won', 'needs_response', 'lost'] as const) await settle({ status });
  expect(await kindsOf(order)).toEqual([
    ...['disputeOpened', 'disputeClosed', 'disputeUpdated', 'disputeUpdated'],
    ...['disputeClosed', 'disputeUpdated', 'disputeClosed'],
  ]);
  expect(events).toEqual(Array(7).fill('dispute.recorded'));
  await settle({ payment_intent: null });
  expect([events.at(-1), events.length]).toEqual(['dispute.unknown', 8]);
});

test('Once an hour Stripe is asked about the disputes that were made since an hour before the last time', async () => {
  const context = shop.openPaymentContext();
  const list = vi.spyOn(context.stripe.disputes, 'list');
  const now = Date.now();
  const hour = 3_600_000;
  const askAfter = async (ranAt: number, succeededAt: number | null) => {
    await shop.db.delete(jobRuns).where(eq(jobRuns.name, 'disputes'));
    await shop.db.insert(jobRuns).values({ name: 'disputes', ranAt, succeededAt });
    list.mockClear();
    await reconcileDisputes(context);
    return list.mock.calls.map(([params]) => params);
  };
  const asked = (since: number) => [{ created: { gte: Math.floor((since - hour) / 1_000) }, limit: 100 }];
  expect(await askAfter(now - hour + 60_000, now - hour)).toEqual([]);
  expect(await askAfter(now - hour - 1, now - 5 * hour)).toEqual(asked(now - 5 * hour));
  // Where it never went well, from the first payment on.
  const [first] = await shop.db.select({ at: min(payments.at) }).from(payments);
  expect(await askAfter(0, null)).toEqual(asked(first?.at ?? 0));
});

test('What waits for an answer of Stripe’s is asked about ever later, up to an hour, and told of from the third time on', async () => {
  const order = await shop.newOrder();
  await openPage(order);
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const { context, events } = openLogged();
  const away = [
    vi.spyOn(context.stripe.paymentIntents, 'retrieve'),
    vi.spyOn(context.stripe.paymentIntents, 'list'),
  ];
  for (const call of away) call.mockRejectedValue(new Error('Stripe is away.'));
  const read = async () => {
    const [open] = await shop.db.select().from(paymentIntents).where(eq(paymentIntents.orderId, order._id));
    return [
      open?.failures,
      ((open?.checkAt ?? 0) - Date.now()) / 60_000,
      open?.problem,
      open?.seenBy ?? null,
    ];
  };
  const problem = 'Stripe gave no usable answer about this payment.';
  const { accountId } = administrator;
  for (const expected of [
    [1, 4, null, null],
    [2, 8, null, null],
    [3, 16, problem, null],
    [4, 32, problem, null],
    [5, 60, problem, accountId],
    [6, 60, problem, accountId],
  ]) {
    if (expected[0] === 5) {
      const [flagged] = await attentionFor(order);
      await markSeen(shop.db, flagged?._id ?? '', accountId);
    }
    await letTimePass(order);
    await reconcileAll(context);
    expect(await read()).toEqual(expected);
  }
  expect(events).toContain('reconcile.failed');
  for (const call of away) call.mockRestore();
  await letTimePass(order);
  await reconcileAll(context);
  expect(await read()).toEqual([0, 2, null, null]);
});

test('Disputes that Stripe did not tell of are asked about again as if nothing had been asked', async () => {
  const { order, intent } = await newDisputedOrder();
  const { context, events } = openLogged();
  const readRun = async () => {
    const [run] = await shop.db.select().from(jobRuns).where(eq(jobRuns.name, 'disputes'));
    return run;
  };
  await shop.db.update(jobRuns).set({ ranAt: 0 });
  const succeededAt = (await readRun())?.succeededAt;
  // The first try and its repetition.
  shop.emulator.controls.planFault({ kind: 'error-before', method: 'GET', path: '/v1/disputes', count: 2 });
  await reconcileAll(context);
  expect(events).toContain('dispute.not-reconciled');
  expect(await readRun()).toMatchObject({ succeededAt, failure: expect.any(String) as string });
  expect(await disputesOf(order)).toEqual([]);
  await shop.db.update(jobRuns).set({ ranAt: 0 });
  await reconcileAll(context);
  expect(events).toContain('dispute.recorded');
  expect(await readRun()).toMatchObject({ failure: null });
  const { data } = await shop.stripe.disputes.list({ payment_intent: intent.id });
  const openedAt = (data[0]?.created ?? 0) * 1_000;
  expect(await disputesOf(order)).toMatchObject([{ status: 'needs_response', openedAt }]);
});

test('What Stripe answered earlier never replaces what it answered later', async () => {
  const { order, intent } = await newDisputedOrder();
  const { data } = await shop.stripe.disputes.list({ payment_intent: intent.id });
  const id = data[0]?.id ?? '';
  await settleDispute(shop.openPaymentContext(), id);
  shop.emulator.controls.dispute({ paymentIntent: intent.id, outcome: 'under_review' });
  let isFirst = true;
  const slow = shop.openPaymentContext(async (step) => {
    if (step !== 'record dispute' || !isFirst) return;
    isFirst = false;
    shop.emulator.controls.dispute({ paymentIntent: intent.id, outcome: 'won' });
    await settleDispute(shop.openPaymentContext(), id);
  });
  await settleDispute(slow, id);
  expect(isFirst).toBe(false);
  expect(await disputesOf(order)).toMatchObject([{ status: 'won' }]);
  expect(await kindsOf(order)).toEqual(['disputeOpened', 'disputeClosed']);
});
