/** The card provider: the official client, pointed at Stripe or, on one's own machine, at its stand-in. */
import Stripe from 'stripe';
import type { Env } from '../env.ts';
import { unavailable } from '../http/errors.ts';
import type { Log } from '../http/log.ts';

/** The events that the webhook endpoint is told of, all that are handled (reported.ts); `npm run deploy` sets them at Stripe. */
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
 * Fetch that treats a success without a Stripe object (such as a proxy's page, or a truncated answer) as a lost
 * connection: the client retries under the same key, and then fails as if Stripe were down.
 */
const fetchStripeObject: typeof fetch = async (input, init) => {
  const answer = await fetch(input, init);
  if (!answer.ok) return answer;
  const text = await answer.text();
  if (!isStripeObject(text)) throw new TypeError('The answer holds no object of Stripe.');
  return new Response(text, answer);
};

/**
 * A client for the API that the settings name. If Stripe hangs, the caller learns it after at most 17 s: two tries and
 * the half second between them. The second try uses the same idempotency key, so that both are done once.
 * https://docs.stripe.com/api/idempotent_requests
 */
export const openStripe = (env: Pick<Env, 'STRIPE_SECRET_KEY' | 'STRIPE_API_URL'>): Stripe =>
  new Stripe(env.STRIPE_SECRET_KEY, {
    httpClient: Stripe.createFetchHttpClient(fetchStripeObject),
    maxNetworkRetries: 1,
    timeout: 8_000,
    telemetry: false,
    ...(env.STRIPE_API_URL && apiAddress(env.STRIPE_API_URL)),
  });

/** Whether Stripe refused a call with this code. */
export const isRefusal = (error: unknown, code: string): boolean =>
  error instanceof Stripe.errors.StripeInvalidRequestError && error.code === code;

/**
 * Whether Stripe refused a call because another one is still executed under its key; our own first try, perhaps, that took too
 * long. https://docs.stripe.com/error-codes#idempotency-key-in-use
 */
export const isKeyInUse = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeError && error.code === 'idempotency_key_in_use';

/** Whether Stripe refused a call because of the email that its receipt should go to. */
export const isReceiptRefused = (error: unknown): boolean =>
  isRefusal(error, 'email_invalid') ||
  (error instanceof Stripe.errors.StripeInvalidRequestError && error.param === 'receipt_email');

/** The id in a field of a Stripe object, whether it holds the id or the expanded object. */
export const idOf = (named: string | { readonly id: string } | null | undefined): string | undefined =>
  typeof named === 'string' ? named : named?.id;

/** Whether a key is for live mode; objects and events of the other mode are ignored. */
export const isLiveKey = (key: string): boolean => /^(sk|rk|pk)_live_/.test(key);

/** The mode that a key is for. */
export const modeOf = (key: string): 'live' | 'test' => (isLiveKey(key) ? 'live' : 'test');

/**
 * Why the site's secret key and a publishable key cannot take a payment together: Stripe keeps what is of test mode and
 * what is live apart (https://docs.stripe.com/keys#test-live-modes). Undefined when they can.
 */
export const findModeProblem = (
  { STRIPE_SECRET_KEY }: Pick<Env, 'STRIPE_SECRET_KEY'>,
  publishableKey: string,
): string | undefined =>
  modeOf(publishableKey) === modeOf(STRIPE_SECRET_KEY)
    ? undefined
    : `This is a ${modeOf(publishableKey)} key, and the site's secret key is a ${modeOf(STRIPE_SECRET_KEY)} key. Use the publishable key that begins with pk_${modeOf(STRIPE_SECRET_KEY)}_.`;

/** What an intent says whose it is: the Stripe account may serve other sites too, other copies of this product among them. */
export const labelOf = ({ SITE_URL: site }: Pick<Env, 'SITE_URL'>, orderId: string) => ({ orderId, site });

/** Whether an intent says that this site made it. */
export const isLabeledOurs = (
  { SITE_URL }: Partial<Pick<Env, 'SITE_URL'>>,
  { metadata }: Stripe.PaymentIntent,
): boolean => metadata['site'] !== undefined && metadata['site'] === SITE_URL;

/** The intent as Stripe has it now, with the charge that says what it was paid with. */
const retrieveIntent = (stripe: Stripe, id: string): Promise<Stripe.PaymentIntent> =>
  stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] });

/** What Stripe answers, or undefined when it has nothing by that id. */
export async function unlessMissing<T>(ask: Promise<T>): Promise<T | undefined> {
  try {
    return await ask;
  } catch (error) {
    if (isRefusal(error, 'resource_missing')) return undefined;
    throw error;
  }
}

/** The intent as Stripe has it now; undefined when it has none by this id. */
export const findIntent = (stripe: Stripe, id: string): Promise<Stripe.PaymentIntent | undefined> =>
  unlessMissing(retrieveIntent(stripe, id));

/** The dispute as Stripe has it now; undefined when it has none by this id. */
export const findDispute = (stripe: Stripe, id: string): Promise<Stripe.Dispute | undefined> =>
  unlessMissing(stripe.disputes.retrieve(id));

/**
 * Cancels an intent if it still can be cancelled.
 * @returns the intent as it is then: cancelled, or what came first; undefined when there is none by this id
 */
export async function cancelIntent(stripe: Stripe, id: string): Promise<Stripe.PaymentIntent | undefined> {
  try {
    return await stripe.paymentIntents.cancel(id);
  } catch (error) {
    if (isRefusal(error, 'resource_missing')) return undefined;
    if (!isRefusal(error, 'payment_intent_unexpected_state')) throw error;
    return retrieveIntent(stripe, id);
  }
}

/** Asks Stripe on behalf of somebody who waits. @throws ApiError 503 when Stripe gives no usable answer */
export async function askStripe<T>(log: Log, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error;
    log('stripe.failed', { type: error.type, code: error.code, stripeRequest: error.requestId });
    throw unavailable('The card provider does not answer right now. Please try again in a moment.');
  }
}

/**
 * A webhook's event, once its signature holds under one of the secrets (several while they are being rotated).
 * @param secrets separated by commas
 * @returns undefined when body, time or signature do not hold
 */
export async function verifyEvent(
  stripe: Stripe,
  secrets: string,
  body: string,
  signature: string,
): Promise<Stripe.Event | undefined> {
  const cryptoProvider = Stripe.createSubtleCryptoProvider();
  for (const secret of secrets.split(',')) {
    try {
      return await stripe.webhooks.constructEventAsync(
        body,
        signature,
        secret.trim(),
        undefined,
        cryptoProvider,
      );
    } catch {
      // The next secret may be the one that signed it.
    }
  }
  return undefined;
}
