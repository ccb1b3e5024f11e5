/**
 * Refunds: full and partial, concurrent, from Stripe's dashboard, pending and failing later, and with failures of
 * Stripe. At the end of the file, the ledger, the orders and Stripe's books must agree.
 */
import { asc, eq } from 'drizzle-orm';
import Stripe from 'stripe';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import type { Account } from '#contract/accounts.ts';
import { newId, timeOfId } from '#contract/ids.ts';
import type { OrderRefunds } from '#contract/refunds.calls.ts';
import { auditEvents } from '#worker/audit/schema.ts';
import { ApiError } from '#worker/http/errors.ts';
import { jobRuns } from '#worker/operations/schema.ts';
import { deliverOrder } from '#worker/fulfillment/deliver.ts';
import { readOrderWork } from '#worker/fulfillment/progress.ts';
import { orderEvents, orders, type OrderRecord } from '#worker/orders/schema.ts';
import { readTotals } from '#worker/orders/totals.ts';
import { markSeen } from '#worker/attention/attention.ts';
import { cancelOrder } from '#worker/payments/cancel.ts';
import type { Step } from '#worker/payments/context.ts';
import { readWholeLedger } from '#worker/payments/ledger.ts';
import { confirmPayment, requestPaymentIntent } from '#worker/payments/pay.ts';
import { recordRun } from '#worker/operations/jobs.ts';
import { reconcileRefunds, refundOrder } from '#worker/payments/refund-requests.ts';
import { reconcileEvents } from '#worker/payments/reconcile.ts';
import { recordRefund } from '#worker/payments/refunds.ts';
import { handleMissedEvents } from '#worker/payments/webhook-events.ts';
import { disputes, ledger, payments, refunds, type RefundRecord } from '#worker/payments/schema.ts';
import { settlePayment } from '#worker/payments/settle.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { administrator, byCustomer, customer, openShop, price, staff, stranger } from './orders-shop.ts';

const priceCents = 49_950;

const shop = await openShop();
afterAll(() => shop.close());

const readEvents = ({ _id }: OrderRecord) =>
  shop.db.select().from(orderEvents).where(eq(orderEvents.orderId, _id)).orderBy(asc(orderEvents.version));
const readRefunds = ({ _id }: OrderRecord) =>
  shop.db.select().from(refunds).where(eq(refunds.orderId, _id)).orderBy(asc(refunds._id));
/** The audit log entries about an order's refunds, oldest first. */
async function readAudit({ _id }: OrderRecord): Promise<string[]> {
  const audited = shop.db.select().from(auditEvents).where(eq(auditEvents.recordId, _id));
  return (await audited.orderBy(auditEvents.sequence)).map(({ details }) => details);
}
const refundsAtStripe = async ({ id }: Stripe.PaymentIntent) =>
  (await shop.stripe.refunds.list({ payment_intent: id, limit: 100 })).data;

const refundsPath = ({ _id }: OrderRecord) => `/order/${_id}/refunds`;
/** The refunds of an order as an account reads them. */
const listRefunds = async (order: OrderRecord, account = staff) =>
  (await shop.callAs(account, 'GET', refundsPath(order))).json as OrderRefunds;

/** Runs reconciliation when an order's refunds are due. */
async function reconcileLater({ _id }: OrderRecord, context = shop.openPaymentContext()): Promise<void> {
  await shop.db.update(refunds).set({ checkAt: 0 }).where(eq(refunds.orderId, _id));
  await reconcileRefunds(context);
}

/** The emails that the customer got about an order since the last call. */
async function readMails({ number }: OrderRecord): Promise<string[]> {
  return (await shop.sendMails())
    .filter(({ to, text }) => to === customer.email && text.includes(`#${number}`))
    .map(({ subject, text }) => `${subject}\n${text}`);
}

/** What Stripe's client throws for an error response, or for no response. */
const stripeError = (type: Stripe.RawErrorType, statusCode: number) =>
  Stripe.errors.StripeError.generate({ type, statusCode, message: 'No.' });
const connectionError = () => new Stripe.errors.StripeConnectionError({ message: 'Cut.' });

const refusal = async (work: Promise<unknown>): Promise<ApiError> => {
  const thrown = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (thrown instanceof ApiError) return thrown;
  throw new Error(`Not refused: ${String(thrown)}`);
};

test('An administrator refunds an order in parts, its customer gets an email for each, and the last one makes it Refunded', async () => {
  const { order, intent } = await shop.newPaidOrder();
  const before = await readTotals(shop.db, customer.id);
  await readMails(order);
  const part = await shop.refund(order, {
    amountCents: 10_000,
    reason: 'duplicate',
    note: 'Sorry for the delay.',
  });
  expect(await shop.readOrder(order)).toMatchObject({ paymentStatus: 'Paid', refundedCents: 10_000 });
  expect(await readTotals(shop.db, customer.id)).toMatchObject({
    paidCents: before.paidCents,
    afterRefundsCents: before.afterRefundsCents - 10_000,
  });
  const [mail = ''] = await readMails(order);
  expect(mail).toContain('We are refunding $100');
  expect(mail).not.toContain('fully refunded');
  expect(mail).toContain('The refund goes to your original payment method.');
  expect(mail).toContain('Sorry for the delay.');
  expect(mail).toContain(`/credit-note/${part._id}`);

  expect(await refusal(shop.refund(order, { amountCents: 39_951 }))).toMatchObject({
    status: 409,
    message: 'Only $399.50 of this payment is left to refund.',
    extensions: { left: '399.50' },
  });
  await shop.refund(order);
  expect(await shop.readOrder(order)).toMatchObject({ paymentStatus: 'Refunded', refundedCents: priceCents });
  expect(await readMails(order)).toEqual([
    expect.stringContaining('Your order is now fully refunded and closed.'),
  ]);
  expect((await readTotals(shop.db, customer.id)).paidCents).toBe(before.paidCents - priceCents);
  expect((await refundsAtStripe(intent)).map(({ amount, reason }) => [amount, reason])).toEqual([
    [39_950, null],
    [10_000, 'duplicate'],
  ]);
  expect(await shop.ledgerEntriesOf(order)).toEqual(['payment 49950', 'refund -10000', 'refund -39950']);
  expect((await readEvents(order)).slice(-2).map(({ kind, role, after }) => [kind, role, after])).toEqual([
    ['refunded', 'administrator', { amount: '100', refundedCents: '10000' }],
    [
      'refunded',
      'administrator',
      { amount: '399.50', isWhole: 'yes', refundedCents: '49950', paymentStatus: 'Refunded' },
    ],
  ]);
  expect((await refusal(shop.refund(order))).status).toBe(409);
});

test('A refunded order accepts no payment, no delivery, and no other status', async () => {
  const { order } = await shop.newPaidOrder();
  await shop.refund(order);
  const refunded = await shop.readOrder(order);
  const context = shop.openPaymentContext();
  for (const attempt of [
    () => shop.setPayment(order, 'UnPaid'),
    () => shop.setPayment(order, 'Paid'),
    () => confirmPayment(context, order._id),
    () => requestPaymentIntent(context, order._id, price, customer),
    () => cancelOrder(context, order._id, byCustomer),
    () => deliverOrder(shop, refunded, administrator),
  ])
    expect(await refusal(attempt())).toMatchObject({
      status: 409,
      extensions: { paymentStatus: 'Refunded' },
    });
  expect((await shop.readOrder(order)).paymentStatus).toBe('Refunded');
});

test('Requests with the same idempotency key make one refund, even if they arrive at the same time, and never another amount', async () => {
  const { order, intent } = await shop.newPaidOrder();
  const request = { amountCents: 5_000, idempotencyKey: newId() };
  const both = await Promise.all([
    shop.refund(order, request),
    shop.refund(order, request),
    shop.refund(order, request),
  ]);
  expect(new Set(both.map(({ _id }) => _id)).size).toBe(1);
  expect((await shop.refund(order, request))._id).toBe(both[0]._id);
  expect(await refundsAtStripe(intent)).toHaveLength(1);
  expect(await readAudit(order)).toHaveLength(1);
  for (const other of [
    { amountCents: 6_000 },
    { amountCents: undefined },
    { reason: 'duplicate' },
    { note: 'Other' },
  ] as const)
    expect((await refusal(shop.refund(order, { ...request, ...other }))).status).toBe(422);
  // A key belongs to the administrator who sent it.
  const own = { ...request, reason: undefined, note: '' };
  const colleague = { role: 'administrator', accountId: newId() } as const;
  const theirs = await refundOrder(shop.openPaymentContext(), order._id, own, colleague);
  expect(theirs._id).not.toBe(both[0]._id);
  // A request without an amount means what was left when the request was made.
  const rest = { idempotencyKey: newId() };
  const made = await shop.refund(order, rest);
  expect(await shop.refund(order, rest)).toMatchObject({ _id: made._id, amountCents: priceCents - 10_000 });
});

test.each([
  ['succeeded', 'pm_card_visa', 30_000],
  // The card's bank has not returned the money yet. The refund is still reserved.
  ['pending', 'pm_card_pendingRefund', 0],
])(
  'If two concurrent refunds exceed the payment, one is refused at whichever step they meet: %s ones',
  async (status, card, refundedCents) => {
    for (let nth = 1, steps = 1; nth <= steps; nth += 1) {
      const { order, intent } = await shop.newPaidOrder(card);
      steps = 0;
      const ends: unknown[] = [];
      const part = { amountCents: 30_000 };
      const context = shop.openPaymentContext(async () => {
        steps += 1;
        if (steps === nth) ends.push(await settled(shop.refund(order, part)));
      });
      ends.push(await settled(shop.refund(order, part, context)));
      // The reservation refuses it without calling Stripe.
      const refusals = ends.filter((end) => end instanceof ApiError);
      expect(refusals).toMatchObject([{ status: 409, extensions: { left: '199.50' } }]);
      expect((await refundsAtStripe(intent)).map(({ amount }) => amount)).toEqual([30_000]);
      expect(await readRefunds(order)).toMatchObject([{ status }]);
      expect(await shop.readOrder(order)).toMatchObject({ paymentStatus: 'Paid', refundedCents });
    }
  },
);

/** The result of a promise, or its error. */
const settled = <T>(work: Promise<T>): Promise<T | Error> =>
  work.catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))));

test('A pending refund reserves its money, and its failure is reversed and reported to the customer', async () => {
  const { order, intent } = await shop.newPaidOrder('pm_card_pendingRefund');
  await readMails(order);
  const request = { idempotencyKey: newId() };
  const pending = await shop.refund(order, request);
  expect(pending.status).toBe('pending');
  expect((pending.checkAt ?? 0) - pending.changedAt).toBe(3_600_000);
  expect(await shop.readOrder(order)).toMatchObject({ paymentStatus: 'Paid', refundedCents: 0 });
  expect(await refusal(shop.refund(order))).toMatchObject({
    message: 'Everything paid for this order has already been refunded, or the refund is on its way.',
    extensions: { left: '0' },
  });
  expect(await readMails(order)).toEqual([expect.stringContaining('We are refunding $499.50')]);
  expect(await shop.attentionFor(order)).toEqual([]);
  const workOf = () => readOrderWork(shop.db, shop.env, order._id, customer);
  expect(await workOf()).toMatchObject({ refund: 'refundStarted' });

  shop.emulator.controls.settleRefund({ refund: pending.refundId ?? '', status: 'failed' });
  await shop.reportAll(intent);
  await shop.reportAll(intent);
  expect(await shop.readOrder(order)).toMatchObject({ paymentStatus: 'Paid', refundedCents: 0 });
  expect(await workOf()).toMatchObject({ refund: 'refundFailed' });
  expect(await readRefunds(order)).toMatchObject([{ status: 'failed', checkAt: null }]);
  expect(await shop.ledgerEntriesOf(order)).toEqual(['payment 49950', 'refund -49950', 'refundFailed 49950']);
  expect(await readMails(order)).toEqual([expect.stringContaining('Your refund did not go through')]);
  const [item] = await shop.attentionFor(order);
  expect(item).toMatchObject({ kind: 'failedRefund' });
  expect(item?.text).toContain(
    'did not go through, and the money is back with you. Stripe says: expired or canceled card.',
  );
  await markSeen(shop.db, item?._id ?? '', administrator.accountId);
  expect(await shop.attentionFor(order)).toEqual([]);
  expect((await readEvents(order)).slice(-2).map(({ kind, after }) => [kind, after])).toEqual([
    ['refundStarted', { amount: price, isWhole: 'yes' }],
    ['refundFailed', { amount: price, isWhole: 'yes' }],
  ]);
  expect(await shop.refund(order, request)).toMatchObject({ status: 'failed', _id: pending._id });
  const failureFor = async (account: Account) => (await listRefunds(order, account)).refunds[0]?.failure;
  expect([await failureFor(staff), await failureFor(customer)]).toEqual(['expired_or_canceled_card', '']);
  expect((await shop.refund(order)).status).toBe('pending');
});

test('A full refund that fails after it succeeded makes the order Paid again, even if the old status arrives last', async () => {
  const { order, intent } = await shop.newPaidOrder('pm_card_refundFail');
  const made = await shop.refund(order);
  const asItWas = await shop.stripe.refunds.retrieve(made.refundId ?? '');
  expect((await shop.readOrder(order)).paymentStatus).toBe('Refunded');
  shop.emulator.controls.settleRefund({ refund: made.refundId ?? '', status: 'failed' });
  await shop.reportAll(intent);
  await recordRefund(shop.openPaymentContext(), asItWas);
  expect(await shop.readOrder(order)).toMatchObject({ paymentStatus: 'Paid', refundedCents: 0 });
  expect(await readRefunds(order)).toMatchObject([{ status: 'failed', failure: 'expired_or_canceled_card' }]);
});

/** A payment that arrives after its order was cancelled. */
async function newLatePayment(paymentMethod?: string) {
  const paid = await shop.newPayment(paymentMethod);
  await shop.db.update(orders).set({ paymentIntentId: '' }).where(eq(orders._id, paid.order._id));
  await cancelOrder(shop.openPaymentContext(), paid.order._id, byCustomer);
  return paid;
}
const setIntentId = ({ _id }: OrderRecord, paymentIntentId: string) =>
  shop.db.update(payments).set({ paymentIntentId }).where(eq(payments.orderId, _id));
const textsFor = async (order: OrderRecord) => (await shop.attentionFor(order)).map(({ text }) => text);

test('An automatic refund is retried until a wrong setting is fixed, and the administrator sees one line about it', async () => {
  const causes = [
    [401, ''],
    [403, ''],
    [404, "No such payment_intent: 'pi_of_another_key'"],
  ] as const;
  for (const [status, words] of causes) {
    const { order, intent } = await newLatePayment();
    const fault = { kind: 'error-before', path: '/v1/refunds', status, count: 2 } as const;
    if (status !== 404) shop.emulator.controls.planFault(fault);
    const dies = (step: Step) =>
      step === 'send refund' && status === 404
        ? Promise.reject(new Error('The Worker dies.'))
        : Promise.resolve();
    await settlePayment(shop.openPaymentContext(dies), intent);
    expect(await textsFor(order)).toEqual([
      expect.stringContaining('not returned it yet, and we will keep trying'),
    ]);
    await shop.db.update(refunds).set({ at: 1 }).where(eq(refunds.orderId, order._id));
    if (status === 404) {
      await setIntentId(order, 'pi_of_another_key');
      await reconcileLater(order);
    }
    expect(await textsFor(order)).toEqual([
      expect.stringContaining(`has not reached Stripe yet. We will keep sending it. Stripe says: ${words}`),
    ]);
    const [waiting] = await readRefunds(order);
    expect(waiting?.checkAt).toBeGreaterThan(Date.now() + 30 * 60_000);
    shop.emulator.controls.clearFaults();
    await setIntentId(order, intent.id);
    await reconcileLater(order);
    expect(await textsFor(order)).toEqual([expect.stringContaining('We returned it in full')]);
    expect(await refundsAtStripe(intent)).toHaveLength(1);
  }
});

test('An automatic refund returns what a partial refund in Stripe’s dashboard has left, and the customer gets one email', async () => {
  const { order, intent } = await newLatePayment();
  shop.emulator.controls.refund({ paymentIntent: intent.id, amount: 10_000 });
  await readMails(order);
  const context = shop.openPaymentContext();
  const create = vi.spyOn(context.stripe.refunds, 'create');
  await settlePayment(context, intent);
  expect((await refundsAtStripe(intent)).map(({ amount }) => amount)).toEqual([39_950, 10_000]);
  const row = (await readRefunds(order)).find(({ amountCents }) => amountCents === 39_950);
  expect(create.mock.lastCall).toMatchObject([
    { amount: 39_950, metadata: { orderId: order._id, refund: row?._id } },
    { idempotencyKey: `refund-${row?._id ?? ''}-1` },
  ]);
  expect(await readRefunds(order)).toMatchObject([
    { amountCents: 39_950, failures: 1 },
    { amountCents: 10_000, failures: 0 },
  ]);
  expect(await textsFor(order)).toEqual([expect.stringContaining('We returned it in full')]);
  expect(await shop.ledgerEntriesOf(order)).toEqual(['payment 49950', 'refund -10000', 'refund -39950']);
  expect((await readMails(order)).map((mail) => mail.split(':')[0])).toEqual([
    'We are refunding your payment',
  ]);
});

test('A payment that was already refunded in Stripe’s dashboard is not refunded again', async () => {
  const { order, intent } = await newLatePayment();
  const amounts = [10_000, 39_950];
  for (const amount of amounts) shop.emulator.controls.refund({ paymentIntent: intent.id, amount });
  const { created } = (await refundsAtStripe(intent)).at(-1) ?? { created: 0 };
  const { context, events } = shop.openLogged();
  await settlePayment(context, intent);
  expect(events).toEqual(['payment.refused']);
  await reconcileLater(order);
  expect(await refundsAtStripe(intent)).toHaveLength(2);
  const rows = await readRefunds(order);
  expect(rows.map(({ amountCents, status }) => [amountCents, status])).toEqual(
    amounts.map((amount) => [amount, 'succeeded']),
  );
  // The credit note has the time at which Stripe made the refund.
  expect(timeOfId(rows[0]?._id ?? '')).toBeGreaterThanOrEqual(created * 1_000);
  expect(await textsFor(order)).toEqual([expect.stringContaining('We returned it in full')]);
});

test('A refund from Stripe’s dashboard completes the pending refund of a late payment, and the customer gets one email', async () => {
  const { order, intent } = await newLatePayment();
  const context = shop.openPaymentContext();
  vi.spyOn(context.stripe.refunds, 'create').mockRejectedValue(stripeError('api_error', 500));
  await settlePayment(context, intent);
  const [waiting] = await readRefunds(order);
  expect(waiting).toMatchObject({ status: 'pending', refundId: null, amountCents: 49_950 });
  await readMails(order);
  shop.emulator.controls.refund({ paymentIntent: intent.id });
  await shop.reportAll(intent);
  const [{ id } = { id: '' }, ...others] = await refundsAtStripe(intent);
  expect([await readRefunds(order), others]).toMatchObject([
    [{ _id: waiting?._id, status: 'succeeded', refundId: id, checkAt: null }],
    [],
  ]);
  expect(await readMails(order)).toEqual([expect.stringContaining('We are refunding your payment')]);
});

test('The reason that somebody chose in Stripe’s dashboard is recorded, and a reason that only Stripe uses is not', async () => {
  const { order, intent } = await shop.newPaidOrder();
  for (const reason of ['requested_by_customer', 'expired_uncaptured_charge'] as const) {
    shop.emulator.controls.refund({ paymentIntent: intent.id, amount: 5_000 });
    const [made] = await refundsAtStripe(intent);
    if (made) await recordRefund(shop.openPaymentContext(), { ...made, reason });
  }
  expect((await readRefunds(order)).map(({ reason }) => reason)).toEqual(['requested_by_customer', null]);
});

test('An automatic refund that Stripe refuses appears once on the list of what needs attention', async () => {
  const { order, intent } = await newLatePayment();
  const fault = { kind: 'error-before', method: 'POST', path: '/v1/refunds', status: 400 } as const;
  const dying = shop.openPaymentContext((step) =>
    step === 'send refund' ? Promise.reject(new Error('The Worker dies.')) : Promise.resolve(),
  );
  await settlePayment(dying, intent);
  const [waiting] = await readRefunds(order);
  await markSeen(shop.db, waiting?._id ?? '', administrator.accountId);
  shop.emulator.controls.planFault(fault);
  await reconcileLater(order);
  const [item, ...others] = await shop.attentionFor(order);
  expect(others).toEqual([]);
  expect(item?.text).toMatch(/was refused\. Stripe says: .*[^.]\. Return the money another way\.$/);
  await markSeen(shop.db, item?._id ?? '', administrator.accountId);
  expect(await textsFor(order)).toEqual([]);
  await shop.db.update(refunds).set({ seenAt: null }).where(eq(refunds.orderId, order._id));
  shop.emulator.controls.refund({ paymentIntent: intent.id });
  await shop.reportAll(intent);
  expect(await textsFor(order)).toEqual([expect.stringContaining('We returned it in full')]);
  // The refused refund stays as it is.
  expect(await readRefunds(order)).toMatchObject([
    { status: 'failed', refundId: null },
    { status: 'succeeded', refundId: expect.stringMatching(/^re_/) as string },
  ]);
});

test('A refund at Stripe whose metadata contains the id of a refund gets that id, unless the id belongs to another refund', async () => {
  const { order, intent } = await shop.newPaidOrder();
  const ours = await shop.refund(order, { amountCents: 1_000 });
  await readMails(order);
  const recordNaming = async (name: string) => {
    const { id } = shop.emulator.controls.refund({ paymentIntent: intent.id, amount: 1_000 });
    const made = await shop.stripe.refunds.retrieve(id);
    return recordRefund(shop.openPaymentContext(), { ...made, metadata: { refund: name } });
  };
  expect((await recordNaming(ours._id))._id).not.toBe(ours._id);
  expect(await readRefunds(order)).toMatchObject([{ _id: ours._id, refundId: ours.refundId }, {}]);
  // A backup without it was restored. Its customer was emailed when it was made.
  await readMails(order);
  const lost = newId();
  expect((await recordNaming(lost))._id).toBe(lost);
  expect(await readMails(order)).toEqual([]);
});

test('Reconciliation asks about a pending refund once an hour, and its customer gets one email', async () => {
  const { order } = await shop.newPaidOrder('pm_card_pendingRefund');
  const pending = await shop.refund(order);
  await readMails(order);
  const waits = async () => ((await readRefunds(order))[0]?.checkAt ?? 0) - Date.now();
  await reconcileLater(order);
  expect(await waits()).toBeGreaterThan(59 * 60_000);
  const { context, events } = shop.openLogged();
  vi.spyOn(context.stripe.refunds, 'retrieve').mockRejectedValue(connectionError());
  await reconcileLater(order, context);
  expect(events).toContain('refund.not-reconciled');
  expect(await waits()).toBeGreaterThan(59 * 60_000);
  shop.emulator.controls.settleRefund({ refund: pending.refundId ?? '', status: 'succeeded' });
  await reconcileLater(order);
  expect((await shop.readOrder(order)).paymentStatus).toBe('Refunded');
  expect((await readRefunds(order))[0]?.changedAt).toBeGreaterThan(pending.changedAt);
  expect(await readMails(order)).toEqual([]);
});

test('A run of reconciliation asks about refunds for a minute at most', async () => {
  const both = [
    await shop.newPaidOrder('pm_card_pendingRefund'),
    await shop.newPaidOrder('pm_card_pendingRefund'),
  ];
  for (const [index, { order }] of both.entries()) {
    await shop.refund(order);
    await shop.db.update(refunds).set({ checkAt: index }).where(eq(refunds.orderId, order._id));
  }
  vi.useFakeTimers({ toFake: ['Date'] });
  const context = shop.openPaymentContext();
  const retrieve = vi.spyOn(context.stripe.refunds, 'retrieve').mockImplementation(() => {
    vi.setSystemTime(Date.now() + 60_000);
    return Promise.reject(connectionError());
  });
  await reconcileRefunds(context);
  expect(retrieve).toHaveBeenCalledTimes(1);
  await reconcileRefunds(context);
  expect(retrieve).toHaveBeenCalledTimes(2);
});

test('A late payment counts as refunded only once the bank has accepted the refund', async () => {
  const { order, intent } = await newLatePayment('pm_card_pendingRefund');
  await settlePayment(shop.openPaymentContext(), intent);
  const outcomes = async () =>
    (await shop.db.select().from(payments).where(eq(payments.orderId, order._id))).map(
      ({ outcome }) => outcome,
    );
  const [pending] = await readRefunds(order);
  expect([pending?.status, pending?.failures, await outcomes()]).toEqual(['pending', 0, ['refundDue']]);
  shop.emulator.controls.settleRefund({ refund: pending?.refundId ?? '', status: 'failed' });
  await shop.reportAll(intent);
  expect(await outcomes()).toEqual(['refundDue']);
  expect(await textsFor(order)).toEqual([expect.stringContaining('the money is back with you')]);
  const { id } = shop.emulator.controls.refund({ paymentIntent: intent.id });
  shop.emulator.controls.settleRefund({ refund: id, status: 'succeeded' });
  await shop.reportAll(intent);
  expect(await outcomes()).toEqual(['refunded']);
});

test('A refund that is canceled at Stripe releases its money, and one that requires action reserves it', async () => {
  const { order, intent } = await shop.newPaidOrder('pm_card_pendingRefund');
  const { refundId } = await shop.refund(order, { amountCents: 10_000 });
  shop.emulator.controls.settleRefund({ refund: refundId ?? '', status: 'canceled' });
  await shop.reportAll(intent);
  expect(await readRefunds(order)).toMatchObject([{ status: 'canceled', checkAt: null }]);
  expect(await shop.ledgerEntriesOf(order)).toEqual(['payment 49950', 'refund -10000', 'refundFailed 10000']);
  const { id } = shop.emulator.controls.refund({ paymentIntent: intent.id, amount: 1_000 });
  const made = await shop.stripe.refunds.retrieve(id);
  const waiting = { ...made, status: 'requires_action' };
  expect(await recordRefund(shop.openPaymentContext(), waiting)).toMatchObject({ status: 'pending' });
  expect((await refusal(shop.refund(order, { amountCents: priceCents }))).message).toContain('Only $489.50');
  // Another refund of the same amount is a different refund.
  const { id: other } = shop.emulator.controls.refund({ paymentIntent: intent.id, amount: 1_000 });
  await recordRefund(shop.openPaymentContext(), await shop.stripe.refunds.retrieve(other));
  expect((await readRefunds(order)).map((row) => row.refundId)).toEqual([refundId, id, other]);
});

test('A refund that had failed before it was reported moves no money', async () => {
  const { order, intent } = await shop.newPaidOrder();
  await readMails(order);
  const { id, created } = shop.emulator.controls.refund({ paymentIntent: intent.id, amount: 5_000 });
  shop.emulator.controls.settleRefund({ refund: id, status: 'failed' });
  await shop.reportAll(intent);
  const rows = await readRefunds(order);
  expect(rows).toMatchObject([{ status: 'failed', amountCents: 5_000 }]);
  expect(timeOfId(rows[0]?._id ?? '')).toBe(created * 1_000);
  expect((await readEvents(order)).at(-1)).toMatchObject({ kind: 'refundFailed', role: 'stripe' });
  expect(await shop.ledgerEntriesOf(order)).toEqual(['payment 49950']);
  expect(await readMails(order)).toEqual([]);
});

test('A refund whose response is lost is made once', async () => {
  const { order, intent } = await shop.newPaidOrder();
  shop.emulator.controls.planFault({ kind: 'disconnect-after', method: 'POST', path: '/v1/refunds' });
  await shop.refund(order, { amountCents: 20_000 });
  expect(await shop.readOrder(order)).toMatchObject({ refundedCents: 20_000 });
  const dying = shop.openPaymentContext((step) =>
    step === 'record refund' ? Promise.reject(new Error('The Worker dies.')) : Promise.resolve(),
  );
  const lost = await settled(shop.refund(order, {}, dying));
  expect(lost).toMatchObject({ status: 'pending', refundId: null });
  await reconcileLater(order);
  expect((await shop.readOrder(order)).paymentStatus).toBe('Refunded');
  expect(await refundsAtStripe(intent)).toHaveLength(2);
  expect(await readAudit(order)).toEqual([
    `Refunded $200 of order #${order.number}`,
    `Refunded $299.50 of order #${order.number}`,
  ]);
});

test.each<[string, Stripe.errors.StripeError, Pick<RefundRecord, 'status' | 'failures'>]>([
  ['answers with a server error', stripeError('api_error', 500), { status: 'pending', failures: 1 }],
  [
    'reports a reused idempotency key',
    stripeError('idempotency_error', 400),
    { status: 'pending', failures: 0 },
  ],
  ['refuses the card', stripeError('card_error', 402), { status: 'failed', failures: 0 }],
])(
  'When Stripe %s, a refund stays pending or fails, and gets a new idempotency key only after a server error',
  async (_, error, expected) => {
    const { order } = await shop.newPaidOrder();
    const { context, events } = shop.openLogged();
    const create = vi.spyOn(context.stripe.refunds, 'create').mockRejectedValue(error);
    const isRefused = expected.status === 'failed';
    const made = shop.refund(order, { amountCents: 100 }, context);
    if (isRefused) await expect(made).rejects.toMatchObject({ status: 409 });
    else expect(await made).toMatchObject({ status: 'pending', refundId: null });
    expect(await readRefunds(order)).toMatchObject([
      {
        ...expected,
        checkAt: isRefused ? null : (expect.any(Number) as number),
        seenAt: isRefused ? (expect.any(Number) as number) : null,
      },
    ]);
    const [waits] = await readRefunds(order);
    if (!isRefused) {
      expect(waits?.failure).toBe('');
      expect((waits?.checkAt ?? 0) - Date.now()).toBeLessThanOrEqual(60_000);
    }
    expect(events).toEqual(isRefused ? [] : ['refund.failed']);
    create.mockRestore();
    await reconcileLater(order);
    expect(await readRefunds(order)).toMatchObject([{ status: isRefused ? 'failed' : 'succeeded' }]);
  },
);

test('An administrator reads why Stripe refused a refund, and the refund from its dashboard that came first is recorded', async () => {
  const { order, intent } = await shop.newPaidOrder();
  await shop.refund(order, { amountCents: 1_000 });
  const request = { amountCents: 40_000, idempotencyKey: newId() };
  const context = whileDashboardReturns(intent, 30_000);
  const refused = await refusal(shop.refund(order, request, context));
  expect(refused).toMatchObject({ status: 409 });
  expect(refused.message).toMatch(
    /^Stripe did not make this refund: .*greater than.* Nothing was refunded\.$/,
  );
  expect((await refusal(shop.refund(order, request))).status).toBe(409);
  expect(await shop.readOrder(order)).toMatchObject({ refundedCents: 31_000 });
  // Neither the refusal nor the refund from the dashboard is ours.
  expect(await readAudit(order)).toEqual([`Refunded $10 of order #${order.number}`]);
});

test('A disputed payment is not refunded, and the administrator reads why', async () => {
  const { order, intent } = await shop.newPaidOrder('pm_card_createDispute');
  await shop.reportAll(intent);
  const refused = await refusal(shop.refund(order));
  expect(refused).toMatchObject({ status: 409 });
  expect(refused.message).toBe(
    "Stripe did not make this refund: the customer's bank has taken this payment back in a dispute, which is answered in Stripe. Nothing was refunded.",
  );
  expect(await shop.ledgerEntriesOf(order)).toEqual(['payment 49950', 'disputeWithdrawn -49950']);
  shop.emulator.controls.dispute({ paymentIntent: intent.id, outcome: 'won' });
  await shop.reportAll(intent);
  expect(await shop.refund(order)).toMatchObject({ status: 'succeeded', amountCents: 49_950 });
  expect(await shop.ledgerEntriesOf(order)).toEqual([
    'payment 49950',
    'disputeWithdrawn -49950',
    'disputeReinstated 49950',
    'refund -49950',
  ]);
});

/** Pays an order twice; the second payment is refunded automatically. */
async function payTwice({ _id }: OrderRecord, amount = priceCents) {
  const { id } = await shop.makeForeignIntent({ amount, metadata: { orderId: _id } });
  await settlePayment(shop.openPaymentContext(), await shop.payByCard(id));
}

/** A context in which somebody makes a refund in Stripe's dashboard first. */
const whileDashboardReturns = ({ id }: Stripe.PaymentIntent, amount: number) =>
  shop.openPaymentContext((step) => {
    if (step === 'send refund') shop.emulator.controls.refund({ paymentIntent: id, amount });
    return Promise.resolve();
  });

test('A refund without an idempotency key is a new one, and one that is too large is refused rather than reduced', async () => {
  const { order, intent } = await shop.newPaidOrder();
  shop.emulator.controls.refund({ paymentIntent: intent.id, amount: 1_000 });
  await shop.reportAll(intent);
  await shop.refund(order, { amountCents: 1_000, idempotencyKey: undefined });
  expect((await refundsAtStripe(intent)).map(({ amount }) => amount)).toEqual([1_000, 1_000]);

  const request = { amountCents: 40_000, idempotencyKey: undefined };
  const context = whileDashboardReturns(intent, 30_000);
  expect((await refusal(shop.refund(order, request, context))).status).toBe(409);
  expect((await refundsAtStripe(intent)).map(({ amount }) => amount)).toEqual([30_000, 1_000, 1_000]);
});

test.each([
  ['succeeded', 'pm_card_visa'],
  ['pending', 'pm_card_pendingRefund'],
])('A %s refund that Stripe made despite its error response is not made again', async (status, card) => {
  const { order, intent } = await shop.newPaidOrder(card);
  const context = shop.openPaymentContext();
  vi.spyOn(context.stripe.refunds, 'create').mockImplementation(async (...given: unknown[]) => {
    const [params, options] = given as [Stripe.RefundCreateParams, Stripe.RequestOptions];
    await shop.stripe.refunds.create(params, options);
    throw stripeError('api_error', 500);
  });
  expect(await shop.refund(order, { amountCents: 20_000 }, context)).toMatchObject({ refundId: null });
  await reconcileLater(order);
  expect((await refundsAtStripe(intent)).map(({ amount }) => amount)).toEqual([20_000]);
  expect(await readRefunds(order)).toMatchObject([{ status, failures: 1 }]);
  // A refund of the same amount from the dashboard is a different refund.
  await shop.refund(order, { amountCents: 10_000 }, whileDashboardReturns(intent, 10_000));
  expect((await refundsAtStripe(intent)).map(({ amount }) => amount)).toEqual([10_000, 10_000, 20_000]);
  await shop.reportAll(intent);
  const refundedCents = status === 'pending' ? 0 : 40_000;
  expect(await shop.readOrder(order)).toMatchObject({ refundedCents });
});

test('The refund or dispute of a duplicate payment leaves the order’s own payment refundable in full', async () => {
  const { order } = await shop.newPaidOrder();
  await payTwice(order);
  expect(await listRefunds(order)).toMatchObject({
    leftAmount: price,
    refunds: [{ isReturn: true, refundId: expect.stringMatching(/^re_/) as string }],
  });
  const dispute = { reason: 'fraudulent', status: 'needs_response', amountCents: 1, openedAt: Date.now() };
  const ofOther = { paymentIntentId: 'pi_duplicate', disputeId: newId(), orderId: order._id };
  await shop.db.insert(disputes).values({ _id: newId(), ...ofOther, ...dispute });
  expect(await listRefunds(order)).toMatchObject({ obstacle: '', disputes: [{ kind: 'dispute' }] });
  await shop.db.delete(disputes).where(eq(disputes.orderId, order._id));
  const made = await shop.callAs(staff, 'POST', refundsPath(order), { amount: price, note: '' });
  expect(made.json).toMatchObject({ amount: price, isReturn: false });
  expect(await listRefunds(order, customer)).toMatchObject({
    leftAmount: '0',
    refunds: [{ isReturn: true }, { isReturn: false }],
  });
  const unpaid = await shop.newOrder();
  await payTwice(unpaid, priceCents - 1);
  expect(await listRefunds(unpaid)).toMatchObject({ leftAmount: '0', refunds: [{ isReturn: true }] });
  expect((await refusal(shop.refund(unpaid))).message).toContain('This order is not paid');
  const nowhere = await shop.callAs(staff, 'POST', `/order/${newId()}/refunds`, { note: '' });
  expect(nowhere.status).toBe(404);
});

test('The refund of an order that was paid outside Stripe is a note in the ledger', async () => {
  const order = await shop.newOrder();
  await shop.setPayment(order, 'Paid');
  const context = shop.openPaymentContext();
  const list = vi.spyOn(context.stripe.refunds, 'list');
  await shop.refund(order, { amountCents: 9_950 }, context);
  expect(list).not.toHaveBeenCalled();
  expect((await refusal(shop.setPayment(order, 'UnPaid'))).status).toBe(409);
  const both = await Promise.all([settled(shop.refund(order)), settled(shop.refund(order))]);
  expect(both.filter((end) => end instanceof ApiError)).toHaveLength(1);
  expect(await shop.ledgerEntriesOf(order)).toEqual([
    'outsidePayment 49950',
    'outsideRefund -9950',
    'outsideRefund -40000',
  ]);
  expect((await shop.readOrder(order)).paymentStatus).toBe('Refunded');
  expect(await readAudit(order)).toEqual([
    `Refunded $99.50 of order #${order.number}`,
    `Refunded $400 of order #${order.number}`,
  ]);
  const mails = (await readMails(order)).filter((mail) => mail.startsWith('We are refunding'));
  expect(mails).toHaveLength(2);
  for (const mail of mails) {
    expect(mail).toContain('we will refund you directly');
    expect(mail).not.toContain('Your bank');
  }
});

test('Missed events about refunds are read later, and one that fails does not block the others', async () => {
  const { order, intent } = await shop.newPaidOrder();
  const since = Date.now() - 1_000;
  const made = shop.emulator.controls.refund({ paymentIntent: intent.id, amount: 7_000 });
  await handleMissedEvents(shop.openPaymentContext(), since);
  expect(await shop.readOrder(order)).toMatchObject({ refundedCents: 7_000 });
  shop.emulator.controls.settleRefund({ refund: made.id, status: 'failed' });
  await handleMissedEvents(shop.openPaymentContext(), since);
  expect(await shop.readOrder(order)).toMatchObject({ refundedCents: 0 });

  const both = [await shop.newPaidOrder(), await shop.newPaidOrder()];
  const [failing] = both.map(({ intent: { id } }) =>
    shop.emulator.controls.refund({ paymentIntent: id, amount: 7_000 }),
  );
  const context = shop.openPaymentContext();
  vi.spyOn(context.stripe.refunds, 'retrieve').mockImplementation((id) =>
    id === failing?.id ? Promise.reject(new Error('Not allowed.')) : shop.stripe.refunds.retrieve(id),
  );
  // The event about the charge would also report the refund.
  vi.spyOn(context.stripe.refunds, 'list').mockReturnValue({
    autoPagingToArray: () => Promise.resolve([]),
  } as never);
  await expect(handleMissedEvents(context, since)).rejects.toThrow('Not allowed.');
  const returned = async () =>
    Promise.all(both.map(async (paid) => (await shop.readOrder(paid.order)).refundedCents));
  expect(await returned()).toEqual([0, 7_000]);
  await handleMissedEvents(shop.openPaymentContext(), since);
  expect(await returned()).toEqual([7_000, 7_000]);
});

test('One run handles two hundred missed events, and reports how far it came', async () => {
  const context = shop.openPaymentContext();
  const metadata = { site: shop.env.SITE_URL };
  const events = Array.from({ length: 201 }, (_, index) => ({
    type: 'payment_intent.succeeded',
    created: 1_000 + index,
    data: { object: { id: `pi_missed_${index}`, object: 'payment_intent', metadata } },
  }));
  vi.spyOn(context.stripe.events, 'list').mockReturnValue(events.toReversed() as never);
  const gone = { type: 'invalid_request_error', statusCode: 404, code: 'resource_missing' } as const;
  const retrieve = vi
    .spyOn(context.stripe.paymentIntents, 'retrieve')
    .mockRejectedValue(Stripe.errors.StripeError.generate({ ...gone, message: 'No.' }));
  expect(await handleMissedEvents(context, 0, 5_000_000)).toBe(1_200_000);
  expect(retrieve).toHaveBeenCalledTimes(200);
});

test('Events are read from ten minutes before the last success, at most a month back and a day at a time', async () => {
  const now = Date.now();
  vi.useFakeTimers({ toFake: ['Date'], now });
  const context = shop.openPaymentContext();
  const list = vi.spyOn(context.stripe.events, 'list').mockReturnValue([] as never);
  const [minute, day] = [60_000, 24 * 3_600_000];
  const expectAsked = async (from: number, until: number) => {
    await reconcileEvents(context);
    const created = { gte: Math.floor(from / 1_000), lte: Math.ceil(until / 1_000) };
    const asked = list.mock.calls.splice(0);
    expect(asked).toMatchObject([[{ created }]]);
    const types = asked.flatMap(([params]) => params?.types ?? []);
    expect(types).toContain('payment_intent.succeeded');
    // Fraudsters cause many declined cards.
    expect(types).not.toContain('payment_intent.payment_failed');
  };
  await shop.db.delete(jobRuns);
  await expectAsked(now - day, now);
  await reconcileEvents(context);
  expect(list).not.toHaveBeenCalled();
  vi.setSystemTime(now + 10 * minute);
  list.mockImplementationOnce(() => {
    throw new Error('Stripe is down.');
  });
  await expect(reconcileEvents(context)).rejects.toThrow('Stripe is down.');
  list.mock.calls.splice(0);
  await reconcileEvents(context);
  expect(list).not.toHaveBeenCalled();
  vi.setSystemTime(now + 20 * minute);
  await expectAsked(now - 10 * minute, now + 20 * minute);
  vi.setSystemTime(now);
  await recordRun(shop.db, 'events', null, now - 40 * day);
  await expectAsked(now - 30 * day, now - 29 * day);
  await shop.db.delete(jobRuns);
});

test('A customer reads the refunds of their order without internal details, and nobody else reads them', async () => {
  const { order } = await shop.newPaidOrder();
  const path = refundsPath(order);
  const read = (account: Account, from = path) => shop.callAs(account, 'GET', from);
  const request = { amount: '1.50', reason: 'requested_by_customer', note: 'Sorry' };
  const made = await shop.callAs(staff, 'POST', path, request);
  expect([made.status, made.json]).toMatchObject([201, { amount: '1.50', by: staff.email }]);
  const tooMuch = { amount: '498.01', note: '' };
  expect((await shop.callAs(staff, 'POST', path, tooMuch)).status).toBe(409);
  for (const wrong of [{ amount: '0' }, { amount: 1 }, { reason: 'because' }])
    expect((await shop.callAs(staff, 'POST', path, { note: '', ...wrong })).status).toBe(422);
  const [ours, theirs] = [await listRefunds(order), await listRefunds(order, customer)];
  expect([ours.leftAmount, theirs.leftAmount]).toEqual(['498', '498']);
  expect(ours.refunds).toMatchObject([{ reason: 'requested_by_customer', by: staff.email, note: 'Sorry' }]);
  expect(theirs.refunds).toMatchObject([{ reason: null, by: '', note: 'Sorry', amount: '1.50' }]);
  expect((await read(stranger)).status).toBe(404);
  expect((await read(staff, `/order/${newId()}/refunds`)).status).toBe(404);
});

test('An export reads a long ledger in chunks, each entry once', async () => {
  const { db, close } = await openTestDatabase();
  onTestFinished(close);
  const all = Array.from({ length: 501 }, (_, index) => index + 1);
  const row = { at: 1, orderId: newId(), kind: 'payment', amountCents: 1, stripeId: '' } as const;
  await db
    .insert(ledger)
    .values(all.map((count) => ({ ...row, key: `payment:${count}`, balanceCents: count })));
  const read: number[] = [];
  for await (const chunk of readWholeLedger(db, { SITE_TIMEZONE: 'UTC' })) {
    read.push(...chunk.map(({ sequence }) => sequence));
    if (read.length > all.length) break;
  }
  expect(read).toEqual(all);
});
