/**
 * The script that replaces Stripe.js: `window.Stripe(publishableKey)`, with what `@stripe/react-stripe-js` and
 * a card payment need. It sets styles only through the CSSOM, so the page's policy needs to allow only this
 * script's origin.
 */
import { type ApiResult, callApi, type Fields, isRecord, readError } from './api.ts';
import { type CardElement, createCard } from './card-element.ts';
import { integrationError, openFrame } from './frame.ts';
import { createExpressCheckout, type ExpressCheckout } from './wallet-element.ts';

declare const RELEASE_TRAIN: string;

interface ElementsOptions {
  /** The intent that the wallet pays; undefined for the card element. */
  clientSecret?: string;
  appearance?: { theme?: string };
}

type Elements = ReturnType<typeof createElements>;

/** `stripe.elements({ clientSecret, appearance })`: creates one element of each type at a time. */
function createElements({ clientSecret, appearance }: ElementsOptions) {
  const made: { card?: CardElement | undefined; expressCheckout?: ExpressCheckout | undefined } = {};
  return {
    create(type: string, options: object = {}): CardElement | ExpressCheckout {
      if (type !== 'card' && type !== 'expressCheckout')
        throw integrationError(
          `A valid Element name must be provided. Valid Elements are:\n  card, expressCheckout; you passed: ${type}.`,
        );
      if (made[type]) throw integrationError(`Can only create one Element of type ${type} through Elements.`);
      const forget = () => (made[type] = undefined);
      if (type === 'card') return (made.card = createCard(options, forget));
      if (clientSecret === undefined)
        throw integrationError(
          'In order to create an expressCheckout element, you must pass a clientSecret or mode when creating the Elements group.',
        );
      return (made.expressCheckout = createExpressCheckout({ ...options, ...appearance }, forget));
    },
    /** Validates the input; a wallet has already done so. */
    submit: () => Promise.resolve({}),
    update: () => undefined,
    /** For `stripe.confirmPayment`: the intent, and the approved payment method. */
    confirmation: () => ({ clientSecret, choice: made.expressCheckout?.choice() }),
  };
}

/** A result in the format that Stripe.js resolves with: `{ paymentIntent }`, or `{ error }`. */
const resolveAs = (name: string, result: ApiResult) =>
  'error' in result ? { error: result.error } : { [name]: result.value };

/** The path of the intent whose secret is `pi_1_secret_2`. */
function pathOf(clientSecret: string): string {
  const id = /^(pi_\w+)_secret_\w+$/.exec(clientSecret)?.[1];
  if (id !== undefined) return `payment_intents/${id}`;
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
  return new Promise((resolve) => {
    const finish = () => {
      remove();
      overlay.remove();
      if (focused instanceof HTMLElement) focused.focus();
      resolve();
    };
    const title = 'Secure 3D Secure authentication frame';
    const { frame, remove } = openFrame(`challenge#${challenge}`, title, look, finish);
    overlay.appendChild(frame);
    document.body.appendChild(overlay);
  });
}

function createStripe(key: string) {
  const retrieve = (clientSecret: string) =>
    callApi('GET', pathOf(clientSecret), key, { client_secret: clientSecret });

  /** Shows the challenge of an intent to the payer, if there is one. */
  async function completeActions(clientSecret: string, result: ApiResult): Promise<ApiResult> {
    const challenge = 'value' in result ? challengeOf(result.value) : undefined;
    if (challenge === undefined) return result;
    await authenticate(challenge);
    const after = await retrieve(clientSecret);
    // After its challenge, the intent says why it needs another card.
    if ('error' in after || after.value['status'] !== 'requires_payment_method') return after;
    return { error: { ...readError(after.value['last_payment_error']), payment_intent: after.value } };
  }

  async function confirm(clientSecret: string, fields: Fields) {
    const result = await callApi('POST', `${pathOf(clientSecret)}/confirm`, key, {
      client_secret: clientSecret,
      ...fields,
      use_stripe_sdk: true,
    });
    return resolveAs('paymentIntent', await completeActions(clientSecret, result));
  }

  return {
    elements: (options: ElementsOptions = {}) => createElements(options),
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
