/**
 * The one transition from UnPaid to Paid by card. The payer's browser, Stripe's webhook and reconciliation all come
 * here, with a PaymentIntent that Stripe says has succeeded, in any order and any number of times: the ledger's unique
 * PaymentIntent and the order's version let only one of them write. A payment that its order cannot take is returned.
 */
import { and, eq } from 'drizzle-orm';
import type Stripe from 'stripe';
import { newId } from '#contract/ids.ts';
import { isUniqueViolation, writeBatch, type Statement } from '../db/client.ts';
import { describeError } from '../http/log.ts';
import { changeOrder, stripeActor, retryOnConflict } from '../orders/changes.ts';
import { orderPaidMail, paymentRefundedMail } from '../orders/mails.ts';
import { tellBusinessOfPayment, tellCustomer } from '../orders/notify.ts';
import { lookUpOrder } from '../orders/read.ts';
import type { OrderRecord } from '../orders/schema.ts';
import type { PaymentContext } from './context.ts';
import { paymentIntents, payments, type PaymentRecord } from './schema.ts';
import { isRefusal } from './stripe.ts';

/** The statement that stops reconciliation from asking about an intent. */
export const closeIntent = ({ db }: PaymentContext, paymentIntentId: string): Statement =>
  db
    .update(paymentIntents)
    .set({ checkAt: null, failures: 0, problem: null })
    .where(eq(paymentIntents.paymentIntentId, paymentIntentId));

async function findPayment(
  { db }: PaymentContext,
  paymentIntentId: string,
): Promise<PaymentRecord | undefined> {
  const [payment] = await db.select().from(payments).where(eq(payments.paymentIntentId, paymentIntentId));
  return payment;
}

/** Why an order cannot take a payment; undefined when it can. */
function whyRefused(order: OrderRecord, intent: Stripe.PaymentIntent): PaymentRecord['refusal'] | undefined {
  if (order.paymentStatus === 'Cancelled') return 'cancelled';
  if (order.paymentStatus === 'Paid') return 'paidAlready';
  if (intent.amount_received !== order.priceCents || intent.currency !== 'usd') return 'amountDiffers';
  return undefined;
}

const ledgerRow = (order: OrderRecord, intent: Stripe.PaymentIntent): typeof payments.$inferInsert => ({
  _id: newId(),
  orderId: order._id,
  method: 'Card',
  paymentIntentId: intent.id,
  amountCents: intent.amount_received,
  currency: intent.currency,
  outcome: 'settled',
  at: Date.now(),
});

/** Makes the order Paid. @returns undefined when another change came first */
async function writePaid(
  context: PaymentContext,
  order: OrderRecord,
  intent: Stripe.PaymentIntent,
): Promise<true | undefined> {
  const { db, beforeStep } = context;
  const set = { paymentStatus: 'Paid', paymentMethod: 'Card', transactionId: intent.id } as const;
  await beforeStep('settle');
  const written = await changeOrder(db, order, { kind: 'paid', by: stripeActor, set }, [
    db.insert(payments).values(ledgerRow(order, intent)),
    closeIntent(context, intent.id),
    ...tellCustomer(context, { ...order, ...set }, 'order-paid', orderPaidMail),
    tellBusinessOfPayment(context, { ...order, ...set }),
  ]);
  return written && true;
}

/** Records a payment that goes back. @returns undefined when another change came first */
async function writeRefusal(
  context: PaymentContext,
  order: OrderRecord,
  intent: Stripe.PaymentIntent,
  refusal: NonNullable<PaymentRecord['refusal']>,
): Promise<true | undefined> {
  const { db, beforeStep, log } = context;
  await beforeStep('refuse');
  try {
    await writeBatch(db, [
      db.insert(payments).values({ ...ledgerRow(order, intent), outcome: 'refundDue', refusal }),
      closeIntent(context, intent.id),
    ]);
  } catch (error) {
    if (isUniqueViolation(error)) return undefined;
    throw error;
  }
  log('payment.refused', { order: order._id, refusal });
  return true;
}

/**
 * Returns a refused payment and tells the customer. Stripe returns a payment once at most, so this may be repeated
 * until it is done.
 */
export async function sendRefund(
  context: PaymentContext,
  { _id, orderId, paymentIntentId }: PaymentRecord,
): Promise<void> {
  const { db, stripe, beforeStep } = context;
  if (paymentIntentId === null) return;
  await beforeStep('send refund');
  let refundId: string | null = null;
  try {
    ({ id: refundId } = await stripe.refunds.create({
      payment_intent: paymentIntentId,
      metadata: { orderId },
    }));
  } catch (error) {
    if (!isRefusal(error, 'charge_already_refunded')) throw error;
  }
  await beforeStep('record refund');
  await retryOnConflict(async () => {
    const [order, payment] = await Promise.all([
      lookUpOrder(db, orderId),
      findPayment(context, paymentIntentId),
    ]);
    if (!order || payment?.outcome !== 'refundDue') return true;
    const written = await changeOrder(db, order, { kind: 'refunded', by: stripeActor, set: {} }, [
      db
        .update(payments)
        .set({ outcome: 'refunded', refundId })
        .where(and(eq(payments._id, _id), eq(payments.outcome, 'refundDue'))),
      ...tellCustomer(context, order, 'payment-refunded', paymentRefundedMail),
    ]);
    return written && true;
  });
}

/**
 * Takes note of a PaymentIntent that Stripe says has succeeded: its order becomes Paid, or the payment goes back.
 * Anything but a success, and a payment that is not for one of our orders, changes nothing.
 */
export async function settlePayment(context: PaymentContext, intent: Stripe.PaymentIntent): Promise<void> {
  const { db, log } = context;
  if (intent.status !== 'succeeded') return;
  const isNoted = await retryOnConflict(async () => {
    const [order, known] = await Promise.all([
      lookUpOrder(db, intent.metadata['orderId'] ?? ''),
      findPayment(context, intent.id),
    ]);
    if (!order) return false;
    if (known) return true;
    const refusal = whyRefused(order, intent);
    return refusal ? writeRefusal(context, order, intent, refusal) : writePaid(context, order, intent);
  });
  const payment = isNoted ? await findPayment(context, intent.id) : undefined;
  if (!isNoted) log('payment.foreign', { intent: intent.id });
  if (payment?.outcome !== 'refundDue') return;
  try {
    await sendRefund(context, payment);
  } catch (error) {
    // It stays due: reconciliation tries again, and administrators see it.
    log('refund.failed', { order: payment.orderId, ...describeError(error) });
  }
}
