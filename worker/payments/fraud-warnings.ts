/**
 * Early fraud warnings: the bank of a cardholder reports a payment as a fraud before it is disputed. Whoever returns the
 * money then pays no fee for a dispute (https://docs.stripe.com/disputes/measuring#early-fraud-warnings).
 */
import { and, count, eq, isNotNull, isNull, notExists } from 'drizzle-orm';
import { displayPrice } from '#contract/money.ts';
import type { Slice } from '../db/paging.ts';
import type { Database, Statement } from '../db/client.ts';
import { orders } from '../orders/schema.ts';
import { ofOrder, type AttentionLine } from '../operations/attention-line.ts';
import type { PaymentContext } from './context.ts';
import { settleReported } from './pay.ts';
import { disputes, payments } from './schema.ts';
import { askStripe, idOf, unlessMissing } from './stripe.ts';

/** Writes down that a payment was warned of; one that is not ours changes nothing. @throws ApiError 503 Stripe does not answer */
export async function noteFraudWarning(context: PaymentContext, id: string): Promise<void> {
  const { db, log, stripe } = context;
  const warning = await askStripe(log, () => unlessMissing(stripe.radar.earlyFraudWarnings.retrieve(id)));
  const intentId = idOf(warning?.payment_intent);
  if (!warning || intentId === undefined) return;
  // The event of the payment itself may be on its way still.
  await settleReported(context, intentId);
  await db
    .update(payments)
    .set({ warnedAt: warning.created * 1_000 })
    .where(and(eq(payments.paymentIntentId, intentId), isNull(payments.warnedAt)));
}

/** The queries for payments that were warned of, as long as a refund is what to do about them. */
export function fraudWarnings(db: Database) {
  const isDisputed = db
    .select({ _id: disputes._id })
    .from(disputes)
    .where(eq(disputes.paymentIntentId, payments.paymentIntentId));
  const isOpen = and(
    isNotNull(payments.warnedAt),
    isNull(payments.seenAt),
    eq(payments.outcome, 'settled'),
    eq(orders.paymentStatus, 'Paid'),
    notExists(isDisputed),
  );
  return {
    count: db
      .select({ count: count() })
      .from(payments)
      .innerJoin(orders, eq(orders._id, payments.orderId))
      .where(isOpen),
    first: ({ order, limit }: Slice) =>
      db
        .select({ payment: payments, number: orders.number })
        .from(payments)
        .innerJoin(orders, eq(orders._id, payments.orderId))
        .where(isOpen)
        .orderBy(order(payments.warnedAt))
        .limit(limit),
  };
}

type Warned = Awaited<ReturnType<ReturnType<typeof fraudWarnings>['first']>>[number];

/** One of them as a line of what needs a person. */
export const fraudWarning = ({ payment, number }: Warned): AttentionLine => ({
  _id: payment._id,
  kind: 'fraudWarning',
  text: `The cardholder's bank warns that the card payment of ${displayPrice(payment.amountCents)}${ofOrder(number)} may be a fraud. Refund it on the order now, before it becomes a dispute, which costs a fee; or mark it as done if you know that it is genuine.`,
  orderId: payment.orderId,
  time: payment.warnedAt ?? 0,
});

/** The statement that takes a warning off the list. */
export const markWarningSeen = (
  db: Database,
  id: string,
  seen: { readonly seenBy: string; readonly seenAt: number },
): Statement =>
  db
    .update(payments)
    .set(seen)
    .where(and(eq(payments._id, id), isNotNull(payments.warnedAt), isNull(payments.seenAt)));
