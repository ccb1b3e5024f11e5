/**
 * The outcome of refunds, which Stripe decides. `recordRefund` handles everything that Stripe reports about a
 * refund: in the response to our call, in an event or during reconciliation. Reports may come in any order and any
 * number of times, for refunds of any origin.
 */
import { and, asc, eq, getTableColumns, sql } from 'drizzle-orm';
import type Stripe from 'stripe';
import { isId, newId, timeOfId } from '#contract/ids.ts';
import { displayPrice, toPriceText } from '#contract/money.ts';
import { displayOrderNumber } from '#contract/orders.ts';
import { refundReasons, type RefundStatus } from '#contract/payments.ts';
import type { Refund } from '#contract/refunds.calls.ts';
import { actorId } from '../accounts/owner.ts';
import { accounts } from '../accounts/schema.ts';
import { auditStatement } from '../audit/audit.ts';
import { readTogether, type Database, type Statement } from '../db/client.ts';
import { changeOrder, retryOnConflict, stripeActor, type Actor } from '../orders/changes.ts';
import { orderRefundedMail, paymentRefundedMail, refundFailedMail } from '../orders/mails.ts';
import { notifyCustomer } from '../orders/notify.ts';
import { orderQuery } from '../orders/read.ts';
import { orders, type OrderRecord } from '../orders/schema.ts';
import { hourMs } from '../http/clock.ts';
import type { PaymentContext } from './context.ts';
import { writeEntry } from './ledger.ts';
import { disputesOf, refundObstacle } from './open-disputes.ts';
import { payments, refunds, type PaymentRecord, type RefundRecord } from './schema.ts';
import { idOf } from './stripe.ts';

/** How long after a change we ask Stripe about a pending refund, in ms. Stripe normally reports the outcome itself. */
export const refundCheckDelayMs = hourMs;

/** Whether a refund reserves its money, so that no other refund can use it. */
const isReserved = (status: RefundStatus | undefined): boolean =>
  status === 'pending' || status === 'succeeded';

/** The order of statuses. A refund only moves forward, because an older report from Stripe may arrive later. */
const rank: Readonly<Record<RefundStatus, number>> = { pending: 0, succeeded: 1, failed: 2, canceled: 2 };

/** Stripe's status. A refund that waits for customer action counts as pending. */
const statusOf = ({ status }: Stripe.Refund): RefundStatus =>
  status === 'succeeded' || status === 'failed' || status === 'canceled' ? status : 'pending';

const sumCents = (records: readonly RefundRecord[]): number =>
  records.reduce((cents, { amountCents }) => cents + amountCents, 0);

/** The total of the refunds that reserve their money, in cents. */
export const reservedCents = (records: readonly RefundRecord[]): number =>
  sumCents(records.filter(({ status }) => isReserved(status)));

/** The total of the refunds that succeeded, in cents. */
const succeededCents = (records: readonly RefundRecord[]): number =>
  sumCents(records.filter(({ status }) => status === 'succeeded'));

/** The amount of a payment that can still be refunded, in cents. */
export const refundableCents = ({ amountCents }: PaymentRecord, made: readonly RefundRecord[]): number =>
  Math.max(0, amountCents - reservedCents(made));

export const settledPaymentQuery = (db: Database, orderId: string) =>
  db
    .select()
    .from(payments)
    .where(and(eq(payments.orderId, orderId), eq(payments.outcome, 'settled')));

/** Whether the site itself returns a payment because no order could accept it. */
export const isAutomatic = ({ idempotencyKey, accountId }: RefundRecord): boolean =>
  idempotencyKey === null && accountId === '';

/** Our id of a refund, which Stripe stores with it; undefined for one from Stripe's dashboard. */
const ourIdOf = ({ metadata }: Stripe.Refund): string | undefined => metadata?.['refund'];

/**
 * Finds our row for a refund from Stripe: by Stripe's id; by our id, which Stripe keeps as metadata; or as the
 * automatic return of a payment that was refunded elsewhere first. Undefined for a refund made in Stripe's
 * dashboard.
 */
const findKnown = (made: readonly RefundRecord[], refund: Stripe.Refund): RefundRecord | undefined =>
  made.find(({ refundId }) => refundId === refund.id) ??
  made.find(({ _id, refundId }) => refundId === null && _id === ourIdOf(refund)) ??
  made.find(
    (row) =>
      row.refundId === null &&
      row.status === 'pending' &&
      isAutomatic(row) &&
      row.amountCents === refund.amount,
  );

/** A refund's stored state and its state at Stripe. */
interface Transition {
  readonly order: OrderRecord;
  readonly payment: PaymentRecord;
  /** Undefined if Stripe did not have it before. */
  readonly from: RefundStatus | undefined;
  readonly to: RefundRecord;
  /** All refunds of the payment, including `to`. */
  readonly all: readonly RefundRecord[];
  readonly isNotified?: boolean;
}

function orderAfter({ order, payment, all }: Transition) {
  if (payment.outcome !== 'settled') return {};
  const refundedCents = succeededCents(all);
  if (refundedCents === order.refundedCents) return {};
  const paymentStatus = refundedCents >= order.priceCents ? 'Refunded' : 'Paid';
  return {
    refundedCents,
    ...(paymentStatus !== order.paymentStatus && { paymentStatus }),
  };
}

/** Whether a transition takes money out, and whether it brings money back. */
const isTaken = ({ from, to }: Transition) => !isReserved(from) && isReserved(to.status);
const isBack = ({ from, to }: Transition) => isReserved(from) && !isReserved(to.status);

function transitionMails(context: PaymentContext, transition: Transition): Statement[] {
  const { order, payment, to, all, isNotified } = transition;
  if (isBack(transition))
    return notifyCustomer(context, order, 'refund-failed', (siteUrl, order) =>
      refundFailedMail(siteUrl, order, to),
    );
  if (isNotified || !isTaken(transition)) return [];
  if (payment.refusal === null) {
    const part = { ...to, isLast: refundableCents(payment, all) === 0, isOutside: payment.method !== 'Card' };
    return notifyCustomer(context, order, 'order-refunded', (siteUrl, order, isTheirs) =>
      orderRefundedMail(siteUrl, order, isTheirs ? part : { ...part, note: '' }),
    );
  }
  // The email says that the whole payment is being refunded. A part that was not sent yet may still turn out
  // smaller.
  const sentCents = reservedCents(all.filter(({ refundId }) => refundId !== null));
  return sentCents < payment.amountCents
    ? []
    : notifyCustomer(context, order, 'payment-refunded', paymentRefundedMail);
}

/** The audit entry of a refund that an administrator requested, in the batch in which the money is taken. */
const auditRefund = ({ db, network }: PaymentContext, transition: Transition): Statement[] => {
  const { order, to } = transition;
  if (!isTaken(transition) || to.accountId === '') return [];
  const details = `Refunded ${displayPrice(to.amountCents)} of order ${displayOrderNumber(order.number)}`;
  return [
    auditStatement(db, { action: 'refund', accountId: to.accountId, recordId: order._id, network, details }),
  ];
};

function statementsOf(context: PaymentContext, transition: Transition): Statement[] {
  const { db } = context;
  const { order, payment, to, all } = transition;
  const stripeId = to.refundId ?? '';
  const move = { orderId: order._id, stripeId, subject: stripeId || to._id };
  return [
    db
      .insert(refunds)
      .values({ ...to, accountId: actorId(to.accountId) })
      .onConflictDoUpdate({ target: refunds._id, set: { ...to, accountId: sql`${refunds.accountId}` } }),
    ...(payment.refusal === null
      ? []
      : [
          db
            .update(payments)
            .set({ outcome: succeededCents(all) >= payment.amountCents ? 'refunded' : 'refundDue' })
            .where(eq(payments._id, payment._id)),
        ]),
    ...(isTaken(transition)
      ? [
          writeEntry(db, {
            ...move,
            kind: payment.method === 'Card' ? 'refund' : 'outsideRefund',
            amountCents: -to.amountCents,
          }),
        ]
      : []),
    ...auditRefund(context, transition),
    ...(isBack(transition)
      ? [writeEntry(db, { ...move, kind: 'refundFailed', amountCents: to.amountCents })]
      : []),
    ...transitionMails(context, transition),
  ];
}

/** Whether a refund is for everything that is left of the order's own payment. Its customer reads that the order ends. */
const isWhole = ({ order, payment, to, all }: Transition): boolean =>
  payment.refusal === null &&
  to.amountCents + succeededCents(all.filter(({ _id }) => _id !== to._id)) >= order.priceCents;

const eventKinds = {
  pending: 'refundStarted',
  succeeded: 'refunded',
  failed: 'refundFailed',
  canceled: 'refundFailed',
} as const satisfies Record<RefundStatus, string>;

/** @returns undefined if another change came first */
export async function writeTransition(
  context: PaymentContext,
  transition: Transition,
  by: Actor,
): Promise<RefundRecord | undefined> {
  const { order, to } = transition;
  const written = await changeOrder(
    context.db,
    order,
    {
      kind: eventKinds[to.status],
      by,
      set: orderAfter(transition),
      details: { amount: toPriceText(to.amountCents), ...(isWhole(transition) && { isWhole: 'yes' }) },
    },
    statementsOf(context, transition),
  );
  return written && to;
}

export const newRow = (payment: Pick<PaymentRecord, '_id' | 'orderId'>, now: number): RefundRecord => ({
  _id: newId(now),
  orderId: payment.orderId,
  paymentId: payment._id,
  refundId: null,
  amountCents: 0,
  status: 'pending',
  reason: null,
  note: '',
  failure: '',
  accountId: '',
  idempotencyKey: null,
  at: now,
  changedAt: now,
  failures: 0,
  checkAt: null,
  seenBy: null,
  seenAt: null,
});

/** A refund with the state that Stripe reports. */
const withStripesState = (row: RefundRecord, refund: Stripe.Refund, now: number): RefundRecord => ({
  ...row,
  refundId: refund.id,
  amountCents: refund.amount,
  status: statusOf(refund),
  reason: row.reason ?? refundReasons.find((known) => known === refund.reason) ?? null,
  failure: refund.failure_reason ?? '',
  seenBy: null,
  seenAt: null,
  // If Stripe made the refund before we heard of it, use Stripe's time.
  changedAt: row.refundId === null && statusOf(refund) === 'succeeded' ? refund.created * 1_000 : now,
  checkAt: statusOf(refund) === 'pending' ? now + refundCheckDelayMs : null,
});

/**
 * Whether the customer was already notified of a refund that is not in this database. Stripe keeps the id of the
 * row, even if the row is missing from a restored backup.
 */
const wasNotified = (refund: Stripe.Refund, known: RefundRecord | undefined): boolean =>
  (ourIdOf(refund) ?? known?._id) !== known?._id;

/**
 * The id for a refund that Stripe has and this database does not. After a restore, a refund gets its old id back,
 * because emailed links to the credit note contain it. Any other refund comes after the known ones, so no credit
 * note changes its number.
 */
function idFor(refund: Stripe.Refund, isFree: boolean, made: readonly RefundRecord[]): string {
  const ours = ourIdOf(refund) ?? '';
  if (isFree && isId(ours)) return ours;
  const last = made.at(-1);
  return newId(Math.max(refund.created * 1_000, last ? timeOfId(last._id) + 1 : 0));
}

/** Records the current state at Stripe of a refund whose payment is recorded. */
export function recordRefund(context: PaymentContext, refund: Stripe.Refund): Promise<RefundRecord> {
  const { db, beforeStep } = context;
  const intentId = idOf(refund.payment_intent) ?? '';
  return retryOnConflict(async () => {
    const isOfIntent = eq(payments.paymentIntentId, intentId);
    const [[found], made, named] = await readTogether(db, [
      db
        .select({ payment: payments, order: orders })
        .from(payments)
        .innerJoin(orders, eq(orders._id, payments.orderId))
        .where(isOfIntent),
      db
        .select(getTableColumns(refunds))
        .from(refunds)
        .innerJoin(payments, eq(payments._id, refunds.paymentId))
        .where(isOfIntent)
        .orderBy(asc(refunds._id)),
      db
        .select({ _id: refunds._id })
        .from(refunds)
        .where(eq(refunds._id, ourIdOf(refund) ?? '')),
    ]);
    if (!found) throw new Error('The payment of a refund is missing.');
    const { payment, order } = found;
    const known = findKnown(made, refund);
    const from = known?.refundId == null ? undefined : known.status;
    const now = Date.now();
    const isFree = named.length === 0;
    const row = known ?? { ...newRow(payment, now), _id: idFor(refund, isFree, made) };
    const to = withStripesState(row, refund, now);
    if (known && from && rank[to.status] <= rank[from]) return known;
    await beforeStep('record refund');
    const all = [...made.filter(({ _id }) => _id !== to._id), to];
    const by =
      to.accountId === '' ? stripeActor : ({ role: 'administrator', accountId: to.accountId } as const);
    return writeTransition(
      context,
      { order, payment, from, to, all, isNotified: wasNotified(refund, known) },
      by,
    );
  });
}

interface ListedRefund {
  readonly refund: RefundRecord;
  /** Whether it returns a payment that the order could not accept. */
  readonly isReturn: boolean;
  /** Email of the administrator who requested it. */
  readonly by: string;
}

/** Reads an order, its refunds (oldest first), what remains refundable of its own payment, and its open disputes. */
export async function readRefunds(db: Database, orderId: string) {
  const [[order], [payment], disputes, rows] = await readTogether(db, [
    orderQuery(db, orderId),
    settledPaymentQuery(db, orderId),
    disputesOf(db, orderId),
    db
      .select({ refund: refunds, email: accounts.email })
      .from(refunds)
      .leftJoin(accounts, eq(accounts.id, refunds.accountId))
      .where(eq(refunds.orderId, orderId))
      .orderBy(asc(refunds._id)),
  ]);
  const own = rows.map(({ refund }) => refund).filter(({ paymentId }) => paymentId === payment?._id);
  return {
    order,
    refunds: rows.map(({ refund, email }) => ({
      refund,
      isReturn: refund.paymentId !== payment?._id,
      by: email ?? '',
    })),
    leftCents: payment ? refundableCents(payment, own) : 0,
    disputes: disputes.filter(({ dispute }) => dispute.closedAt === null),
    obstacle: refundObstacle(
      disputes
        .map(({ dispute }) => dispute)
        .filter(({ paymentIntentId }) => paymentIntentId === payment?.paymentIntentId),
    ),
  };
}

/** A refund as the API returns it. Only staff see who requested it and why it failed. */
export const toRefund = ({ refund, isReturn, by }: ListedRefund, isStaff: boolean): Refund => ({
  _id: refund._id,
  amount: toPriceText(refund.amountCents),
  status: refund.status,
  reason: isStaff ? refund.reason : null,
  note: refund.note,
  at: new Date(refund.at).toISOString(),
  changedAt: new Date(refund.changedAt).toISOString(),
  refundId: refund.refundId ?? '',
  isReturn,
  failure: isStaff ? refund.failure : '',
  by: isStaff ? by : '',
});
