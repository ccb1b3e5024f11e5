/**
 * Card testing: fraudsters try which of many stolen card numbers work. After a number of declined cards we cancel
 * the order's PaymentIntent, which makes its client secret useless, and the order must wait before it gets another.
 * Stripe's charges say how many cards were declined, and when. The webhook, the page and reconciliation all check
 * them, so hiding declines in the browser has no effect.
 */
import type Stripe from 'stripe';
import { rateLimitFor, describeWait } from '../limits/rate-limits.ts';
import { tooManyRequests } from '../http/errors.ts';
import { lookUpOrder } from '../orders/read.ts';
import type { PaymentContext } from './context.ts';
import { settlePayment } from './settle.ts';
import { cancelIntent, findIntent } from './stripe.ts';

/** The maximum number of charges of one intent that we examine: one list page of Stripe. */
const maxCharges = 100;

interface Reviewed {
  readonly intent: Stripe.PaymentIntent;
  /** When its order may be paid again, as Unix time in ms; 0 if it may be paid now. */
  readonly waitsUntil: number;
}

/**
 * Cancels an intent if too many cards were declined.
 * @param intent of one of our orders, as Stripe has it
 */
export async function reviewDeclines(
  { env, stripe, beforeStep }: PaymentContext,
  intent: Stripe.PaymentIntent,
): Promise<Reviewed> {
  const isTried = intent.latest_charge !== null;
  // Intents in any other state accept no more cards.
  if (!isTried || intent.status === 'succeeded' || intent.status === 'processing')
    return { intent, waitsUntil: 0 };
  const { max, windowMs } = rateLimitFor(env, 'declines', intent.id);
  const { data: charges } = await stripe.charges.list({ payment_intent: intent.id, limit: maxCharges });
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
    throw tooManyRequests(
      `Too many cards were declined for this order. Please wait ${describeWait(seconds)}, then load this page again and pay with another card.`,
      seconds,
    );
}

/**
 * Reviews the order whose card was declined, according to an event. Ignores payments that are not for our orders.
 * @throws StripeError Stripe does not answer
 */
export async function reviewReported(context: PaymentContext, intentId: string): Promise<void> {
  const { db, stripe } = context;
  const found = await findIntent(stripe, intentId);
  const order = await lookUpOrder(db, found?.metadata['orderId'] ?? '');
  if (!found || order?.paymentIntentId !== found.id) return;
  const { intent } = await reviewDeclines(context, found);
  // A card may have been accepted in the meantime.
  await settlePayment(context, intent);
}
