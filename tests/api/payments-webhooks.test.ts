/**
 * How a card payment is heard of, in this process, by the webhook and by reconciliation: every order and number of
 * deliveries, late ones, lost ones, forged ones, and Stripe or the database failing on the way.
 */
import { eq, gt, inArray, isNotNull, lte } from 'drizzle-orm';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import type Stripe from 'stripe';
import { displayPaymentMethod } from '#contract/orders.ts';
import { newId } from '#contract/ids.ts';
import { deliverMail } from '#worker/mail/outbox.ts';
import { forEachAtOnce } from '#worker/operations/at-once.ts';
import { changeOrder, stripeActor, type OrderChange } from '#worker/orders/changes.ts';
import { wholeOrder } from '#worker/orders/read.ts';
import { orders, type OrderRecord } from '#worker/orders/schema.ts';
import { markSeen } from '#worker/payments/attention.ts';
import { confirmPayment } from '#worker/payments/pay.ts';
import { reconcileAll } from '#worker/payments/reconcile.ts';
import { takeMissedEvents } from '#worker/payments/reported.ts';
import { disputes, paymentIntents, payments, refunds as refundsTable } from '#worker/payments/schema.ts';
import { settlePayment } from '#worker/payments/settle.ts';
import { cancelOrder, setPaymentByHand } from '#worker/payments/cancel.ts';
import { fullSize } from '../support/limits.ts';
import { permutations } from '../support/random.ts';
import { administrator, byCustomer, openShop, type Shop } from './orders-shop.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.close());

const ledgerOf = ({ _id }: OrderRecord) => shop.db.select().from(payments).where(eq(payments.orderId, _id));

/** Lets the time pass after which reconciliation looks at an order's intent. */
const letTimePass = ({ _id }: OrderRecord) =>
  shop.db
    .update(paymentIntents)
    .set({ checkAt: Date.now() - 1 })
    .where(eq(paymentIntents.orderId, _id));

test('Deliveries in every order and many copies make one ledger row and one mail', async () => {
  const copies = fullSize ? 20 : 3;
  const { intent } = await shop.newPayment();
  const count = Math.min((await shop.eventsOf(intent)).length, 4);
  expect(count).toBeGreaterThan(1);
  const places = Array.from({ length: count }, (_, index) => index);
  for (const sequence of fullSize ? permutations(places) : permutations(places).slice(-6)) {
    const paid = await shop.newPayment();
    const events = (await shop.eventsOf(paid.intent)).slice(-count);
    await deliverMail(shop.env, () => undefined, shop.db);
    shop.sent.length = 0;
    for (const place of sequence) {
      const event = events[place];
      if (!event) throw new Error('There are as many.');
      const statuses = await Promise.all(Array.from({ length: copies }, () => shop.deliver(event)));
      expect(new Set(statuses)).toEqual(new Set([200]));
    }
    expect(await ledgerOf(paid.order)).toHaveLength(1);
    expect((await shop.readOrder(paid.order)).paymentStatus).toBe('Paid');
    expect(shop.sent.filter(({ subject }) => subject.startsWith('We have your payment'))).toHaveLength(1);
    expect(await shop.findFaults(paid.order._id)).toEqual([]);
  }
});

test('An altered, stale or wrongly signed delivery is refused and writes nothing', async () => {
  const { order, intent } = await shop.newPayment();
  const event = await shop.successOf(intent);
  const body = JSON.stringify(event);
  const hourAgo = Date.now() - 3_600_000;
  const changed = { STRIPE_WEBHOOK_SECRET: 'whsec_changed' };
  expect(await shop.deliver(event, { secret: 'whsec_other' })).toBe(400);
  expect(await shop.deliver(event, { at: hourAgo })).toBe(400);
  expect(await shop.deliver(body.replace('"succeeded"', '"succeeded" '), { signed: body })).toBe(400);
  expect(await shop.deliver(event, { settings: changed })).toBe(400);
  expect(await ledgerOf(order)).toEqual([]);
  expect((await shop.readOrder(order)).paymentStatus).toBe('UnPaid');
  expect(await shop.deliver(event)).toBe(200);
});

test('While secrets are rotated, deliveries signed with either are taken', async () => {
  const settings = { STRIPE_WEBHOOK_SECRET: 'whsec_new, whsec_shop' };
  for (const secret of ['whsec_shop', 'whsec_new']) {
    const { order, intent } = await shop.newPayment();
    expect(await shop.deliver(await shop.successOf(intent), { secret, settings })).toBe(200);
    expect((await shop.readOrder(order)).paymentStatus).toBe('Paid');
  }
});

test('While the database is down Stripe is asked to deliver again', async () => {
  const { order, intent } = await shop.newPayment();
  const event = await shop.successOf(intent);
  const settings = { TURSO_DATABASE_URL: 'http://127.0.0.1:1' };
  expect(await shop.deliver(event, { settings })).toBe(503);
  expect(await shop.deliver(event)).toBe(200);
  expect((await shop.readOrder(order)).paymentStatus).toBe('Paid');
});

test('A payment that neither browser nor webhook told of is found by reconciliation', async () => {
  const { order } = await shop.newPayment();
  const paidAt = Date.now();
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  // The cron fires every minute; a browser may still tell of it in the first two.
  for (const minute of [0, 1, 2, 3, 4]) {
    vi.setSystemTime(paidAt + minute * 60_000);
    await Promise.all([reconcileAll(shop.openPaymentContext()), reconcileAll(shop.openPaymentContext())]);
    if (minute === 0) expect((await shop.readOrder(order)).paymentStatus).toBe('UnPaid');
  }
  expect(await shop.readOrder(order)).toMatchObject({ paymentStatus: 'Paid', paymentMethod: 'Card' });
  expect(await shop.findFaults(order._id)).toEqual([]);
});

test('A payment whose page was opened hours ago is found as soon, and asked about once', async () => {
  const { order, intent } = await shop.newPayment();
  const later = { checkAt: Date.now() + 3_600_000 };
  await shop.db.update(paymentIntents).set(later).where(eq(paymentIntents.orderId, order._id));
  // Somebody else's on the same Stripe account.
  const { id } = await shop.makeForeignIntent();
  await shop.payByCard(id);
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
    expect((await shop.readOrder(order)).paymentStatus).toBe(status);
    if (!isAway) asked.push(...retrieve.mock.calls.map(([one]) => one));
  }
  expect(asked.filter((one) => one === intent.id)).toHaveLength(1);
  expect(asked).not.toContain(id);
  expect(await shop.findFaults(order._id)).toEqual([]);
});

test('An order that is paid from a wallet names it', async () => {
  const order = await shop.newOrder();
  expect(displayPaymentMethod(wholeOrder(order))).toBe('');
  await shop.payByCard(await shop.openPage(order), 'pm_wallet_visa');
  await letTimePass(order);
  await reconcileAll(shop.openPaymentContext());
  const paid = await shop.readOrder(order);
  expect(displayPaymentMethod(wholeOrder(paid))).toBe('Google Pay');
  expect(paid.paymentMethod).toBe('Card');
});

test('A payment that its restored order is paid by, and of which the backup knows no more, is kept', async () => {
  for (const isRefunded of [false, true]) {
    const { order, intent } = await shop.newPayment();
    const change = async (kind: 'paid' | 'refunded', set: OrderChange['set']) => {
      const read = await shop.readOrder(order);
      if (!(await changeOrder(shop.db, read, { kind, by: stripeActor, set })))
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
    expect(await shop.movementsOf(order)).toEqual([['payment', 49_950]]);
    const { data: made } = await shop.stripe.refunds.list({ payment_intent: intent.id });
    expect(made).toHaveLength(isRefunded ? 1 : 0);
    await takeMissedEvents(shop.openPaymentContext(), intent.created * 1_000);
    expect(await shop.movementsOf(order)).toHaveLength(isRefunded ? 2 : 1);
    expect(await shop.findFaults(order._id)).toEqual([]);
    expect(await shop.findBookFaults()).toEqual([]);
  }
});

test('A payment that arrives for a cancelled order goes back, is told to the customer and flagged', async () => {
  const order = await shop.newOrder();
  const intentId = await shop.openPage(order);
  const late = await shop.payByCard(intentId);
  // As if Stripe had cancelled and then, against its word, charged: the order was cancelled on our side meanwhile.
  await shop.db.update(orders).set({ paymentIntentId: '' }).where(eq(orders._id, order._id));
  await cancelOrder(shop.openPaymentContext(), order._id, byCustomer);
  await shop.db.update(orders).set({ paymentIntentId: intentId }).where(eq(orders._id, order._id));
  shop.sent.length = 0;

  const event = await shop.successOf(late);
  const statuses = await Promise.all([1, 2, 3].map(() => shop.deliver(event)));
  expect(statuses).toEqual([200, 200, 200]);
  expect((await shop.readOrder(order)).paymentStatus).toBe('Cancelled');
  expect(await ledgerOf(order)).toMatchObject([{ outcome: 'refunded', refusal: 'cancelled' }]);
  const { data: refunds } = await shop.stripe.refunds.list({ payment_intent: intentId });
  expect(refunds.map(({ amount }) => amount)).toEqual([49_950]);
  await deliverMail(shop.env, () => undefined, shop.db);
  expect(shop.sent.filter(({ subject }) => subject.startsWith('We are returning your payment'))).toHaveLength(
    1,
  );
  expect(await shop.findFaults(order._id)).toEqual([]);

  const flagged = await shop.attentionFor(order);
  expect(flagged).toMatchObject([{ kind: 'refund', orderId: order._id }]);
  await markSeen(shop.db, flagged[0]?._id ?? '', administrator.accountId);
  expect(await shop.attentionFor(order)).toEqual([]);
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
  const before = await shop.readOrder(order);
  const { id } = await shop.makeForeignIntent({
    amount: order.priceCents,
    metadata: { orderId: order._id },
    ...differs,
  });
  const intent = await shop.payByCard(id);
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
  expect(await shop.readOrder(order)).toEqual({ ...before, version: expect.any(Number) as number });
});

test('A payment that is recorded while its order changes is recorded on top of the change', async () => {
  for (const isRefused of [false, true]) {
    const { order, intent } = await shop.newPayment();
    if (isRefused) await shop.db.update(orders).set({ priceCents: 1 }).where(eq(orders._id, order._id));
    let changes = 0;
    const context = shop.openPaymentContext(async (step) => {
      if (!/^(settle|refuse)$/.test(step) || changes > 0) return;
      changes += 1;
      const read = await shop.readOrder(order);
      const set = { customerCompany: 'Ann & Co.' };
      await changeOrder(shop.db, read, { kind: 'billingChanged', by: stripeActor, set });
      // Of a payment that goes back the ledger alone is written, which somebody else may have done first.
      if (isRefused) await settlePayment(shop.openPaymentContext(), intent);
    });
    await settlePayment(context, intent);
    expect(changes).toBe(1);
    expect(await shop.readOrder(order)).toMatchObject({
      customerCompany: 'Ann & Co.',
      paymentStatus: isRefused ? 'UnPaid' : 'Paid',
    });
    expect(await ledgerOf(order)).toMatchObject([{ outcome: isRefused ? 'refunded' : 'settled' }]);
    if (isRefused) await shop.db.update(orders).set({ priceCents: 49_950 }).where(eq(orders._id, order._id));
  }
});

async function payInFull(order: OrderRecord): Promise<Stripe.PaymentIntent> {
  const intent = await shop.payByCard(await shop.openPage(order));
  await settlePayment(shop.openPaymentContext(), intent);
  return intent;
}

async function payAndRefund(order: OrderRecord): Promise<void> {
  const { id } = await payInFull(order);
  await shop.stripe.refunds.create({ payment_intent: id });
  await shop.settleReports();
}

test('A refund that Stripe fails is due until it is done', async () => {
  const { order, intent } = await shop.newPayment();
  await shop.db.update(orders).set({ priceCents: 1 }).where(eq(orders._id, order._id));
  shop.emulator.controls.planFault({ kind: 'error-before', path: '/v1/refunds', count: 3, status: 500 });
  await settlePayment(shop.openPaymentContext(), intent);
  expect(await ledgerOf(order)).toMatchObject([{ outcome: 'refundDue', refusal: 'amountDiffers' }]);
  expect((await shop.attentionFor(order))[0]?.text).toContain('has not returned it yet');
  const [due] = await shop.db.select().from(refundsTable).where(eq(refundsTable.orderId, order._id));
  expect(due?.failure).toBe('');
  expect((due?.checkAt ?? 0) - Date.now()).toBeLessThanOrEqual(60_000);
  shop.emulator.controls.clearFaults({});
  await shop.db.update(refundsTable).set({ checkAt: 0 }).where(eq(refundsTable.orderId, order._id));
  await reconcileAll(shop.openPaymentContext());
  expect(await ledgerOf(order)).toMatchObject([{ outcome: 'refunded' }]);
  await reconcileAll(shop.openPaymentContext());
  const { data: refunds } = await shop.stripe.refunds.list({ payment_intent: intent.id });
  expect(refunds).toHaveLength(1);
  expect((await shop.readOrder(order)).paymentStatus).toBe('UnPaid');
  await shop.db.update(orders).set({ priceCents: 49_950 }).where(eq(orders._id, order._id));
});

test('A refund whose answer was lost is not sent twice', async () => {
  const { order, intent } = await shop.newPayment();
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
  const { order } = await shop.newPayment();
  shop.emulator.controls.planFault({ kind: 'error-before', count: 100, status: 500 });
  for (let tries = 0; tries < 3; tries += 1) {
    expect(await shop.attentionFor(order)).toEqual([]);
    await letTimePass(order);
    await reconcileAll(shop.openPaymentContext());
  }
  shop.emulator.controls.clearFaults({});
  expect(await shop.attentionFor(order)).toMatchObject([{ kind: 'unsettledIntent', orderId: order._id }]);
  await letTimePass(order);
  await reconcileAll(shop.openPaymentContext());
  expect((await shop.readOrder(order)).paymentStatus).toBe('Paid');
  expect(await shop.attentionFor(order)).toEqual([]);
});

test('A payment that an administrator has seen to leaves the list and is settled all the same', async () => {
  const { order } = await shop.newPayment();
  shop.emulator.controls.planFault({ kind: 'error-before', count: 100, status: 500 });
  for (let tries = 0; tries < 3; tries += 1) {
    await letTimePass(order);
    await reconcileAll(shop.openPaymentContext());
  }
  const [flagged] = await shop.attentionFor(order);
  await markSeen(shop.db, flagged?._id ?? '', administrator.accountId);
  await expect(markSeen(shop.db, flagged?._id ?? '', administrator.accountId)).rejects.toMatchObject({
    status: 404,
  });
  await letTimePass(order);
  await reconcileAll(shop.openPaymentContext());
  expect(await shop.attentionFor(order)).toEqual([]);
  shop.emulator.controls.clearFaults({});
  const [open] = await shop.db.select().from(paymentIntents).where(eq(paymentIntents.orderId, order._id));
  expect(open?.checkAt).not.toBeNull();
  await letTimePass(order);
  await reconcileAll(shop.openPaymentContext());
  expect((await shop.readOrder(order)).paymentStatus).toBe('Paid');
});

test('A thousand payments of which nobody has reported are settled or asked about later in two runs, by few calls', async () => {
  await shop.db.update(paymentIntents).set({ checkAt: null });
  const paid: OrderRecord[] = [];
  for (let count = 0; count < (fullSize ? 350 : 20); count += 1) paid.push((await shop.newPayment()).order);
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
  for (const order of paid) expect((await shop.readOrder(order)).paymentStatus).toBe('Paid');
  expect(await shop.db.$count(paymentIntents, isNotNull(paymentIntents.checkAt))).toBe(
    left.filter((index) => index % 10 !== 0).length,
  );
  await shop.db.update(paymentIntents).set({ checkAt: null });
});

test('A payment that was begun with another key neither blocks its order nor alarms anybody', async () => {
  const begun: OrderRecord[] = [];
  for (let count = 0; count < 2; count += 1) {
    const order = await shop.newOrder();
    const known = { paymentIntentId: await shop.openPage(order) };
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
  for (const order of begun) expect(await shop.attentionFor(order)).toEqual([]);
  await expect(confirmPayment(shop.openPaymentContext(), toPay._id)).rejects.toMatchObject({ status: 409 });
  const intent = await shop.payByCard(await shop.openPage(toPay));
  await confirmPayment(shop.openPaymentContext(), toPay._id);
  expect(await shop.readOrder(toPay)).toMatchObject({ paymentStatus: 'Paid', transactionId: intent.id });
  await cancelOrder(shop.openPaymentContext(), toCancel._id, byCustomer);
  expect((await shop.readOrder(toCancel)).paymentStatus).toBe('Cancelled');
});

test('An intent that failed to be made does not block the order', async () => {
  const order = await shop.newOrder();
  shop.emulator.controls.planFault({ kind: 'disconnect-after', method: 'POST', path: '/v1/payment_intents' });
  const intentId = await shop.openPage(order);
  await shop.payByCard(intentId);
  await letTimePass(order);
  await reconcileAll(shop.openPaymentContext());
  expect(await shop.findFaults(order._id)).toEqual([]);
  expect((await shop.readOrder(order)).transactionId).toBe(intentId);
});

test('A page that nobody went on with alarms nobody, and is not asked about once its payment has ended', async () => {
  const order = await shop.newOrder();
  const id = await shop.openPage(order);
  await shop.payByCard(id, 'pm_card_chargeDeclined').catch(() => undefined);
  const isIts = eq(paymentIntents.orderId, order._id);
  await shop.db
    .update(paymentIntents)
    .set({ startedAt: Date.now() - 2 * 86_400_000 })
    .where(isIts);
  const { context, events } = shop.openLogged();
  const look = async () => {
    await letTimePass(order);
    await reconcileAll(context);
    return (await shop.db.select().from(paymentIntents).where(isIts))[0];
  };
  const list = vi.spyOn(context.stripe.charges, 'list').mockRejectedValue(new Error('Stripe is away.'));
  expect(await look()).toMatchObject({ failures: 1, problem: null });
  expect(events).toContain('reconcile.failed');
  list.mockRestore();
  const open = await look();
  expect(open).toMatchObject({ failures: 0, problem: null });
  expect(open?.checkAt).toBeGreaterThan(Date.now() + 3_600_000);
  await shop.stripe.paymentIntents.cancel(id);
  expect(await look()).toMatchObject({ checkAt: null });
});

test('A payment of somebody else’s on the same Stripe account is none of our business', async () => {
  const foreign = await shop.makeForeignIntent({ payment_method: 'pm_card_visa', confirm: true });
  expect(await shop.deliver(await shop.successOf(foreign))).toBe(200);
  const { data: refunds } = await shop.stripe.refunds.list({ payment_intent: foreign.id });
  expect(refunds).toEqual([]);
  const lines: unknown[] = [];
  const context = { ...shop.openPaymentContext(), log: (...line: unknown[]) => void lines.push(line) };
  await settlePayment(context, foreign);
  await settlePayment(context, (await shop.newPayment()).intent);
  const labeled = await shop.makeForeignIntent({
    payment_method: 'pm_card_visa',
    confirm: true,
    metadata: { orderId: newId(), site: 'https://elsewhere.example' },
  });
  await settlePayment(context, labeled);
  expect(lines).toEqual([foreign, labeled].map(({ id }) => ['payment.foreign', { intent: id }]));
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
  const own = await shop.stripe.paymentIntents.retrieve(await shop.openPage(order));
  const foreign = await shop.makeForeignIntent({ payment_method: 'pm_card_visa', confirm: true });
  const claim = {
    object: 'payment_intent',
    status: 'succeeded',
    amount_received: 49_950,
    currency: 'usd',
    metadata: { orderId: order._id },
  };
  for (const id of ['pi_nobody_knows', own.id, foreign.id]) {
    expect(await shop.deliver(forgedEvent({ ...claim, id }))).toBe(200);
    expect((await shop.readOrder(order)).paymentStatus).toBe('UnPaid');
    expect(await ledgerOf(order)).toEqual([]);
  }

  // Nor does one about a declined card, or a refund, of nobody's or of somebody else's.
  for (const id of ['pi_nobody_knows', foreign.id])
    expect(await shop.deliver(forgedEvent({ ...claim, id }, { type: 'payment_intent.payment_failed' }))).toBe(
      200,
    );
  const unknownRefund = { id: 're_nobody_knows', object: 'refund' };
  expect(await shop.deliver(forgedEvent(unknownRefund, { type: 'refund.created' }))).toBe(200);

  // Nor does one about a dispute that Stripe does not know, or that is about somebody else's payment.
  const { id: paymentIntent } = await shop.makeForeignIntent({
    payment_method: 'pm_card_createDispute',
    confirm: true,
  });
  const { data } = await shop.stripe.disputes.list({ payment_intent: paymentIntent });
  const paid = await shop.newPayment();
  for (const id of ['dp_nobody_knows', data[0]?.id]) {
    const dispute = { id, object: 'dispute', payment_intent: paid.intent.id, status: 'lost', amount: 49_950 };
    expect(await shop.deliver(forgedEvent(dispute, { type: 'charge.dispute.closed' }))).toBe(200);
    expect(await shop.db.$count(disputes, eq(disputes.orderId, paid.order._id))).toBe(0);
    expect(await shop.movementsOf(paid.order)).toEqual([]);
  }
});

test('A delivery with as much evidence as a dispute may hold is taken, and none that is larger', async () => {
  const ofLength = (length: number) =>
    forgedEvent(
      { id: 'dp_nobody_knows', object: 'dispute', evidence: { uncategorized_text: '—'.repeat(length) } },
      { type: 'charge.dispute.updated' },
    );
  expect(await shop.deliver(ofLength(150_000))).toBe(200);
  expect(await shop.deliver(ofLength(350_000))).toBe(413);
});

test('A signed event that tells of no object is refused', async () => {
  for (const object of [null, {}, { id: 7 }, { id: '../refunds' }])
    for (const type of ['payment_intent.succeeded', 'charge.dispute.created'])
      expect(await shop.deliver(forgedEvent({}, { type, data: { object } }))).toBe(400);
  expect(await shop.deliver(forgedEvent({}, { data: undefined }))).toBe(400);
});

test('An event of the other mode or of another account is refused', async () => {
  const { order, intent } = await shop.newPayment();
  for (const event of [{ livemode: true }, { account: 'acct_other' }])
    expect(await shop.deliver(forgedEvent(intent, event))).toBe(400);
  expect((await shop.readOrder(order)).paymentStatus).toBe('UnPaid');
  expect(await shop.deliver(forgedEvent(intent))).toBe(200);
  expect((await shop.readOrder(order)).paymentStatus).toBe('Paid');
});

test('While Stripe does not answer, it is asked to deliver its event again', async () => {
  const { order, intent } = await shop.newPayment();
  const event = await shop.successOf(intent);
  shop.emulator.controls.planFault({
    kind: 'error-before',
    path: '/v1/payment_intents',
    count: 3,
    status: 500,
  });
  expect(await shop.deliver(event)).toBe(503);
  shop.emulator.controls.clearFaults({});
  expect(await shop.deliver(event)).toBe(200);
  expect((await shop.readOrder(order)).paymentStatus).toBe('Paid');
});

/** A new order whose payment the bank has not decided on. */
async function newProcessingOrder() {
  const order = await shop.newOrder();
  const method = await shop.stripe.paymentMethods.create({
    type: 'card',
    card: { number: '4000000000002701', exp_month: 12, exp_year: 2040, cvc: '123' },
  });
  const intentId = await shop.openPage(order);
  const intent = await shop.payByCard(intentId, method.id);
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
  expect((await shop.readOrder(order)).paymentStatus).toBe('UnPaid');
  shop.emulator.controls.settlePayment({ paymentIntent: intentId, isApproved: false });
  expect(await cancelOrder(shop.openPaymentContext(), order._id, byCustomer)).toMatchObject({
    paymentStatus: 'Cancelled',
  });
  expect(await shop.findFaults(order._id)).toEqual([]);
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
  expect((await shop.readOrder(order)).paymentStatus).toBe('UnPaid');
  shop.emulator.controls.settlePayment({ paymentIntent: intentId });
  await letTimePass(order);
  await reconcileAll(shop.openPaymentContext());
  expect((await shop.readOrder(order)).paymentStatus).toBe('Paid');
});

test('What waits for an answer of Stripe’s is asked about ever later, up to an hour, and told of from the third time on', async () => {
  const order = await shop.newOrder();
  await shop.openPage(order);
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const { context, events } = shop.openLogged();
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
      const [flagged] = await shop.attentionFor(order);
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
