/**
 * How the site learns about a card payment, by webhook and by reconciliation: duplicate, late, lost, and forged
 * deliveries, and failures of Stripe or the database.
 */
import { eq } from 'drizzle-orm';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import type Stripe from 'stripe';
import { newId } from '#contract/ids.ts';
import { displayPaymentMethod } from '#contract/orders.ts';
import { changeOrder, stripeActor } from '#worker/orders/changes.ts';
import { orders, type OrderRecord } from '#worker/orders/schema.ts';
import { wholeOrder } from '#worker/orders/read.ts';
import { markSeen } from '#worker/attention/attention.ts';
import { confirmPayment } from '#worker/payments/pay.ts';
import { reconcileIntents } from '#worker/payments/reconcile.ts';
import { handleEvent, handleMissedEvents } from '#worker/payments/webhook-events.ts';
import { disputes, paymentIntents, payments } from '#worker/payments/schema.ts';
import { settlePayment } from '#worker/payments/settle.ts';
import { cancelOrder } from '#worker/payments/cancel.ts';
import { webhookEvents, type WebhookEvent } from '#worker/payments/stripe.ts';
import { administrator, byCustomer, openShop, restrictedKey } from './orders-shop.ts';
import { reconcileAll, type Paid } from './payment-steps.ts';

const shop = await openShop();
afterAll(() => shop.close());

const ledgerOf = ({ _id }: OrderRecord) => shop.db.select().from(payments).where(eq(payments.orderId, _id));

/** The row of an order's intent. */
const readIntent = async ({ _id }: OrderRecord) =>
  (await shop.db.select().from(paymentIntents).where(eq(paymentIntents.orderId, _id)))[0];
const setIntent = ({ _id }: OrderRecord, set: Partial<typeof paymentIntents.$inferInsert>) =>
  shop.db.update(paymentIntents).set(set).where(eq(paymentIntents.orderId, _id));
/** Makes an order's intent due for reconciliation. */
const letTimePass = (order: OrderRecord) => setIntent(order, { checkAt: Date.now() - 1 });

test('Duplicate deliveries in reverse order move the money of a payment and its refund once', async () => {
  const { order, intent } = await shop.newPayment();
  shop.emulator.controls.refund({ paymentIntent: intent.id });
  const events = (await shop.eventsOf(intent)).reverse();
  expect(new Set(events.map(({ type }) => type))).toEqual(
    new Set([
      'refund.created',
      'charge.refunded',
      'charge.succeeded',
      'payment_intent.succeeded',
      'payment_intent.created',
    ]),
  );
  await shop.sendMails();
  for (const event of events) {
    const statuses = await Promise.all([1, 2, 3].map(() => shop.deliver(event)));
    expect(statuses).toEqual([200, 200, 200]);
  }
  expect((await shop.readOrder(order)).paymentStatus).toBe('Refunded');
  expect(await ledgerOf(order)).toHaveLength(1);
  expect(await shop.ledgerEntriesOf(order)).toEqual(['payment 49950', 'refund -49950']);
  const sent = await shop.sendMails();
  for (const subject of ['We received your payment', 'We are refunding'])
    expect(sent.filter((mail) => mail.subject.startsWith(subject))).toHaveLength(1);
});

test('While the database or the Stripe API is down, Stripe is asked to deliver its event again', async () => {
  const { order, intent } = await shop.newPayment();
  const event = await shop.successOf(intent);
  const settings = { TURSO_DATABASE_URL: 'http://127.0.0.1:1' };
  expect(await shop.deliver(event, { settings })).toBe(503);
  const fault = { kind: 'error-before', path: '/v1/payment_intents', count: 3, status: 500 } as const;
  shop.emulator.controls.planFault(fault);
  expect(await shop.deliver(event)).toBe(503);
  shop.emulator.controls.clearFaults();
  expect(await shop.deliver(event)).toBe(200);
  expect((await shop.readOrder(order)).paymentStatus).toBe('Paid');
});

test('Reconciliation finds a wallet payment within five minutes when the browser dies and the webhook is lost', async () => {
  const { order } = await shop.newPayment('pm_wallet_visa');
  const paidAt = Date.now();
  vi.useFakeTimers({ toFake: ['Date'] });
  // The cron runs every minute, and leaves the first two minutes to the browser.
  for (const minute of [0, 1, 2, 3, 4]) {
    vi.setSystemTime(paidAt + minute * 60_000);
    await Promise.all([reconcileAll(shop.openPaymentContext()), reconcileAll(shop.openPaymentContext())]);
    if (minute === 0) expect((await shop.readOrder(order)).paymentStatus).toBe('UnPaid');
  }
  const paid = await shop.readOrder(order);
  expect(paid).toMatchObject({ paymentStatus: 'Paid', paymentMethod: 'Card' });
  expect(displayPaymentMethod(wholeOrder(paid))).toBe('Google Pay');
  expect(await shop.findFaults(order._id)).toEqual([]);
});

test('A missed event reveals a payment on a page that was opened hours ago', async () => {
  const { order } = await shop.newPayment();
  await setIntent(order, { checkAt: Date.now() + 3_600_000 });
  for (const [isAway, status] of [
    [true, 'UnPaid'],
    [false, 'Paid'],
    [false, 'Paid'],
  ] as const) {
    const context = shop.openPaymentContext();
    const retrieve = vi.spyOn(context.stripe.paymentIntents, 'retrieve');
    if (isAway) retrieve.mockRejectedValue(new Error('Stripe is down.'));
    await reconcileAll(context);
    const reading = handleMissedEvents(context, Date.now() - 60_000);
    await (isAway ? expect(reading).rejects.toThrow('Stripe is down.') : reading);
    expect((await shop.readOrder(order)).paymentStatus).toBe(status);
  }
  expect(await shop.findFaults(order._id)).toEqual([]);
});

/** The payment of an order after so many declined cards that the order must wait. */
async function newDeclinedPayment(): Promise<Paid> {
  const order = await shop.newOrder();
  const id = await shop.openPage(order);
  for (let count = 0; count < 5; count += 1)
    await shop.payByCard(id, 'pm_card_chargeDeclined').catch(() => undefined);
  return { order, intent: await shop.stripe.paymentIntents.retrieve(id) };
}

const refundOf = async ({ intent }: Paid) =>
  (await shop.stripe.refunds.list({ payment_intent: intent.id })).data[0]?.id;
const statusNow = async ({ order }: Paid) => (await shop.readOrder(order)).paymentStatus;
const refundedNow = async ({ order }: Paid) => (await shop.readOrder(order)).refundedCents;
const disputeNow = async ({ order }: Paid) =>
  (await shop.db.select().from(disputes).where(eq(disputes.orderId, order._id)))[0]?.status;

/** A paid order after a change that only Stripe knows. */
const paidThen = (paymentMethod: string | undefined, change: (paid: Paid) => unknown) => async () => {
  const paid = await shop.newPaidOrder(paymentMethod);
  await change(paid);
  return paid;
};
const refunded = paidThen(undefined, ({ intent }) =>
  shop.emulator.controls.refund({ paymentIntent: intent.id }),
);
/** A refund that the site knows as pending, and that ends with this status at Stripe. */
const refundEnded = (status: 'succeeded' | 'failed') =>
  paidThen('pm_card_pendingRefund', async (paid) => {
    await shop.refund(paid.order);
    shop.emulator.controls.settleRefund({ refund: (await refundOf(paid)) ?? '', status });
  });
const failedNow = async ({ order }: Paid) => (await shop.attentionFor(order)).map(({ kind }) => kind);
const disputed = (outcome?: 'won' | 'lost' | 'under_review') =>
  paidThen(
    'pm_card_createDispute',
    ({ intent }) => outcome && shop.emulator.controls.dispute({ paymentIntent: intent.id, outcome }),
  );

/**
 * For each type of event about one payment that the site subscribes to: what happens at Stripe, and what the site
 * learns from that event alone.
 */
const reports: Readonly<
  Record<
    Exclude<WebhookEvent, `invoice.${string}` | `customer.${string}`>,
    readonly [() => Promise<Paid>, (paid: Paid) => Promise<unknown>, unknown]
  >
> = {
  'payment_intent.succeeded': [() => shop.newPayment(), statusNow, 'Paid'],
  'payment_intent.payment_failed': [
    newDeclinedPayment,
    async ({ intent }) => (await shop.stripe.paymentIntents.retrieve(intent.id)).status,
    'canceled',
  ],
  'charge.refunded': [refunded, refundedNow, 49_950],
  'refund.created': [refunded, refundedNow, 49_950],
  'refund.updated': [refundEnded('succeeded'), statusNow, 'Refunded'],
  'refund.failed': [refundEnded('failed'), failedNow, ['failedRefund']],
  'radar.early_fraud_warning.created': [
    paidThen(undefined, ({ intent }) => shop.emulator.controls.warnOfFraud({ paymentIntent: intent.id })),
    failedNow,
    ['fraudWarning'],
  ],
  'charge.dispute.created': [disputed(), disputeNow, 'needs_response'],
  'charge.dispute.funds_withdrawn': [disputed(), disputeNow, 'needs_response'],
  'charge.dispute.updated': [disputed('under_review'), disputeNow, 'under_review'],
  'charge.dispute.closed': [disputed('lost'), disputeNow, 'lost'],
  'charge.dispute.funds_reinstated': [disputed('won'), disputeNow, 'won'],
};

test.each(Object.entries(reports))(
  '%s alone tells the site what happened, even with a restricted key',
  async (type, [happen, known, expected]) => {
    const paid = await happen();
    expect(await known(paid)).not.toEqual(expected);
    // Stripe delivers what the endpoint subscribed to, and nothing else.
    const asked: readonly string[] = webhookEvents;
    const [event] = (await shop.eventsOf(paid.intent)).filter(
      (one) => one.type === type && asked.includes(one.type),
    );
    expect(event && (await shop.deliver(event, { settings: { STRIPE_SECRET_KEY: restrictedKey } }))).toBe(
      200,
    );
    expect(await known(paid)).toEqual(expected);
  },
);

test.each<
  [string, (order: OrderRecord) => Promise<unknown>, Partial<Stripe.PaymentIntentCreateParams>, string]
>([
  ['comes twice', payInFull, {}, 'paidAlready'],
  ['comes after a refund', payAndRefund, {}, 'refunded'],
  ['is a cent too much', () => Promise.resolve(), { amount: 49_951 }, 'amountDiffers'],
  ['is in another currency', () => Promise.resolve(), { currency: 'eur' }, 'amountDiffers'],
])(
  'A payment that %s is refunded in full and does not change its order',
  async (_, begin, differs, refusal) => {
    const order = await shop.newOrder();
    await begin(order);
    const before = await shop.readOrder(order);
    const { id } = await shop.makeForeignIntent({
      amount: order.priceCents,
      metadata: { orderId: order._id },
      ...differs,
    });
    const intent = await shop.payByCard(id);
    // Webhook and browser report the payment at the same time.
    const { context, events } = shop.openLogged();
    await Promise.all([1, 2].map(() => settlePayment(context, intent)));
    expect(events).toEqual(['payment.refused']);
    expect((await ledgerOf(order)).filter((payment) => payment.paymentIntentId === id)).toMatchObject([
      { outcome: 'refunded', refusal, amountCents: intent.amount_received },
    ]);
    const { data } = await shop.stripe.refunds.list({ payment_intent: id });
    expect(data.map(({ amount }) => amount)).toEqual([intent.amount_received]);
    expect(await shop.readOrder(order)).toEqual({ ...before, version: expect.any(Number) as number });
  },
);

test('A page that opens after the payment, but before its webhook, records the payment and takes no other', async () => {
  const { order } = await shop.newPayment();
  await expect(shop.openPage(order)).rejects.toMatchObject({
    status: 409,
    message: 'This order is already paid. Nothing more is due.',
  });
  expect(await shop.readOrder(order)).toMatchObject({ paymentStatus: 'Paid' });
});

test('A payment is recorded even if its order changes at the same time', async () => {
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
      // A rival records the same refused payment first.
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

test('An intent of another Stripe account neither blocks its order nor needs attention', async () => {
  const begun: OrderRecord[] = [];
  for (let count = 0; count < 2; count += 1) {
    const order = await shop.newOrder();
    await shop.openPage(order);
    const unknown = { paymentIntentId: `pi_of_another_key_${count}` };
    await shop.db.update(orders).set(unknown).where(eq(orders._id, order._id));
    await setIntent(order, unknown);
    begun.push(order);
    await letTimePass(order);
  }
  await reconcileAll(shop.openPaymentContext());
  const [toPay, toCancel] = begun;
  if (!toPay || !toCancel) throw new Error('There are two.');
  for (const order of begun) {
    expect(await shop.attentionFor(order)).toEqual([]);
    expect((await readIntent(order))?.failures).toBe(0);
  }
  await expect(confirmPayment(shop.openPaymentContext(), toPay._id)).rejects.toMatchObject({ status: 409 });
  const intent = await shop.payByCard(await shop.openPage(toPay));
  await confirmPayment(shop.openPaymentContext(), toPay._id);
  expect(await shop.readOrder(toPay)).toMatchObject({ paymentStatus: 'Paid', transactionId: intent.id });
  await cancelOrder(shop.openPaymentContext(), toCancel._id, byCustomer);
  expect((await shop.readOrder(toCancel)).paymentStatus).toBe('Cancelled');
});

test('An abandoned payment page needs no attention, and reconciliation stops once its intent is canceled', async () => {
  const order = await shop.newOrder();
  const id = await shop.openPage(order);
  await shop.payByCard(id, 'pm_card_chargeDeclined').catch(() => undefined);
  await setIntent(order, { startedAt: Date.now() - 2 * 86_400_000 });
  const { context, events } = shop.openLogged();
  const look = async () => {
    await letTimePass(order);
    await reconcileAll(context);
    return readIntent(order);
  };
  const list = vi.spyOn(context.stripe.charges, 'list').mockRejectedValue(new Error('Stripe is down.'));
  expect(await look()).toMatchObject({ failures: 1, problem: null });
  expect(events).toContain('reconcile.failed');
  list.mockRestore();
  const open = await look();
  expect(open).toMatchObject({ failures: 0, problem: null });
  expect(open?.checkAt).toBeGreaterThan(Date.now() + 3_600_000);
  await shop.stripe.paymentIntents.cancel(id);
  expect(await look()).toMatchObject({ checkAt: null });
});

test('Payments of another site on the same Stripe account are ignored', async () => {
  const foreign = await shop.makeForeignIntent({ payment_method: 'pm_card_visa', confirm: true });
  expect(await shop.deliver(await shop.successOf(foreign))).toBe(200);
  const { data: refunds } = await shop.stripe.refunds.list({ payment_intent: foreign.id });
  expect(refunds).toEqual([]);
  const { context, events } = shop.openLogged();
  await settlePayment(context, foreign);
  await settlePayment(context, (await shop.newPayment()).intent);
  const labeled = await shop.makeForeignIntent({
    payment_method: 'pm_card_visa',
    confirm: true,
    metadata: { orderId: newId(), site: 'https://elsewhere.example' },
  });
  await settlePayment(context, labeled);
  expect(events).toEqual(['payment.foreign', 'payment.foreign']);
});

test('Refunds and disputes of another site on the same Stripe account are ignored', async () => {
  const { context, events } = shop.openLogged();
  const makeForeign = (card: string) => shop.makeForeignIntent({ payment_method: card, confirm: true });
  const refunded = await makeForeign('pm_card_visa');
  await shop.stripe.refunds.create({ payment_intent: refunded.id });
  const disputed = await makeForeign('pm_card_createDispute');
  for (const foreign of [refunded, disputed])
    for (const event of await shop.eventsOf(foreign)) await handleEvent(context, event);
  expect(new Set(events)).toEqual(new Set(['payment.foreign', 'refund.foreign', 'dispute.unknown']));
  for (const { id } of [refunded, disputed])
    expect(await shop.db.$count(payments, eq(payments.paymentIntentId, id))).toBe(0);
});

test('A handled payment of a missing order stays handled when Stripe reports it again', async () => {
  const intent = await shop.makeForeignIntent({
    payment_method: 'pm_card_visa',
    confirm: true,
    metadata: { orderId: newId(), site: shop.env.SITE_URL },
  });
  const context = shop.openPaymentContext();
  const isOfIntent = eq(paymentIntents.paymentIntentId, intent.id);
  const read = () => shop.db.select().from(paymentIntents).where(isOfIntent);
  await settlePayment(context, intent);
  const [lost] = await read();
  expect(lost?.problem).toContain('for an order that is no longer in the database');
  await markSeen(shop.db, lost?._id ?? '', administrator.accountId);
  await settlePayment(context, intent);
  const { accountId: seenBy } = administrator;
  expect(await read()).toEqual([{ ...lost, seenBy, seenAt: expect.any(Number) as number }]);

  // Handling an earlier problem with the payment does not handle this one.
  const before = { orderId: newId(), problem: 'Stripe gave no usable answer.', checkAt: 1, failures: 3 };
  await shop.db.update(paymentIntents).set(before).where(isOfIntent);
  await settlePayment(context, intent);
  expect(await read()).toEqual([lost]);
});

/** A success event that anyone who knows the webhook secret could write. */
const forgedEvent = (object: object, event: object = {}) =>
  JSON.stringify({
    id: 'evt_forged',
    object: 'event',
    type: 'payment_intent.succeeded',
    livemode: false,
    data: { object },
    ...event,
  });

test('A forged event with a valid signature changes nothing that Stripe does not confirm', async () => {
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
    expect(await shop.ledgerEntriesOf(paid.order)).toEqual([]);
  }

  const unknown = { payment_intent: paid.intent.id, status: 'succeeded', amount: 49_950 };
  for (const [id, type] of [
    ['re_nobody_knows', 'refund.updated'],
    ['ch_nobody_knows', 'charge.refunded'],
  ])
    expect(await shop.deliver(forgedEvent({ ...unknown, id }, { type }))).toBe(200);
});

test('The webhook accepts the largest dispute that Stripe sends, and nothing larger', async () => {
  const ofLength = (length: number) =>
    forgedEvent(
      { id: 'dp_nobody_knows', object: 'dispute', evidence: { uncategorized_text: '—'.repeat(length) } },
      { type: 'charge.dispute.updated' },
    );
  expect(await shop.deliver(ofLength(150_000))).toBe(200);
  expect(await shop.deliver(ofLength(350_000))).toBe(413);
});

test('A signed event without a valid object is refused', async () => {
  for (const object of [null, {}, { id: 7 }, { id: '../refunds' }, { id: 'pi_1/refunds' }])
    expect(await shop.deliver(forgedEvent({}, { data: { object } }))).toBe(400);
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

/** A new order whose payment the bank is still processing. */
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

test('An order with a processing payment can be neither cancelled nor marked as paid', async () => {
  const { order, intentId } = await newProcessingOrder();
  for (const attempt of [
    cancelOrder(shop.openPaymentContext(), order._id, byCustomer),
    shop.setPayment(order, 'Paid'),
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

test('A processing payment is left alone until the bank decides, and needs attention after a day', async () => {
  const { order, intentId } = await newProcessingOrder();
  const readProblem = async (startedAt: number) => {
    await setIntent(order, { startedAt });
    await letTimePass(order);
    await reconcileAll(shop.openPaymentContext());
    const open = await readIntent(order);
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

test('A run of reconciliation asks about 1,000 intents and records about 300 payments, for a minute at most', async () => {
  const flooded = await openShop();
  onTestFinished(() => flooded.close());
  vi.useFakeTimers({ toFake: ['Date'] });
  const ids = Array.from({ length: 1_001 }, (_, index) => `pi_flood_${index}`);
  await flooded.db
    .insert(paymentIntents)
    .values(ids.map((id) => ({ _id: newId(), paymentIntentId: id, orderId: '', startedAt: 1, checkAt: 1 })));
  const context = flooded.openPaymentContext();
  const cancel = vi
    .spyOn(context.stripe.paymentIntents, 'cancel')
    .mockImplementation((id) => Promise.resolve({ id, status: 'canceled' } as never));
  await reconcileIntents(context);
  expect(cancel).toHaveBeenCalledTimes(1_000);
  await reconcileIntents(context);
  expect(cancel).toHaveBeenCalledTimes(1_001);

  await flooded.db.update(paymentIntents).set({ checkAt: 1 });
  cancel.mockClear().mockImplementation((id) => {
    vi.setSystemTime(Date.now() + 60_000);
    return Promise.resolve({ id, status: 'canceled' } as never);
  });
  await reconcileIntents(context);
  expect(cancel.mock.calls.length).toBeLessThan(20);

  // To record a payment takes more requests.
  await flooded.db.update(paymentIntents).set({ checkAt: 1 });
  const paid = { status: 'succeeded', amount_received: 1, created: 1 };
  cancel.mockClear().mockImplementation((id) => Promise.resolve({ id, ...paid } as never));
  await reconcileIntents(context);
  expect(cancel.mock.calls.length).toBeGreaterThanOrEqual(300);
  expect(cancel.mock.calls.length).toBeLessThan(320);
});

test('Retries of reconciliation wait longer and longer, up to an hour, and the third failure needs attention', async () => {
  const order = await shop.newOrder();
  await shop.openPage(order);
  vi.useFakeTimers({ toFake: ['Date'] });
  const { context, events } = shop.openLogged();
  const retrieve = vi.spyOn(context.stripe.paymentIntents, 'retrieve');
  retrieve.mockRejectedValue(new Error('Stripe is down.'));
  const read = async () => {
    const { failures, checkAt, problem, seenBy } = (await readIntent(order)) ?? {};
    return [failures, ((checkAt ?? 0) - Date.now()) / 60_000, problem, seenBy ?? null];
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
  retrieve.mockRestore();
  await letTimePass(order);
  await reconcileAll(context);
  expect(await read()).toEqual([0, 2, null, null]);
});
