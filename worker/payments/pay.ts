/** Paying by card: handing out an order's one live PaymentIntent, and asking Stripe what became of it. */
import { eq } from 'drizzle-orm';
import { newId } from '#contract/ids.ts';
import { parsePriceCents } from '#contract/money.ts';
import { conflict } from '../http/errors.ts';
import { changeOrder, retryOnConflict, type Actor } from '../orders/changes.ts';
import { findOrder } from '../orders/read.ts';
import type { OrderRecord } from '../orders/schema.ts';
import type { PaymentContext } from './context.ts';
import { paymentIntents } from './schema.ts';
import { closeIntent, settlePayment } from './settle.ts';
import { askStripe, cancelIntent, findIntent } from './stripe.ts';

/** How long browser and webhook have for themselves before reconciliation asks. */
export const reconcileAfterMs = 2 * 60_000;

const paidAlready = () =>
  conflict('This order is paid already. Nothing more is due.', { paymentStatus: 'Paid' });
const cancelledAlready = () =>
  conflict('This order was cancelled. Please place a new one.', { paymentStatus: 'Cancelled' });

/** @throws ApiError 409 unless the order waits for its payment */
export function refuseUnlessUnpaid({ paymentStatus }: OrderRecord): void {
  if (paymentStatus === 'Paid') throw paidAlready();
  if (paymentStatus === 'Cancelled') throw cancelledAlready();
}

/** The live intent that an order has already; its clock starts anew. */
async function reuseIntent(context: PaymentContext, order: OrderRecord): Promise<string | undefined> {
  const { db, log, stripe } = context;
  const intent = await askStripe(log, () => stripe.paymentIntents.retrieve(order.paymentIntentId));
  if (intent.status === 'succeeded') {
    await settlePayment(context, intent);
    throw paidAlready();
  }
  if (intent.status === 'canceled' || intent.client_secret === null) return undefined;
  const now = Date.now();
  await db
    .update(paymentIntents)
    .set({ startedAt: now, checkAt: now + reconcileAfterMs })
    .where(eq(paymentIntents.paymentIntentId, intent.id));
  return intent.client_secret;
}

/**
 * Makes an intent and records it as the order's one. The key makes concurrent calls within a minute get the same intent from
 * Stripe; it holds the minute, because Stripe repeats a failure to the same key for a day. An intent that is not
 * recorded is cancelled and its secret never handed out.
 * @returns undefined when another change came first
 */
async function createIntent(
  context: PaymentContext,
  order: OrderRecord,
  by: Actor,
): Promise<string | undefined> {
  const { db, log, stripe, beforeStep } = context;
  const now = Date.now();
  await beforeStep('create intent');
  const intent = await askStripe(log, () =>
    stripe.paymentIntents.create(
      {
        amount: order.priceCents,
        currency: 'usd',
        allowed_payment_method_types: ['card'],
        description: `${order.packageName} package`,
        metadata: { orderId: order._id },
      },
      { idempotencyKey: `${order._id}-${order.version}-${Math.floor(now / 60_000)}` },
    ),
  );
  await beforeStep('record intent');
  const written = await changeOrder(
    db,
    order,
    { kind: 'paymentStarted', by, set: { paymentIntentId: intent.id } },
    [
      db.insert(paymentIntents).values({
        _id: newId(),
        paymentIntentId: intent.id,
        orderId: order._id,
        startedAt: now,
        checkAt: now + reconcileAfterMs,
      }),
      // Where there was one before, Stripe has said that it is cancelled.
      closeIntent(context, order.paymentIntentId),
    ],
  );
  if (written) return intent.client_secret ?? undefined;
  const { paymentIntentId } = await findOrder(db, order._id);
  if (paymentIntentId !== intent.id) await askStripe(log, () => cancelIntent(stripe, intent.id));
  return undefined;
}

/**
 * The client secret with which the browser pays an order; asking again answers the same intent's.
 * @param amount the price that the payer was shown
 * @throws ApiError 404, 409 paid, cancelled or another amount, 503 Stripe does not answer
 */
export function requestPaymentIntent(
  context: PaymentContext,
  orderId: string,
  amount: string | number,
  actorFor: (order: OrderRecord) => Actor,
): Promise<string> {
  return retryOnConflict(async () => {
    const order = await findOrder(context.db, orderId);
    refuseUnlessUnpaid(order);
    if (parsePriceCents(String(amount)) !== order.priceCents)
      throw conflict(`The price of this order is ${order.packagePrice} USD.`, {
        currentPrice: order.packagePrice,
      });
    const live = order.paymentIntentId === '' ? undefined : await reuseIntent(context, order);
    return live ?? createIntent(context, order, actorFor(order));
  });
}

/**
 * Makes an order Paid if Stripe says that its payment has succeeded; anyone who holds the link may ask.
 * @throws ApiError 404, 409 it has not (yet), 503 Stripe does not answer
 */
export async function confirmPayment(context: PaymentContext, orderId: string): Promise<OrderRecord> {
  const { db, log, stripe } = context;
  const order = await findOrder(db, orderId);
  if (order.paymentStatus === 'Paid') return order;
  if (order.paymentIntentId === '') throw conflict('No payment has been made for this order yet.');
  const intent = await askStripe(log, () => stripe.paymentIntents.retrieve(order.paymentIntentId));
  if (intent.status === 'processing')
    throw conflict('The bank is still working on this payment. We will send you a mail when it has arrived.');
  if (intent.status !== 'succeeded') throw conflict('The card provider has not received this payment.');
  await settlePayment(context, intent);
  const settled = await findOrder(db, orderId);
  if (settled.paymentStatus !== 'Paid')
    throw conflict(
      'This order was cancelled before the payment arrived. We are returning the payment in full.',
    );
  return settled;
}

/**
 * Settles the payment that an event speaks of. The event is a hint, never evidence: anyone who knows the webhook secret
 * could have written it, so what counts is the intent that Stripe answers.
 * @throws ApiError 503 Stripe does not answer
 */
export async function settleReported(context: PaymentContext, intentId: string): Promise<void> {
  const { log, stripe } = context;
  const intent = await askStripe(log, () => findIntent(stripe, intentId));
  if (intent) await settlePayment(context, intent);
  else log('payment.unknown', { intent: intentId });
}
