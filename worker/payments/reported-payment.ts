/**
 * The payments that Stripe's events name: settles a reported one, and finds the one whose refund, dispute or fraud
 * warning is reported.
 */
import { eq } from 'drizzle-orm';
import type Stripe from 'stripe';
import { orders, subscriptions } from '../orders/schema.ts';
import type { PaymentContext } from './context.ts';
import type { PaymentRecord } from './schema.ts';
import { findPayment, settlePayment } from './settle.ts';
import { findIntent, idOf } from './stripe.ts';
import { syncInvoice } from './sync-subscription.ts';

/**
 * Handles a succeeded payment without an order id: finds the subscription through the invoice that it paid.
 * @returns whether it paid an invoice of one of our subscriptions
 */
async function settleRenewal(
  context: PaymentContext,
  { id, status }: Stripe.PaymentIntent,
  reportedAt: number | undefined,
): Promise<boolean> {
  const { db, stripe } = context;
  if (status !== 'succeeded') return false;
  const [begun] = await db.select({ _id: subscriptions._id }).from(subscriptions).limit(1);
  if (!begun) return false;
  const payment = { type: 'payment_intent' as const, payment_intent: id };
  const { data } = await stripe.invoicePayments.list({ payment });
  const invoice = idOf(data[0]?.invoice);
  if (invoice === undefined) return false;
  await syncInvoice(context, invoice, reportedAt);
  const [made] = await db.select({ _id: orders._id }).from(orders).where(eq(orders.invoiceId, invoice));
  return made !== undefined;
}

/**
 * Settles the payment that an event is about. The event is only a hint, so we ask Stripe for the intent.
 * @throws StripeError Stripe does not answer
 */
export async function settleReported(
  context: PaymentContext,
  intentId: string,
  reportedAt?: number,
): Promise<void> {
  const intent = await findIntent(context.stripe, intentId);
  if (!intent) context.log('payment.unknown', { intent: intentId });
  // Only the first payment of a subscription names an order. The payment of a renewal creates its own order.
  else if (intent.metadata['orderId'] !== undefined || !(await settleRenewal(context, intent, reportedAt)))
    await settlePayment(context, intent);
}

/**
 * Finds the payment that an event about its refund, dispute or fraud warning names. The payment's own event may not have
 * arrived yet, so we then ask Stripe about it too.
 * @returns undefined if it is not ours
 */
export async function findReportedPayment(
  context: PaymentContext,
  intentId: string | undefined,
): Promise<PaymentRecord | undefined> {
  if (intentId === undefined) return undefined;
  const known = await findPayment(context, intentId);
  if (known) return known;
  await settleReported(context, intentId);
  return findPayment(context, intentId);
}
