/** Card payments: gives the browser an order's only live PaymentIntent, and asks Stripe for its outcome. */
import { eq } from 'drizzle-orm';
import type Stripe from 'stripe';
import type { Account } from '#contract/accounts.ts';
import { newId } from '#contract/ids.ts';
import { displayPriceText, parsePriceCents } from '#contract/money.ts';
import { displayOrderNumber } from '#contract/orders.ts';
import { displayNameOf } from '#contract/packages.ts';
import { readTogether } from '../db/client.ts';
import { conflict } from '../http/errors.ts';
import { describeError } from '../http/log.ts';
import { countAttemptOnce, releaseAttemptOnce } from '../limits/idempotency-keys.ts';
import { rateLimitFor } from '../limits/rate-limits.ts';
import { actorFor, changeOrder, retryOnConflict } from '../orders/changes.ts';
import { findOrder, orderNotFound, orderQuery } from '../orders/read.ts';
import type { OrderRecord } from '../orders/schema.ts';
import type { PaymentContext } from './context.ts';
import { refuseWhileWaiting, reviewDeclines } from './declines.ts';
import { paymentIntents } from './schema.ts';
import { keysQuery, refuseMixedModes, refuseRejectedKey } from './stripe-key.ts';
import { closeIntent, settlePayment } from './settle.ts';
import { invoiceOf, createStripeSubscription, linkStripeSubscription } from './start-subscription.ts';
import { cancelIntent, findIntent, isKeyInUse, isReceiptRefused, labelOf } from './stripe.ts';

/** How long the browser and the webhook have to report a payment before reconciliation asks Stripe, in ms. */
export const reconcileAfterMs = 2 * 60_000;

const paidAlready = () =>
  conflict('This order is already paid. Nothing more is due.', { paymentStatus: 'Paid' });
const cancelledAlready = () =>
  conflict('This order was cancelled. Please place a new one.', { paymentStatus: 'Cancelled' });

export const refundedAlready = () =>
  conflict('This order was paid and refunded in full. Please place a new one.', {
    paymentStatus: 'Refunded',
  });

const nothingPaid = () => conflict('No payment has been made for this order yet.');

/** @throws ApiError 409 unless the order is unpaid */
function refuseUnlessUnpaid({ paymentStatus }: OrderRecord): void {
  if (paymentStatus === 'Paid') throw paidAlready();
  if (paymentStatus === 'Cancelled') throw cancelledAlready();
  if (paymentStatus === 'Refunded') throw refundedAlready();
}

/** The verified address of a payer, for Stripe's own receipt; empty if Stripe should send none. */
const receiptEmailOf = (payer: Account | undefined): string => (payer?.emailVerified ? payer.email : '');

/**
 * Updates the receipt address, because the payer may differ from the one the intent was created for. An address that
 * Stripe refuses does not prevent the payment.
 */
async function addressReceipt(
  { log, stripe }: PaymentContext,
  { id, receipt_email }: Stripe.PaymentIntent,
  receiptEmail: string,
): Promise<void> {
  if ((receipt_email ?? '') === receiptEmail) return;
  try {
    await stripe.paymentIntents.update(id, { receipt_email: receiptEmail });
  } catch (error) {
    log('payment.receipt-email-rejected', { intent: id, ...describeError(error) });
  }
}

/**
 * Returns the live intent that an order already has, and restarts its time until reconciliation. An intent that our
 * key cannot see is treated as missing.
 * @throws ApiError 429 the order waits after declined cards
 */
async function reuseIntent(
  context: PaymentContext,
  order: OrderRecord,
  payer: Account | undefined,
): Promise<string | undefined> {
  const { db, stripe } = context;
  const found = await findIntent(stripe, order.paymentIntentId);
  if (!found) return undefined;
  const { intent, waitsUntil } = await reviewDeclines(context, found);
  if (intent.status === 'succeeded') {
    await settlePayment(context, intent);
    throw paidAlready();
  }
  refuseWhileWaiting(waitsUntil);
  if (intent.status === 'canceled' || intent.client_secret === null) return undefined;
  await addressReceipt(context, intent, receiptEmailOf(payer));
  const now = Date.now();
  await db
    .update(paymentIntents)
    .set({ startedAt: now, checkAt: now + reconcileAfterMs })
    .where(eq(paymentIntents.paymentIntentId, intent.id));
  return intent.client_secret;
}

/** How long a call waits before it checks again for an intent that another call is already creating, in ms. */
const makingPauseMs = 500;
/**
 * How many times it checks, each time with two attempts of Stripe's client half a second apart. The other call may
 * be its own first attempt that timed out, so in total it waits as long as it would if Stripe hung.
 */
const maxWaits = 6;

/**
 * Creates an intent at Stripe. If Stripe refuses the receipt's email, the intent is created without one, under a
 * different idempotency key, because a key is tied to one set of parameters.
 */
async function makeIntent(
  context: PaymentContext,
  order: OrderRecord,
  receiptEmail: string,
  idempotencyKey: string,
): Promise<Stripe.PaymentIntent> {
  const { env, log, stripe } = context;
  const make = (receipt: { readonly receipt_email?: string }, key: string) =>
    order.subscriptionId !== null
      ? createStripeSubscription(context, order, receipt, key)
      : stripe.paymentIntents.create(
          {
            amount: order.priceCents,
            currency: 'usd',
            // Captured immediately, so that Stripe's response about a payment includes its fee
            // (https://docs.stripe.com/payments/payment-intents/asynchronous-capture).
            capture_method: 'automatic',
            // Apple Pay and Google Pay count as cards, and Link is a separate type. None of them leaves the page.
            allowed_payment_method_types: ['card', 'link'],
            description: `Order ${displayOrderNumber(order.number)}: ${displayNameOf(order)} package`,
            metadata: labelOf(env, order._id),
            ...receipt,
          },
          { idempotencyKey: key },
        );
  if (receiptEmail === '') return make({}, idempotencyKey);
  try {
    return await make({ receipt_email: receiptEmail }, idempotencyKey);
  } catch (error) {
    if (!isReceiptRefused(error)) throw error;
    log('payment.receipt-email-rejected', { order: order._id, ...describeError(error) });
    return make({}, `${idempotencyKey}-no-receipt`);
  }
}

/**
 * Creates an intent and records it as the order's only one. The idempotency key gives concurrent calls within a
 * minute the same intent. It contains the minute, because Stripe repeats a failure under the same key for a day.
 * If an intent cannot be recorded, it is cancelled and its client secret never returned.
 * @param mayWait whether to look again while Stripe creates the intent for another call
 * @returns undefined if another change came first, or Stripe is creating the intent for another call
 * @throws ApiError 429 too many were created, StripeError Stripe does not answer
 */
async function createIntent(
  context: PaymentContext,
  order: OrderRecord,
  payer: Account | undefined,
  address: string,
  mayWait: () => boolean,
): Promise<string | undefined> {
  const { db, env, stripe, beforeStep } = context;
  const by = actorFor(payer, order);
  const receiptEmail = receiptEmailOf(payer);
  const now = Date.now();
  // Another payer has a different receipt_email, which Stripe refuses under the same key.
  const addressee = receiptEmail === '' ? '' : by.accountId;
  const idempotencyKey = `${order._id}-${order.version}-${addressee}-${Math.floor(now / 60_000)}`;
  const taken = [rateLimitFor(env, 'intentsOrder', order._id), rateLimitFor(env, 'intentsAddress', address)];
  await countAttemptOnce(db, idempotencyKey, taken);
  await beforeStep('create intent');
  let intent: Stripe.PaymentIntent;
  try {
    intent = await makeIntent(context, order, receiptEmail, idempotencyKey);
  } catch (error) {
    if (isKeyInUse(error) && mayWait()) {
      await new Promise((resolve) => setTimeout(resolve, makingPauseMs));
      return undefined;
    }
    await releaseAttemptOnce(db, idempotencyKey, taken);
    throw error;
  }
  await beforeStep('record intent');
  const written = await changeOrder(
    db,
    order,
    { kind: 'paymentStarted', by, set: { paymentIntentId: intent.id, ...invoiceOf(intent) } },
    [
      db.insert(paymentIntents).values({
        _id: newId(),
        paymentIntentId: intent.id,
        orderId: order._id,
        startedAt: now,
        checkAt: now + reconcileAfterMs,
      }),
      ...linkStripeSubscription(db, order, intent),
      // Stripe has confirmed that an earlier intent is cancelled.
      closeIntent(context, order.paymentIntentId),
    ],
  );
  if (written) return intent.client_secret ?? undefined;
  const { paymentIntentId } = await findOrder(db, order._id);
  if (paymentIntentId !== intent.id) await cancelIntent(stripe, intent.id);
  return undefined;
}

interface RequestedPayment {
  readonly clientSecret: string;
  /** The subscription that the payment starts; null for an order that is paid once. */
  readonly subscriptionId: string | null;
}

/**
 * Returns the client secret with which the browser pays an order. Repeated calls return the same intent's secret.
 * @param amount the price that the payer saw
 * @param payer undefined for a stranger who has the link
 * @param address the payer's network address, for rate limits
 * @throws ApiError 404, 409 paid, cancelled or a different amount, 429 too many intents or declined cards, 503 the keys
 *   have different modes; StripeError Stripe does not answer
 */
export function requestPaymentIntent(
  context: PaymentContext,
  orderId: string,
  amount: string | number,
  payer: Account | undefined,
  address = 'unknown',
): Promise<RequestedPayment> {
  let waits = 0;
  return retryOnConflict(async () => {
    const { db, env, log } = context;
    const [[order], keys] = await readTogether(db, [orderQuery(db, orderId), keysQuery(db)]);
    if (!order) throw orderNotFound();
    refuseUnlessUnpaid(order);
    refuseRejectedKey(keys);
    if (parsePriceCents(String(amount)) !== order.priceCents)
      throw conflict(`The price of this order is ${displayPriceText(order.packagePrice)}.`, {
        currentPrice: order.packagePrice,
      });
    const live = order.paymentIntentId === '' ? undefined : await reuseIntent(context, order, payer);
    if (live === undefined) refuseMixedModes(keys, env, log);
    const clientSecret =
      live ?? (await createIntent(context, order, payer, address, () => (waits += 1) <= maxWaits));
    return clientSecret === undefined ? undefined : { clientSecret, subscriptionId: order.subscriptionId };
  });
}

/**
 * Makes an order Paid if Stripe says that its payment has succeeded. Anyone who has the link may ask.
 * @throws ApiError 404, 409 it has not succeeded (yet), StripeError Stripe does not answer
 */
export async function confirmPayment(context: PaymentContext, orderId: string): Promise<OrderRecord> {
  const { db, stripe } = context;
  const order = await findOrder(db, orderId);
  if (order.paymentStatus === 'Paid') return order;
  if (order.paymentStatus === 'Refunded') throw refundedAlready();
  if (order.paymentIntentId === '') throw nothingPaid();
  const intent = await findIntent(stripe, order.paymentIntentId);
  if (!intent) throw nothingPaid();
  if (intent.status === 'processing')
    throw conflict('The bank is still working on this payment. We will email you when it arrives.');
  if (intent.status !== 'succeeded') throw conflict('Our payment provider has not received this payment.');
  await settlePayment(context, intent);
  const settled = await findOrder(db, orderId);
  if (settled.paymentStatus !== 'Paid')
    throw conflict(
      'This order was cancelled before the payment arrived. We are refunding the payment in full.',
    );
  return settled;
}
