/**
 * The script that a page loads in the place of Stripe.js: `window.Stripe(publishableKey)`, with what
 * `@stripe/react-stripe-js` and a card payment need. It styles through CSSOM alone, so the page's policy needs to
 * allow only this script's origin.
 */
import { CardElement, createElements, integrationError } from './elements.ts';
import { authenticate } from './authentication.ts';
import { type ApiResult, callApi, type Fields, isRecord, type StripeError } from './protocol.ts';

declare const RELEASE_TRAIN: string;

const { currentScript } = document;
const origin = new URL(currentScript instanceof HTMLScriptElement ? currentScript.src : location.href).origin;

interface PaymentMethodInput {
  type?: string;
  card: CardElement | { token: string };
  billing_details?: Fields;
  metadata?: Fields;
}

interface ConfirmData {
  payment_method?: PaymentMethodInput | string;
  receipt_email?: string;
  return_url?: string;
}

/** An answer as Stripe.js resolves it: `{ paymentIntent }`, or `{ error }`. */
const resolveAs = (name: string, result: ApiResult) =>
  'error' in result ? { error: result.error } : { [name]: result.value };

/** The id in `pi_1_secret_2`. */
function intentIdOf(clientSecret: string): string {
  const id = /^(pi_\w+)_secret_\w+$/.exec(clientSecret)?.[1];
  if (id !== undefined) return id;
  throw integrationError(
    `Invalid value for stripe.confirmCardPayment intent secret: value should be a client secret of the form \${id}_secret_\${secret}. You specified: ${clientSecret}.`,
  );
}

function challengeOf(intent: Record<string, unknown>): string | undefined {
  const action = intent['status'] === 'requires_action' ? intent['next_action'] : undefined;
  const sdk = isRecord(action) ? action['use_stripe_sdk'] : undefined;
  const challenge = isRecord(sdk) ? sdk['three_d_secure_2_source'] : undefined;
  return typeof challenge === 'string' ? challenge : undefined;
}

/** Why an intent that came back from its challenge wants another card. */
function lastErrorOf(intent: Record<string, unknown>): StripeError | undefined {
  const error = intent['status'] === 'requires_payment_method' ? intent['last_payment_error'] : undefined;
  if (!isRecord(error)) return undefined;
  return { ...error, type: String(error['type']), message: String(error['message']), payment_intent: intent };
}

function createStripe(key: string) {
  const retrieve = (clientSecret: string) =>
    callApi(origin, key, 'GET', `/v1/payment_intents/${intentIdOf(clientSecret)}`, {
      client_secret: clientSecret,
    });

  async function makePaymentMethod(input: PaymentMethodInput): Promise<ApiResult> {
    const { card, billing_details = {}, metadata = {} } = input;
    const fields: Fields = { type: 'card', billing_details, metadata };
    return card instanceof CardElement
      ? card.submit('/v1/payment_methods', key, fields)
      : callApi(origin, key, 'POST', '/v1/payment_methods', { ...fields, card: { token: card.token } });
  }

  /** Leads the payer through the challenge that an intent waits for, if it does. */
  async function completeActions(clientSecret: string, result: ApiResult): Promise<ApiResult> {
    const challenge = 'value' in result ? challengeOf(result.value) : undefined;
    if (challenge === undefined) return result;
    await authenticate(origin, challenge);
    const after = await retrieve(clientSecret);
    const error = 'value' in after ? lastErrorOf(after.value) : undefined;
    return error ? { error } : after;
  }

  async function confirm(clientSecret: string, data: ConfirmData): Promise<ApiResult> {
    const { payment_method, receipt_email, return_url } = data;
    let method: string | undefined;
    if (typeof payment_method === 'object') {
      const made = await makePaymentMethod(payment_method);
      if ('error' in made) return made;
      method = String(made.value['id']);
    } else method = payment_method;
    if (method === undefined) {
      const intent = await retrieve(clientSecret);
      if ('error' in intent || challengeOf(intent.value) !== undefined) return intent;
    }
    return callApi(origin, key, 'POST', `/v1/payment_intents/${intentIdOf(clientSecret)}/confirm`, {
      client_secret: clientSecret,
      expected_payment_method_type: 'card',
      payment_method: method,
      receipt_email,
      return_url,
      use_stripe_sdk: true,
    });
  }

  async function handleNextAction({ clientSecret }: { clientSecret: string }) {
    return resolveAs('paymentIntent', await completeActions(clientSecret, await retrieve(clientSecret)));
  }

  return {
    elements: () => createElements(origin),
    createToken: async (card: CardElement, data: Fields = {}) =>
      resolveAs('token', await card.submit('/v1/tokens', key, { card: data })),
    createPaymentMethod: async (input: PaymentMethodInput) =>
      resolveAs('paymentMethod', await makePaymentMethod(input)),
    async confirmCardPayment(clientSecret: string, data: ConfirmData = {}, { handleActions = true } = {}) {
      intentIdOf(clientSecret);
      const result = await confirm(clientSecret, data);
      return resolveAs('paymentIntent', handleActions ? await completeActions(clientSecret, result) : result);
    },
    retrievePaymentIntent: async (clientSecret: string) =>
      resolveAs('paymentIntent', await retrieve(clientSecret)),
    handleCardAction: (clientSecret: string) => handleNextAction({ clientSecret }),
    handleNextAction,
    registerAppInfo: () => undefined,
    _registerWrapper: () => undefined,
  };
}

function Stripe(key: unknown) {
  if (typeof key !== 'string' || key.trim() === '')
    throw integrationError('Please call Stripe() with your publishable key. You used an empty string.');
  if (/^(sk|rk)_/.test(key))
    throw integrationError(
      'You should not use your secret key with Stripe.js.\n        Please pass a publishable key instead.',
    );
  return createStripe(key.trim());
}

Object.assign(window, { Stripe: Object.assign(Stripe, { version: RELEASE_TRAIN }) });
