/**
 * Elements in the page: the parts of `elements.create('card')` and its frame that React's wrapper uses, and the
 * wallet's button (wallet.ts).
 */
import type { StripeCardElementOptions } from '@stripe/stripe-js';
import {
  type ApiResult,
  type Fields,
  type FromCardFrame,
  isRecord,
  makeFrame,
  openHandlers,
  type ToCardFrame,
} from './protocol.ts';
import { createExpressCheckout, type ExpressCheckout } from './wallet.ts';

/** The error that Stripe.js throws for a mistake in the page's code. */
export function integrationError(message: string): Error {
  return Object.assign(new Error(message), { name: 'IntegrationError' });
}

const notMounted =
  'We could not retrieve data from the specified Element.\n                 Please make sure the Element you are attempting to use is still mounted.';

export type CardElement = ReturnType<typeof createCard>;

/**
 * The card field: number, date and security code, in a frame of the emulator. It has no postal code.
 * @param forget called when the field is destroyed
 */
function createCard(origin: string, options: StripeCardElementOptions, forget: () => void) {
  if (!options.hidePostalCode)
    throw integrationError('The emulated card has no postal code: create it with hidePostalCode.');
  const { on, off, emit } = openHandlers();
  const frame = makeFrame(`${origin}/frames/card`, 'Secure card payment input frame', {
    display: 'block',
    height: '1.2em',
    width: '100%',
  });
  let { style } = options;
  let port: MessagePort | undefined;

  const sendStyle = () => port?.postMessage({ type: 'style', style: style ?? {} } satisfies ToCardFrame);

  /** Keeps the container's classes up to date, so that the page can style it. */
  function showState(states: Record<string, boolean>): void {
    for (const [name, isOn] of Object.entries(states))
      frame.parentElement?.classList.toggle(`StripeElement--${name}`, isOn);
  }

  function receive(message: FromCardFrame): void {
    if (message.type === 'height') frame.style.height = `${message.heightPx}px`;
    else if (message.type === 'submit') frame.closest('form')?.requestSubmit();
    else {
      if (message.type === 'focus' || message.type === 'blur') showState({ focus: message.type === 'focus' });
      const change = message.type === 'change' ? message.change : undefined;
      if (change)
        showState({ complete: change.complete, empty: change.empty, invalid: change.error !== undefined });
      emit(message.type, change ?? { elementType: 'card' });
    }
  }

  // The frame gets its end of a channel whenever it loads, which happens again when it moves in the page.
  frame.addEventListener('load', () => {
    const { port1, port2 } = new MessageChannel();
    // The frame's page is in this folder, so we know its messages.
    port1.onmessage = ({ data }) => receive(data as FromCardFrame);
    port = port1;
    frame.contentWindow?.postMessage('connect', origin, [port2]);
    sendStyle();
  });

  return {
    mount(container: HTMLElement): void {
      container.replaceChildren(frame);
      container.classList.add('StripeElement');
      showState({ empty: true });
    },
    /** Makes the frame send the card to the emulator. Resolves with the payment method or an error. */
    submit(key: string, billing: Fields): Promise<ApiResult> {
      if (!port || !frame.isConnected) throw integrationError(notMounted);
      const { port1, port2 } = new MessageChannel();
      port.postMessage({ type: 'create', key, billing } satisfies ToCardFrame, [port2]);
      return new Promise((resolve) => {
        port1.onmessage = ({ data }) => resolve(data as ApiResult);
      });
    },
    on,
    off,
    update(changed: StripeCardElementOptions): void {
      style = changed.style ?? style;
      sendStyle();
    },
    destroy(): void {
      port?.close();
      frame.remove();
      forget();
    },
  };
}

export interface ElementsOptions {
  /** The intent that the wallet pays; undefined for the card element. */
  clientSecret?: string;
  appearance?: { theme?: string };
}

export type Elements = ReturnType<typeof createElements>;

/** `stripe.elements({ clientSecret, appearance })`: creates one element of each type at a time. */
export function createElements(origin: string, { clientSecret, appearance }: ElementsOptions) {
  const made: { card?: CardElement | undefined; expressCheckout?: ExpressCheckout | undefined } = {};
  return {
    create(type: string, options: object = {}): CardElement | ExpressCheckout {
      if (type !== 'card' && type !== 'expressCheckout')
        throw integrationError(
          `A valid Element name must be provided. Valid Elements are:\n  card, expressCheckout; you passed: ${type}.`,
        );
      if (made[type]) throw integrationError(`Can only create one Element of type ${type} through Elements.`);
      const forget = () => (made[type] = undefined);
      if (type === 'card') return (made.card = createCard(origin, options, forget));
      if (clientSecret === undefined)
        throw integrationError(
          'In order to create an expressCheckout element, you must pass a clientSecret or mode when creating the Elements group.',
        );
      return (made.expressCheckout = createExpressCheckout(origin, { ...options, ...appearance }, forget));
    },
    /** The element of a type, given by name or by the React component that shows it. */
    getElement(type: unknown): CardElement | ExpressCheckout | null {
      const isComponent = typeof type === 'function' || isRecord(type);
      const name: unknown = isComponent && '__elementType' in type ? type['__elementType'] : type;
      return (name === 'card' || name === 'expressCheckout' ? made[name] : undefined) ?? null;
    },
    /** Validates the input; a wallet has already done so. */
    submit: () => Promise.resolve({}),
    update: () => undefined,
    /** For `stripe.confirmPayment`: the intent, and the approved payment method. */
    confirmation: () => ({ clientSecret, choice: made.expressCheckout?.choice() }),
  };
}
