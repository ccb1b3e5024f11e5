/**
 * The script that replaces Stripe.js: `window.Stripe(publishableKey)`, with what `@stripe/react-stripe-js` and
 * a card payment need. It sets styles only through the CSSOM, so the page's policy needs to allow only this
 * script's origin.
 */
import {
  type CardElement,
  createElements,
  type Elements,
  type ElementsOptions,
  integrationError,
} from './elements.ts';
import {
  type ApiResult,
  callApi,
  challengeFinished,
  type Fields,
  isRecord,
  makeFrame,
  readError,
} from './protocol.ts';

declare const RELEASE_TRAIN: string;

const { currentScript } = document;
const { origin } = new URL(currentScript instanceof HTMLScriptElement ? currentScript.src : location.href);

/** An answer as Stripe.js resolves it: `{ paymentIntent }`, or `{ error }`. */
const resolveAs = (name: string, result: ApiResult) =>
  'error' in result ? { error: result.error } : { [name]: result.value };

/** The address of the intent whose secret is `pi_1_secret_2`. */
function addressOf(clientSecret: string): string {
  const id = /^(pi_\w+)_secret_\w+$/.exec(clientSecret)?.[1];
  if (id !== undefined) return `${origin}/v1/payment_intents/${id}`;
  throw integrationError(
    `Invalid value for stripe.confirmCardPayment intent secret: value should be a client secret of the form \${id}_secret_\${secret}. You specified: ${clientSecret}.`,
  );
}

function challengeOf(intent: Record<string, unknown>): string | undefined {
  const action = intent['next_action'];
  const sdk = isRecord(action) ? action['use_stripe_sdk'] : undefined;
  return isRecord(sdk) ? String(sdk['three_d_secure_2_source']) : undefined;
}

/** Shows the 3-D Secure challenge over the page and resolves when the payer has passed or failed it. */
function authenticate(challenge: string): Promise<void> {
  const focused = document.activeElement;
  const overlay = document.createElement('div');
  overlay.role = 'dialog';
  overlay.ariaModal = 'true';
  overlay.ariaLabel = 'Card authentication';
  Object.assign(overlay.style, {
    background: 'rgb(0 0 0 / 55%)',
    display: 'grid',
    inset: '0',
    placeItems: 'center',
    position: 'fixed',
    zIndex: '2147483647',
  });
  const look = { background: '#fff', height: 'min(420px, 100%)', width: 'min(440px, 100%)' };
  const address = `${origin}/frames/challenge#${encodeURIComponent(challenge)}`;
  overlay.appendChild(makeFrame(address, 'Secure 3D Secure authentication frame', look));
  document.body.appendChild(overlay);
  return new Promise((resolve) => {
    const listen = ({ origin: sender, data }: MessageEvent) => {
      if (sender !== origin || data !== challengeFinished) return;
      window.removeEventListener('message', listen);
      overlay.remove();
      if (focused instanceof HTMLElement) focused.focus();
      resolve();
    };
    window.addEventListener('message', listen);
  });
}

function createStripe(key: string) {
  const retrieve = (clientSecret: string) =>
    callApi('GET', addressOf(clientSecret), key, { client_secret: clientSecret });

  /** Shows the challenge of an intent to the payer, if there is one. */
  async function completeActions(clientSecret: string, result: ApiResult): Promise<ApiResult> {
    const challenge = 'value' in result ? challengeOf(result.value) : undefined;
    if (challenge === undefined) return result;
    await authenticate(challenge);
    const after = await retrieve(clientSecret);
    // The intent says why it needs another card after its challenge.
    if ('error' in after || after.value['status'] !== 'requires_payment_method') return after;
    return { error: { ...readError(after.value['last_payment_error']), payment_intent: after.value } };
  }

  async function confirm(clientSecret: string, fields: Fields) {
    const result = await callApi('POST', `${addressOf(clientSecret)}/confirm`, key, {
      client_secret: clientSecret,
      ...fields,
      use_stripe_sdk: true,
    });
    return resolveAs('paymentIntent', await completeActions(clientSecret, result));
  }

  return {
    elements: (options: ElementsOptions = {}) => createElements(origin, options),
    createPaymentMethod: async ({
      card,
      billing_details = {},
    }: {
      card: CardElement;
      billing_details?: Fields;
    }) => resolveAs('paymentMethod', await card.submit(key, billing_details)),
    confirmCardPayment: (clientSecret: string, { payment_method }: { payment_method: string }) =>
      confirm(clientSecret, { expected_payment_method_type: 'card', payment_method }),
    /** Pays with the payer's choice in the wallet, without leaving the page. */
    confirmPayment({ elements, redirect }: { elements: Elements; redirect?: string }) {
      const { clientSecret, choice } = elements.confirmation();
      if (redirect !== 'if_required')
        throw integrationError("The emulator stays on the page: pass redirect: 'if_required'.");
      if (clientSecret === undefined || choice === undefined)
        throw integrationError('stripe.confirmPayment was called before the payer confirmed in the wallet.');
      return confirm(clientSecret, { payment_method: choice });
    },
    retrievePaymentIntent: async (clientSecret: string) =>
      resolveAs('paymentIntent', await retrieve(clientSecret)),
    /** React's wrapper identifies Stripe by this call. */
    createToken: () => Promise.reject(integrationError('The emulator makes payment methods, no tokens.')),
    registerAppInfo: () => undefined,
    _registerWrapper: () => undefined,
  };
}

function Stripe(key: unknown) {
  if (typeof key === 'string' && key.startsWith('pk_')) return createStripe(key.trim());
  throw integrationError('Please call Stripe() with your publishable key.');
}

Object.assign(window, { Stripe: Object.assign(Stripe, { version: RELEASE_TRAIN }) });
