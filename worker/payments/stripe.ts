/** Stripe's official client. It talks to Stripe or, during development, to the local stand-in. */
import Stripe from 'stripe';
import type { Env } from '../env.ts';

/**
 * The events that the webhook endpoint receives: exactly those that webhook-events.ts handles. `npm run deploy`
 * configures them at Stripe.
 */
export const webhookEvents = [
  'payment_intent.succeeded',
  'payment_intent.payment_failed',
  'charge.refunded',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'radar.early_fraud_warning.created',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
  'invoice.paid',
  'invoice.payment_failed',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'customer.updated',
] as const satisfies readonly Stripe.WebhookEndpointCreateParams.EnabledEvent[];

export type WebhookEvent = (typeof webhookEvents)[number];

const apiAddress = (address: string): Stripe.StripeConfig => {
  const { hostname, port, protocol } = new URL(address);
  return { host: hostname, port, protocol: protocol === 'http:' ? 'http' : 'https' };
};

function isStripeObject(text: string): boolean {
  try {
    const answer: unknown = JSON.parse(text);
    return typeof answer === 'object' && answer !== null && 'object' in answer;
  } catch {
    return false;
  }
}

/**
 * A fetch that treats a success without a Stripe object (such as a proxy's page, or a truncated response) as a
 * lost connection. The client then retries under the same key, and finally fails as if Stripe were down.
 */
const fetchStripeObject: typeof fetch = async (input, init) => {
  const answer = await fetch(input, init);
  if (!answer.ok) return answer;
  const text = await answer.text();
  if (!isStripeObject(text)) throw new TypeError('The response contains no Stripe object.');
  return new Response(text, answer);
};

/**
 * A client for the API that the settings name. If Stripe hangs, the call fails after at most 17 s: two attempts and
 * half a second between them. The second attempt uses the same idempotency key, so Stripe acts only once
 * (https://docs.stripe.com/api/idempotent_requests).
 */
export const openStripe = (env: Pick<Env, 'STRIPE_SECRET_KEY' | 'STRIPE_API_URL'>): Stripe =>
  new Stripe(env.STRIPE_SECRET_KEY, {
    httpClient: Stripe.createFetchHttpClient(fetchStripeObject),
    maxNetworkRetries: 1,
    timeout: 8_000,
    telemetry: false,
    ...(env.STRIPE_API_URL && apiAddress(env.STRIPE_API_URL)),
  });

export const isRefusal = (error: unknown, code: string): boolean =>
  error instanceof Stripe.errors.StripeInvalidRequestError && error.code === code;

/**
 * Whether Stripe refused a call because another one with the same key is still running. That may be our own first
 * attempt that took too long. https://docs.stripe.com/error-codes#idempotency-key-in-use
 */
export const isKeyInUse = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeError && error.code === 'idempotency_key_in_use';

/** Whether Stripe refused a call because of the receipt's email address. */
export const isReceiptRefused = (error: unknown): boolean =>
  isRefusal(error, 'email_invalid') ||
  (error instanceof Stripe.errors.StripeInvalidRequestError && error.param === 'receipt_email');

/** The id in a field of a Stripe object, whether the field has the id or the expanded object. */
export const idOf = (named: string | { readonly id: string } | null | undefined): string | undefined =>
  typeof named === 'string' ? named : named?.id;

/** The expanded object in a field of a Stripe object; undefined if the field has only its id, or nothing. */
export const expanded = <T extends object>(field: string | T | null | undefined): T | undefined =>
  typeof field === 'object' && field !== null ? field : undefined;

/** Converts a time from Stripe to ms; null if there is none. @param seconds Unix time in seconds */
export const msOf = (seconds: number | null | undefined): number | null => (seconds ? seconds * 1_000 : null);

/** Whether a key is for live mode; objects and events of the other mode are ignored. */
export const isLiveKey = (key: string): boolean => /^(sk|rk|pk)_live_/.test(key);

export const modeOf = (key: string): 'live' | 'test' => (isLiveKey(key) ? 'live' : 'test');

/**
 * Why the site's secret key and a publishable key cannot take a payment together; undefined if they can. Stripe
 * keeps test and live objects apart (https://docs.stripe.com/keys#test-live-modes).
 */
export const findModeProblem = (
  { STRIPE_SECRET_KEY }: Pick<Env, 'STRIPE_SECRET_KEY'>,
  publishableKey: string,
): string | undefined =>
  modeOf(publishableKey) === modeOf(STRIPE_SECRET_KEY)
    ? undefined
    : `This is a ${modeOf(publishableKey)} key, and the site's secret key is a ${modeOf(STRIPE_SECRET_KEY)} key. Use the publishable key that begins with pk_${modeOf(STRIPE_SECRET_KEY)}_.`;

/**
 * The metadata that marks an intent as created by this site. The Stripe account may serve other sites too,
 * including other copies of this product.
 */
export const labelOf = ({ SITE_URL: site }: Pick<Env, 'SITE_URL'>, orderId: string) => ({ orderId, site });

/** Whether the metadata of an intent or a subscription says that this site created it. */
export const isFromThisSite = (
  { SITE_URL }: Pick<Env, 'SITE_URL'>,
  { metadata }: { readonly metadata: Stripe.Metadata },
): boolean => metadata['site'] === SITE_URL;

/**
 * The intent's current state at Stripe, with its charge, which has the payment method, and its balance transaction, which
 * has Stripe's fee. If a restricted key may not read the balance transaction, the intent comes without it, so a missing
 * fee never blocks a payment.
 */
async function retrieveIntent(stripe: Stripe, id: string): Promise<Stripe.PaymentIntent> {
  try {
    return await stripe.paymentIntents.retrieve(id, { expand: ['latest_charge.balance_transaction'] });
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripePermissionError)) throw error;
    return stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] });
  }
}

const orUndefinedIf =
  (isExpected: (error: unknown) => boolean) =>
  <T>(ask: Promise<T>): Promise<T | undefined> =>
    ask.catch((error: unknown) => {
      if (isExpected(error)) return undefined;
      throw error;
    });

/** Stripe's answer; undefined if it has nothing with that id. */
export const orUndefinedIf404 = orUndefinedIf((error) => isRefusal(error, 'resource_missing'));

/** Stripe's answer; undefined if it refuses the request, for example because a concurrent one came first. */
export const orUndefinedIfRefused = orUndefinedIf(
  (error) => error instanceof Stripe.errors.StripeInvalidRequestError,
);

/** The intent's current state at Stripe; undefined if there is none with this id. */
export const findIntent = (stripe: Stripe, id: string): Promise<Stripe.PaymentIntent | undefined> =>
  orUndefinedIf404(retrieveIntent(stripe, id));

/**
 * The maximum number of items that Stripe's client collects from a list
 * (https://docs.stripe.com/api/pagination/auto).
 */
export const maxListed = 10_000;

/** Refunds at Stripe, oldest first, because credit notes are numbered in the order of the refunds. */
export const listRefunds = async (stripe: Stripe, of: Stripe.RefundListParams): Promise<Stripe.Refund[]> =>
  (await stripe.refunds.list({ ...of, limit: 100 }).autoPagingToArray({ limit: maxListed })).reverse();

/** Whether an intent can no longer be cancelled, or is cancelled already. */
const isOver = ({ status }: Stripe.PaymentIntent): boolean =>
  status === 'succeeded' || status === 'canceled' || status === 'processing';

/**
 * Cancels an intent if that is still possible. Stripe does not cancel the intent of an invoice: for the first payment
 * of a subscription we cancel the subscription, which voids the invoice.
 * @returns the intent afterward, cancelled or in the state that came first; undefined if there is none with this id
 */
export async function cancelIntent(stripe: Stripe, id: string): Promise<Stripe.PaymentIntent | undefined> {
  try {
    return await stripe.paymentIntents.cancel(id);
  } catch (error) {
    if (isRefusal(error, 'resource_missing')) return undefined;
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
    const intent = await retrieveIntent(stripe, id);
    const { subscription } = intent.metadata;
    if (isOver(intent) || isRefusal(error, 'payment_intent_unexpected_state')) return intent;
    if (subscription === undefined) throw error;
    await cancelSubscription(stripe, subscription);
    return retrieveIntent(stripe, id);
  }
}

/** Ends a subscription immediately, unless it has ended already. */
export async function cancelSubscription(stripe: Stripe, id: string): Promise<void> {
  await orUndefinedIf404(stripe.subscriptions.cancel(id));
}

/**
 * Verifies a webhook's signature under any of the secrets (there are several during rotation) and returns its event.
 * @param secrets separated by commas
 * @returns undefined if the body, the time or the signature is not valid
 */
export async function verifyEvent(
  stripe: Stripe,
  secrets: string,
  body: string,
  signature: string,
): Promise<Stripe.Event | undefined> {
  for (const secret of secrets.split(',')) {
    try {
      return await stripe.webhooks.constructEventAsync(body, signature, secret.trim());
    } catch {
      // Another secret may have signed it.
    }
  }
  return undefined;
}
