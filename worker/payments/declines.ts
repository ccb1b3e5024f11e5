/**
 * Card testing: somebody who has many card numbers tries which of them work. After some declined cards an order's
 * PaymentIntent is cancelled, so that its client secret is of no more use, and the order waits before it gets another.
 * How many were declined, and when, is what Stripe's charges say. The webhook, the page and reconciliation all ask, so
 * that a browser which keeps its declines to itself gains nothing.
 */
import type Stripe from 'stripe';
import { allowanceFor, describeWait } from '../limits/allowances.ts';
import { tooMany } from '../http/errors.ts';
import { lookUpOrder } from '../orders/read.ts';
import type { PaymentContext } from './context.ts';
import { settlePayment } from './settle.ts';
import { askStripe, cancelIntent, findIntent } from './stripe.ts';

/** Most charges of one intent that are looked at: as many as one call lists. */
const mostCharges = 100;

export interface Reviewed {
  /** The intent as it is now. */
  readonly intent: Stripe.PaymentIntent;
  /** Until when its order waits, in ms; 0: it need not. */
  readonly waitsUntil: number;
}

/**
 * Cancels an intent on which too many cards were declined.
 * @param intent of one of our orders, as Stripe has it
 */
export async function reviewDeclines(
  { env, stripe, beforeStep }: PaymentContext,
  intent: Stripe.PaymentIntent,
): Promise<Reviewed> {
  const isTried = intent.latest_charge !== null;
  // No further card can be tried on the others.
  if (!isTried || intent.status === 'succeeded' || intent.status === 'processing')
    return { intent, waitsUntil: 0 };
  const { max, windowMs } = allowanceFor(env, 'declines', intent.id);
  const { data: charges } = await stripe.charges.list({ payment_intent: intent.id, limit: mostCharges });
  const declined = charges.filter(({ status }) => status === 'failed');
  if (declined.length < max) return { intent, waitsUntil: 0 };
  const waitsUntil = Math.max(...declined.map(({ created }) => created * 1_000)) + windowMs;
  if (intent.status === 'canceled') return { intent, waitsUntil };
  await beforeStep('close intent');
  return { intent: (await cancelIntent(stripe, intent.id)) ?? intent, waitsUntil };
}

/** @throws ApiError 429 with Retry-After while an order waits */
export function refuseWhileWaiting(waitsUntil: number): void {
  const seconds = Math.ceil((waitsUntil - Date.now()) / 1_000);
  if (seconds > 0)
    throw tooMany(
      `Too many cards were declined for this order. Please wait ${describeWait(seconds)}, then load this page again and pay with another card.`,
      seconds,
    );
}

/**
 * Looks after the order whose declined card an event speaks of. Payments that are not for one of our orders are none of
 * our business.
 * @throws ApiError 503 Stripe does not answer
 */
export async function reviewReported(context: PaymentContext, intentId: string): Promise<void> {
  const { db, log, stripe } = context;
  const found = await askStripe(log, () => findIntent(stripe, intentId));
  const order = await lookUpOrder(db, found?.metadata['orderId'] ?? '');
  if (!found || order?.paymentIntentId !== found.id) return;
  const { intent } = await askStripe(log, () => reviewDeclines(context, found));
  // Somebody's card was taken in the meantime.
  await settlePayment(context, intent);
}
