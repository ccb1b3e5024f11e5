/**
 * Refunds requested here: by an administrator, or by the site itself when no order can accept a payment. We record
 * each refund first, which reserves its money, and then send it until Stripe has accepted it.
 */
import { and, asc, eq, getTableColumns, inArray, isNull, lte, ne, sql } from 'drizzle-orm';
import Stripe from 'stripe';
import { displayPrice, toPriceText } from '#contract/money.ts';
import type { RefundReason } from '#contract/payments.ts';
import { actorId } from '../accounts/owner.ts';
import { assert } from '../db/assert.ts';
import { readTogether, writeUnlessConflict, type Database, type Statement } from '../db/client.ts';
import { hourMs, jobLimitMs } from '../http/clock.ts';
import { conflict, idempotencyKeyReused } from '../http/errors.ts';
import { describeError } from '../http/log.ts';
import { retryOnConflict, type Actor } from '../orders/changes.ts';
import { orderNotFound, orderQuery } from '../orders/read.ts';
import type { PaymentContext } from './context.ts';
import { disputedFailure } from './failed-refunds.ts';
import {
  refundCheckDelayMs,
  isAutomatic,
  refundableCents,
  newRow,
  recordRefund,
  reservedCents,
  settledPaymentQuery,
  writeTransition,
} from './refunds.ts';
import { payments, refunds, type PaymentRecord, type RefundRecord } from './schema.ts';
import { listRefunds } from './stripe.ts';

/**
 * How long we wait before we resend a refund, in ms. Stripe itself usually recovers soon; a wrong setting stays
 * until a person fixes it.
 */
const resendAfterMs = 60_000;
const resendMendedMs = hourMs;

/** The condition that a refund still waits to be sent. */
const isUnsent = and(eq(refunds.status, 'pending'), isNull(refunds.refundId));
const isUnsentRow = ({ _id }: RefundRecord) => and(eq(refunds._id, _id), isUnsent);

/**
 * What an error says about a refund that we sent:
 * - `refused`: Stripe definitely made no refund. After any other error, it may have made one.
 * - `misconfigured`: a person can fix the cause: the key is wrong, lacks a permission, or belongs to another account.
 *   Only for an automatic return. No one is waiting for it, so we retry it until the settings are right.
 * - `failed`: Stripe itself failed. It repeats that answer under the same idempotency key.
 * - `unanswered`: Stripe gave no usable answer.
 */
interface SendFailure {
  readonly kind: 'refused' | 'misconfigured' | 'failed' | 'unanswered';
  /** Why Stripe did not make the refund, for the person who requested it. */
  readonly reason: string;
}

function classifyFailure(error: unknown, refund: RefundRecord): SendFailure {
  if (!(error instanceof Stripe.errors.StripeError)) return { kind: 'unanswered', reason: '' };
  const { statusCode: status = 0, code, message } = error;
  // Stripe's message about a dispute does not say what to do.
  const reason = code === 'charge_disputed' ? disputedFailure : message;
  if (isAutomatic(refund) && (status === 401 || status === 403 || code === 'resource_missing'))
    return { kind: 'misconfigured', reason };
  const isRefusal =
    error instanceof Stripe.errors.StripeInvalidRequestError ||
    error instanceof Stripe.errors.StripeCardError ||
    error instanceof Stripe.errors.StripePermissionError;
  if (isRefusal && [400, 402, 403, 404].includes(status)) return { kind: 'refused', reason };
  return { kind: status >= 500 ? 'failed' : 'unanswered', reason };
}

async function findRefund(db: Database, id: string): Promise<RefundRecord> {
  const [refund] = await db.select().from(refunds).where(eq(refunds._id, id));
  if (!refund) throw new Error('The row of a refund is missing.');
  return refund;
}

function createAtStripe({ stripe }: PaymentContext, refund: RefundRecord, paymentIntentId: string) {
  const { _id, orderId, amountCents, reason, failures } = refund;
  return stripe.refunds.create(
    {
      payment_intent: paymentIntentId,
      amount: amountCents,
      ...(reason && { reason }),
      metadata: { orderId, refund: _id },
    },
    // Stripe repeats its own failure under the same idempotency key for a day.
    { idempotencyKey: `refund-${_id}-${failures}` },
  );
}

/**
 * The return of a payment that no order could accept, minus the part that was refunded in Stripe's dashboard.
 * @returns undefined if nothing is left to return
 */
async function dueReturn(
  { db }: PaymentContext,
  refund: RefundRecord,
  payment: PaymentRecord,
): Promise<RefundRecord | undefined> {
  const isOther = and(eq(refunds.paymentId, payment._id), ne(refunds._id, refund._id));
  const others = await db.select().from(refunds).where(isOther);
  const amountCents = refundableCents(payment, others);
  if (amountCents >= refund.amountCents) return refund;
  if (amountCents === 0) {
    await db.delete(refunds).where(isUnsentRow(refund));
    return undefined;
  }
  // Stripe accepts a different amount only under a different idempotency key.
  const less = { amountCents, failures: refund.failures + 1 };
  await db.update(refunds).set(less).where(isUnsentRow(refund));
  return { ...refund, ...less };
}

/**
 * Sends a refund to Stripe unless Stripe has it already. Safe to repeat, because Stripe stores our id of the
 * refund.
 * @returns the updated refund; `failed` if Stripe refuses it
 * @throws if Stripe gives no usable answer; the refund then waits, and reconciliation sends it again
 */
async function sendRefund(context: PaymentContext, refund: RefundRecord): Promise<RefundRecord> {
  const { db, beforeStep } = context;
  const [payment] = await db.select().from(payments).where(eq(payments._id, refund.paymentId));
  const intentId = payment?.paymentIntentId;
  if (!payment || intentId == null) return refund;
  try {
    await beforeStep('send refund');
    for (const made of await listRefunds(context.stripe, { payment_intent: intentId }))
      await recordRefund(context, made);
    const waiting = await findRefund(db, refund._id);
    if (waiting.refundId !== null || waiting.status !== 'pending') return waiting;
    const due = isAutomatic(waiting) ? await dueReturn(context, waiting, payment) : waiting;
    if (!due) return waiting;
    await recordRefund(context, await createAtStripe(context, due, intentId));
  } catch (error) {
    const failure = classifyFailure(error, refund);
    if (failure.kind === 'refused') await writeRefused(context, refund, failure.reason);
    else {
      context.log('refund.failed', { order: refund.orderId, ...describeError(error) });
      await postponeSending(context, refund, failure);
      throw error;
    }
  }
  return findRefund(db, refund._id);
}

/**
 * Records that Stripe refused a refund. The person who requested it sees the reason immediately, so it does not appear
 * on the attention list.
 */
async function writeRefused({ db }: PaymentContext, refund: RefundRecord, failure: string): Promise<void> {
  const now = Date.now();
  await db
    .update(refunds)
    .set({
      status: 'failed',
      failure,
      changedAt: now,
      checkAt: null,
      ...(isAutomatic(refund) ? { seenBy: null, seenAt: null } : { seenBy: refund.accountId, seenAt: now }),
    })
    .where(isUnsentRow(refund));
}

async function postponeSending(
  { db }: PaymentContext,
  refund: RefundRecord,
  { kind, reason }: SendFailure,
): Promise<void> {
  const isMisconfigured = kind === 'misconfigured';
  await db
    .update(refunds)
    .set({
      checkAt: Date.now() + (isMisconfigured ? resendMendedMs : resendAfterMs),
      ...(kind !== 'unanswered' && { failures: refund.failures + 1 }),
      ...(isMisconfigured && { failure: reason }),
    })
    .where(isUnsentRow(refund));
}

/** The statement that records the return of a payment that no order can accept. */
export const returnPayment = (
  { db }: PaymentContext,
  payment: Pick<PaymentRecord, '_id' | 'orderId' | 'amountCents' | 'at'>,
): Statement =>
  db
    .insert(refunds)
    .values({ ...newRow(payment, payment.at), amountCents: payment.amountCents, checkAt: payment.at });

/** Sends the return of a payment that no order could accept. If that fails, it stays due. */
export async function sendReturn(context: PaymentContext, paymentIntentId: string): Promise<void> {
  const waiting = await context.db
    .select(getTableColumns(refunds))
    .from(refunds)
    .innerJoin(payments, eq(payments._id, refunds.paymentId))
    .where(and(eq(payments.paymentIntentId, paymentIntentId), isUnsent));
  for (const refund of waiting) await sendRefund(context, refund).catch(() => undefined);
}

export interface RefundRequest {
  /** In cents; undefined for all that is left. */
  readonly amountCents: number | undefined;
  readonly reason: RefundReason | undefined;
  readonly note: string;
  readonly idempotencyKey: string | undefined;
}

/** @param leftThen the refundable amount at the time of the request, in cents */
const isSameRequest = (
  refund: RefundRecord,
  { amountCents, reason, note }: RefundRequest,
  leftThen: number,
): boolean =>
  (amountCents ?? leftThen) === refund.amountCents &&
  refund.reason === (reason ?? null) &&
  refund.note === note;

/** @throws ApiError 409 the amount exceeds what is left to refund */
function checkAmount(amountCents: number, left: number): void {
  if (left === 0)
    throw conflict('Everything paid for this order has already been refunded, or the refund is on its way.', {
      left: '0',
    });
  if (amountCents > left)
    throw conflict(`Only ${displayPrice(left)} of this payment is left to refund.`, {
      left: toPriceText(left),
    });
}

/**
 * Records a refund of a card payment before it is sent to Stripe, unless another refund has taken the money in the
 * meantime.
 * @returns undefined if another refund has taken it, or the same request was recorded in the meantime
 */
async function reserve(
  { db }: PaymentContext,
  refund: RefundRecord,
  made: readonly RefundRecord[],
): Promise<RefundRecord | undefined> {
  const heldNow = db
    .select({ cents: sql`coalesce(sum(${refunds.amountCents}), 0)` })
    .from(refunds)
    .where(and(eq(refunds.paymentId, refund.paymentId), inArray(refunds.status, ['pending', 'succeeded'])));
  const isWritten = await writeUnlessConflict(db, [
    assert(db, sql`${heldNow} = ${reservedCents(made)}`),
    db.insert(refunds).values({ ...refund, accountId: actorId(refund.accountId) }),
  ]);
  return isWritten ? refund : undefined;
}

/** Records a refund of an order. If the order was paid outside Stripe, this completes the refund. */
function recordRefundRequest(
  context: PaymentContext,
  orderId: string,
  request: RefundRequest,
  by: Actor,
): Promise<RefundRecord> {
  const { db, beforeStep } = context;
  const { reason = null, note } = request;
  // A key belongs to its caller, but the table's unique index covers only the order.
  const idempotencyKey =
    request.idempotencyKey === undefined ? null : `${by.accountId} ${request.idempotencyKey}`;
  return retryOnConflict(async () => {
    const [[order], [payment], all] = await readTogether(db, [
      orderQuery(db, orderId),
      settledPaymentQuery(db, orderId),
      db.select().from(refunds).where(eq(refunds.orderId, orderId)),
    ]);
    if (!order) throw orderNotFound();
    if (!payment) throw conflict('This order is not paid, so there is nothing to refund.');
    const made = all.filter(({ paymentId }) => paymentId === payment._id);
    const repeated = made.find((row) => idempotencyKey !== null && row.idempotencyKey === idempotencyKey);
    if (repeated) {
      const before = made.filter(({ _id }) => _id < repeated._id);
      if (!isSameRequest(repeated, request, refundableCents(payment, before)))
        throw idempotencyKeyReused('refund');
      return repeated;
    }
    const left = refundableCents(payment, made);
    const amountCents = request.amountCents ?? left;
    checkAmount(amountCents, left);
    const now = Date.now();
    const row = {
      ...newRow(payment, now),
      amountCents,
      reason,
      note,
      idempotencyKey,
      accountId: by.accountId,
    };
    await beforeStep('reserve refund');
    if (payment.method === 'Card') return reserve(context, { ...row, checkAt: now }, made);
    const to = { ...row, status: 'succeeded' } as const;
    return writeTransition(context, { order, payment, from: undefined, to, all: [...made, to] }, by);
  });
}

/**
 * Refunds a part of an order's payment, or all that is left of it. A repeated idempotency key returns the same refund.
 * @returns the refund; `pending` without Stripe's id if Stripe has not answered yet, and then reconciliation sends
 *   it again
 * @throws ApiError 404, 409 the order is not paid, the amount exceeds what is left, or Stripe refuses the refund,
 *   422 another refund has used the key
 */
export async function refundOrder(
  context: PaymentContext,
  orderId: string,
  request: RefundRequest,
  by: Actor,
): Promise<RefundRecord> {
  const recorded = await recordRefundRequest(context, orderId, request, by);
  const refund = await sendRefund(context, recorded).catch(() => recorded);
  if (refund.status === 'failed' && refund.refundId === null)
    throw conflict(`Stripe did not make this refund: ${refund.failure} Nothing was refunded.`);
  return refund;
}

/** Asks Stripe about a pending refund, or sends one that Stripe does not have. */
async function reconcileRefund(context: PaymentContext, refund: RefundRecord): Promise<void> {
  const { refundId } = refund;
  if (refundId === null) await sendRefund(context, refund);
  else {
    await context.db
      .update(refunds)
      .set({ checkAt: Date.now() + refundCheckDelayMs })
      .where(and(eq(refunds._id, refund._id), eq(refunds.status, 'pending')));
    await recordRefund(context, await context.stripe.refunds.retrieve(refundId));
  }
}

const runLength = 100;

/** Sends and checks due refunds, for a minute at most. */
export async function reconcileRefunds(context: PaymentContext): Promise<void> {
  const { db, log } = context;
  const due = await db
    .select()
    .from(refunds)
    .where(lte(refunds.checkAt, Date.now()))
    .orderBy(asc(refunds.checkAt))
    .limit(runLength);
  const until = Date.now() + jobLimitMs;
  for (const refund of due) {
    if (Date.now() >= until) return;
    try {
      await reconcileRefund(context, refund);
    } catch (error) {
      log('refund.not-reconciled', { order: refund.orderId, ...describeError(error) });
    }
  }
}
