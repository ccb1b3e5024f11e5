/** Refunds that need attention: failed ones, and those that Stripe has not accepted for a while. */
import { and, eq, inArray, isNotNull, isNull, lt, ne, or, sql } from 'drizzle-orm';
import { displayPrice } from '#contract/money.ts';
import { displayOrderNumber } from '#contract/orders.ts';
import type { Database, Statement } from '../db/client.ts';
import { hasRow } from '../db/has-row.ts';
import { attentionQueries } from '../operations/attention-line.ts';
import { orders } from '../orders/schema.ts';
import { disputes, payments, refunds, type RefundRecord } from './schema.ts';

/** How long a refund may take to reach Stripe, in ms. */
const sendingMs = 15 * 60_000;

const hasFailed = inArray(refunds.status, ['failed', 'canceled']);

/** Turns Stripe's sentence or code into text without a final period. */
const readable = (failure: string): string =>
  /^\w+$/.test(failure) ? failure.replaceAll('_', ' ') : failure.replace(/\.$/, '');

/** Why Stripe refuses to refund a payment that the payer's bank has taken back. */
export const disputedFailure =
  "the customer's bank has taken this payment back in a dispute, which is answered in Stripe.";

/**
 * What to do about a refund that a dispute blocked.
 * @param status Stripe's status of the dispute
 */
function disputedText(refund: string, status: string | null): string {
  if (status === 'won')
    return `${refund} was not made while the customer's bank disputed this payment. The money is back with you: return it in the Stripe dashboard.`;
  return `${refund} was not made: the customer's bank has taken this payment back in a dispute. ${
    status === 'lost'
      ? 'The dispute is lost, so nothing is left to return.'
      : 'Answer the dispute in Stripe, or accept it; until it is decided there is nothing to return.'
  }`;
}

/** What to do about a refund. @param disputeStatus Stripe's status of the payment's last dispute */
export const failedRefundText = (
  { amountCents, status, failure, refundId }: RefundRecord,
  number: number,
  disputeStatus: string | null,
): string => {
  const refund = `The refund of ${displayPrice(amountCents)} for order ${displayOrderNumber(number)}`;
  if (failure === disputedFailure) return disputedText(refund, disputeStatus);
  const cause = failure === '' ? '' : ` Stripe says: ${readable(failure)}.`;
  if (status === 'pending') return `${refund} has not reached Stripe yet. We will keep sending it.${cause}`;
  return refundId === null
    ? `${refund} was refused.${cause} Return the money another way.`
    : `${refund} did not go through, and the money is back with you.${cause} Refund it again, or return it another way.`;
};

const isStuck = () =>
  and(
    eq(refunds.status, 'pending'),
    // The unary plus keeps SQLite from choosing this column's index. Refunds outside Stripe have no id either.
    sql`+${refunds.refundId} IS NULL`,
    isNotNull(refunds.checkAt),
    lt(refunds.at, Date.now() - sendingMs),
  );

/** Whether a payment has a failed or stuck refund. The line about the refund then covers the payment too. */
export const hasFailingRefund = () =>
  hasRow(refunds, and(eq(refunds.paymentId, payments._id), or(hasFailed, isStuck())));

/** The status of the payment's last dispute; looked up only if the text needs it. */
const disputeStatus = sql<string | null>`(
  SELECT ${disputes.status} FROM ${disputes}
  WHERE ${refunds.failure} = ${disputedFailure} AND ${disputes.paymentIntentId} = ${payments.paymentIntentId}
  ORDER BY ${disputes.openedAt} DESC LIMIT 1)`;

/**
 * The ids of failed and stuck refunds that no one has marked as seen. Two queries repeat the conditions of the two
 * partial indexes, so that SQLite uses both.
 */
const unseen = () => sql`(
  SELECT ${refunds._id} FROM ${refunds} WHERE ${refunds.status} IN ('failed', 'canceled') AND ${refunds.seenAt} IS NULL
  UNION ALL
  SELECT ${refunds._id} FROM ${refunds} WHERE ${refunds.checkAt} >= 0 AND ${isStuck()} AND ${refunds.seenAt} IS NULL)`;

/** Failed and stuck refunds, except refunds of a refused payment that has been returned since. */
export function failedRefunds(db: Database) {
  const isFound = and(sql`${refunds._id} IN ${unseen()}`, ne(payments.outcome, 'refunded'));
  return attentionQueries(db, {
    rows: () =>
      db
        .select({ refund: refunds, number: orders.number, disputeStatus })
        .from(refunds)
        .innerJoin(orders, eq(orders._id, refunds.orderId))
        .innerJoin(payments, eq(payments._id, refunds.paymentId))
        .where(isFound),
    since: refunds.changedAt,
    toLine: ({ refund, number, disputeStatus }) => ({
      _id: refund._id,
      text: failedRefundText(refund, number, disputeStatus),
      orderId: refund.orderId,
      time: refund.changedAt,
    }),
  });
}

/**
 * The statement that removes a refund from the list. If it is still being sent and fails later, it returns to the list.
 */
export const markRefundSeen = (
  db: Database,
  id: string,
  seen: Pick<RefundRecord, 'seenBy' | 'seenAt'>,
): Statement =>
  db
    .update(refunds)
    .set(seen)
    .where(and(eq(refunds._id, id), or(hasFailed, eq(refunds.status, 'pending')), isNull(refunds.seenAt)));
