/**
 * The only transition from UnPaid to Paid by card. The payer's browser, Stripe's webhook and reconciliation all
 * trigger it with a PaymentIntent that has succeeded according to Stripe, in any order and any number of times. The
 * ledger's unique PaymentIntent and the order's version let only one of them write. A payment that its order cannot
 * accept is returned.
 */
import { eq, sql } from 'drizzle-orm';
import type Stripe from 'stripe';
import { newId } from '#contract/ids.ts';
import { displayPrice } from '#contract/money.ts';
import { readTogether, writeUnlessConflict, type Statement } from '../db/client.ts';
import { changeOrder, stripeActor, retryOnConflict } from '../orders/changes.ts';
import { orderQuery } from '../orders/read.ts';
import type { OrderRecord } from '../orders/schema.ts';
import type { PaymentContext } from './context.ts';
import { feeOf, feeQuery, writeEntry, writePayment } from './ledger.ts';
import { returnPayment, sendReturn } from './refund-requests.ts';
import { paymentIntents, payments, type NewPayment, type PaymentRecord } from './schema.ts';
import { onPaid } from './on-paid.ts';
import { describePaymentMethod, walletOf } from './paid-with.ts';
import { activateSubscription, renewalOf } from './start-subscription.ts';
import { cancelSubscription, expanded, isFromThisSite } from './stripe.ts';

/** The statement that stops reconciliation from asking about an intent. */
export const closeIntent = ({ db }: PaymentContext, paymentIntentId: string): Statement =>
  db
    .update(paymentIntents)
    .set({ checkAt: null, failures: 0, problem: null })
    .where(eq(paymentIntents.paymentIntentId, paymentIntentId));

const paymentQuery = ({ db }: PaymentContext, paymentIntentId: string) =>
  db.select().from(payments).where(eq(payments.paymentIntentId, paymentIntentId));

export const findPayment = (context: PaymentContext, paymentIntentId: string) =>
  paymentQuery(context, paymentIntentId).get();

/** Why an order cannot accept a payment; undefined if it can. */
function whyRefused(order: OrderRecord, intent: Stripe.PaymentIntent): PaymentRecord['refusal'] | undefined {
  if (order.paymentStatus === 'Cancelled') return 'cancelled';
  if (order.paymentStatus === 'Paid') return 'paidAlready';
  if (order.paymentStatus === 'Refunded') return 'refunded';
  if (intent.amount_received !== order.priceCents || intent.currency !== 'usd') return 'amountDiffers';
  return undefined;
}

/** When Stripe received a payment, in ms. */
export const chargedAt = ({ latest_charge: charge, created }: Stripe.PaymentIntent): number =>
  (expanded(charge)?.created ?? created) * 1_000;

/** The row of a card payment that makes its order Paid. */
export const cardPayment = (
  { _id: orderId }: Pick<OrderRecord, '_id'>,
  intent: Stripe.PaymentIntent,
): NewPayment => ({
  _id: newId(),
  orderId,
  method: 'Card',
  paymentIntentId: intent.id,
  paidWith: describePaymentMethod(intent),
  amountCents: intent.amount_received,
  currency: intent.currency,
  outcome: 'settled',
  at: chargedAt(intent),
});

export const paidByCard = (intent: Stripe.PaymentIntent) =>
  ({
    paymentStatus: 'Paid',
    paymentMethod: 'Card',
    wallet: walletOf(intent),
    transactionId: intent.id,
  }) as const;

/** @returns undefined if another change came first */
async function writePaid(
  context: PaymentContext,
  order: OrderRecord,
  intent: Stripe.PaymentIntent,
): Promise<'settled' | undefined> {
  const { db, beforeStep } = context;
  const set = paidByCard(intent);
  const payment = cardPayment(order, intent);
  const paid = await onPaid(context, { ...order, ...set }, payment, intent, renewalOf(intent));
  await beforeStep('settle');
  const written = await changeOrder(db, order, { kind: 'paid', by: stripeActor, set }, [
    closeIntent(context, intent.id),
    // Stripe renews on the day when the pay page created the subscription, not on the day of the payment.
    activateSubscription(db, order, order.periodStart ?? payment.at),
    ...paid,
  ]);
  return written && 'settled';
}

/**
 * Records a payment that will be returned.
 * @returns undefined if another change came first
 */
async function writeRefusal(
  context: PaymentContext,
  order: OrderRecord,
  intent: Stripe.PaymentIntent,
  refusal: NonNullable<PaymentRecord['refusal']>,
): Promise<'refundDue' | undefined> {
  const { db, beforeStep, log } = context;
  const payment: NewPayment = {
    ...cardPayment(order, intent),
    outcome: 'refundDue',
    refusal,
    at: Date.now(),
  };
  await beforeStep('refuse');
  const isWritten = await writeUnlessConflict(db, [
    db.insert(payments).values(payment),
    returnPayment(context, payment),
    ...writePayment(db, payment, intent),
    closeIntent(context, intent.id),
  ]);
  if (!isWritten) return undefined;
  log('payment.refused', { order: order._id, refusal });
  return 'refundDue';
}

/**
 * Puts a payment whose order is missing from a restored backup on the attention list. It stays there until someone
 * has handled it.
 */
export async function recordLostPayment(
  { db, log }: PaymentContext,
  intent: Stripe.PaymentIntent,
): Promise<void> {
  const { id: paymentIntentId, amount_received: cents, description } = intent;
  const problem = `A card payment of ${displayPrice(cents)} arrived for an order that is no longer in the database (${description ?? ''}). Return it, or enter the order again.`;
  const known = (seen: typeof paymentIntents.seenBy | typeof paymentIntents.seenAt) =>
    sql`CASE WHEN ${paymentIntents.problem} = ${problem} THEN ${seen} END`;
  await db
    .insert(paymentIntents)
    .values({ _id: newId(), paymentIntentId, orderId: '', startedAt: chargedAt(intent), problem })
    .onConflictDoUpdate({
      target: paymentIntents.paymentIntentId,
      set: {
        orderId: '',
        checkAt: null,
        failures: 0,
        problem,
        seenBy: known(paymentIntents.seenBy),
        seenAt: known(paymentIntents.seenAt),
      },
    });
  log('payment.lost', { intent: paymentIntentId });
}

/**
 * Handles a PaymentIntent that Stripe says has succeeded: makes its order Paid, or returns the payment. Any other
 * status, and a payment that is not ours, changes nothing.
 */
export async function settlePayment(context: PaymentContext, intent: Stripe.PaymentIntent): Promise<void> {
  const { db, env, log } = context;
  if (intent.status !== 'succeeded') return;
  const outcome = await retryOnConflict(async () => {
    const [[order], [known], [knownFee]] = await readTogether(db, [
      orderQuery(db, intent.metadata['orderId'] ?? ''),
      paymentQuery(context, intent.id),
      feeQuery(db, intent.id),
    ]);
    if (!order) return isFromThisSite(env, intent) ? 'lost' : 'foreign';
    if (known) {
      const fee = knownFee ? undefined : feeOf(known, intent);
      // Another call may have written it.
      if (fee) await writeUnlessConflict(db, [writeEntry(db, fee)]);
      return known.outcome;
    }
    const refusal = whyRefused(order, intent);
    return refusal ? writeRefusal(context, order, intent, refusal) : writePaid(context, order, intent);
  });
  if (outcome === 'lost') await recordLostPayment(context, intent);
  if (outcome === 'foreign') log('payment.foreign', { intent: intent.id });
  if (outcome !== 'refundDue') return;
  // Otherwise the subscription would be renewed.
  const { subscription } = intent.metadata;
  if (subscription !== undefined) await cancelSubscription(context.stripe, subscription);
  await sendReturn(context, intent.id);
}
