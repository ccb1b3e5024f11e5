/**
 * Early fraud warnings: a cardholder's bank reports a payment as fraud before it disputes it. Refunding then
 * avoids the dispute fee (https://docs.stripe.com/disputes/measuring#early-fraud-warnings).
 */
import { and, eq, isNotNull, isNull, not } from 'drizzle-orm';
import { displayPrice } from '#contract/money.ts';
import type { Database } from '../db/client.ts';
import { hasRow } from '../db/has-row.ts';
import { orders } from '../orders/schema.ts';
import { attentionQueries, ofOrder } from '../operations/attention-line.ts';
import type { PaymentContext } from './context.ts';
import { disputes, payments } from './schema.ts';
import { idOf, orUndefinedIf404 } from './stripe.ts';
import { findReportedPayment } from './reported-payment.ts';

/**
 * Records a warning about a payment. A payment that is not ours changes nothing.
 * @throws StripeError Stripe does not answer
 */
export async function recordFraudWarning(context: PaymentContext, id: string): Promise<void> {
  const { db, stripe } = context;
  const warning = await orUndefinedIf404(stripe.radar.earlyFraudWarnings.retrieve(id));
  const payment = warning && (await findReportedPayment(context, idOf(warning.payment_intent)));
  if (!payment) return;
  await db
    .update(payments)
    .set({ warnedAt: warning.created * 1_000 })
    .where(and(eq(payments._id, payment._id), isNull(payments.warnedAt)));
}

/** Payments with a warning that a refund can still resolve. */
export function fraudWarnings(db: Database) {
  const isOpen = and(
    isNotNull(payments.warnedAt),
    isNull(payments.seenAt),
    eq(payments.outcome, 'settled'),
    eq(orders.paymentStatus, 'Paid'),
    not(hasRow(disputes, eq(disputes.paymentIntentId, payments.paymentIntentId))),
  );
  return attentionQueries(db, {
    rows: () =>
      db
        .select({ payment: payments, number: orders.number })
        .from(payments)
        .innerJoin(orders, eq(orders._id, payments.orderId))
        .where(isOpen),
    since: payments.warnedAt,
    toLine: ({ payment, number }) => ({
      _id: payment._id,
      text: `The cardholder's bank warns that the card payment of ${displayPrice(payment.amountCents)}${ofOrder(number)} may be fraud. Refund it on the order now, before it becomes a dispute, which costs a fee. If you know that the payment is genuine, mark this item as done.`,
      orderId: payment.orderId,
      time: payment.warnedAt ?? 0,
    }),
  });
}
