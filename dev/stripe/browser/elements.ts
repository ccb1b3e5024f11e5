/** Elements in the page: `elements.create('card')` and the frame that it mounts, as far as React's wrapper uses them. */
import type { StripeCardElementOptions } from '@stripe/stripe-js';
import {
  type ApiResult,
  type CardChange,
  type Fields,
  type FromCardFrame,
  isRecord,
  makeFrame,
  type ToCardFrame,
} from './protocol.ts';

/** The error that Stripe.js throws for a mistake in the page's own code. */
export function integrationError(message: string): Error {
  return Object.assign(new Error(message), { name: 'IntegrationError' });
}

const notMounted =
  'We could not retrieve data from the specified Element.\n                 Please make sure the Element you are attempting to use is still mounted.';

type Handler = (event: object) => unknown;

/** The card field: number, date and security code, in a frame of the emulator's. It has no postal code. */
export class CardElement {
  readonly #origin: string;
  readonly #handlers = new Map<string, Set<Handler>>();
  readonly #forget: () => void;
  #options: StripeCardElementOptions;
  #container: HTMLElement | undefined;
  #frame: HTMLIFrameElement | undefined;
  #port: MessagePort | undefined;
  #change: CardChange | undefined;
  #hasFocus = false;

  constructor(origin: string, options: StripeCardElementOptions, forget: () => void) {
    if (!options.hidePostalCode)
      throw integrationError('The emulated card has no postal code: create it with hidePostalCode.');
    this.#origin = origin;
    this.#options = options;
    this.#forget = forget;
  }

  mount(container: HTMLElement): void {
    const look = { display: 'block', height: '1.2em', width: '100%' };
    const frame = makeFrame(`${this.#origin}/frames/card`, 'Secure card payment input frame', look);
    frame.addEventListener('load', () => this.#connect(frame));
    container.replaceChildren(frame);
    this.#container = container;
    this.#frame = frame;
    this.#showState();
  }

  /** Hands the frame its end of a channel whenever it loads, which it does again when it is moved in the page. */
  #connect(frame: HTMLIFrameElement): void {
    const { port1, port2 } = new MessageChannel();
    // The frame's page is of this folder, and so are its messages.
    port1.onmessage = ({ data }) => this.#receive(data as FromCardFrame);
    this.#port = port1;
    frame.contentWindow?.postMessage('connect', this.#origin, [port2]);
    this.#sendStyle();
  }

  #sendStyle(): void {
    this.#port?.postMessage({ type: 'style', style: this.#options.style ?? {} } satisfies ToCardFrame);
  }

  #receive(message: FromCardFrame): void {
    if (message.type === 'height') {
      if (this.#frame) this.#frame.style.height = `${message.heightPx}px`;
    } else if (message.type === 'submit') this.#container?.closest('form')?.requestSubmit();
    else {
      if (message.type === 'change') this.#change = message.change;
      if (message.type === 'focus' || message.type === 'blur') this.#hasFocus = message.type === 'focus';
      this.#showState();
      const event = message.type === 'change' ? message.change : { elementType: 'card' };
      for (const handler of this.#handlers.get(message.type) ?? []) handler(event);
    }
  }

  /** Keeps the container's classes in step, so that the page can style it. */
  #showState(): void {
    const states = {
      StripeElement: true,
      'StripeElement--complete': this.#change?.complete ?? false,
      'StripeElement--empty': this.#change?.empty ?? true,
      'StripeElement--focus': this.#hasFocus,
      'StripeElement--invalid': this.#change?.error !== undefined,
    };
    for (const [name, isOn] of Object.entries(states)) this.#container?.classList.toggle(name, isOn);
  }

  /** Has the frame send the card to the emulator; resolves with the payment method, or why there is none. */
  submit(key: string, billing: Fields): Promise<ApiResult> {
    const port = this.#port;
    if (!port || !this.#frame?.isConnected) throw integrationError(notMounted);
    return new Promise((resolve) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = ({ data }) => resolve(data as ApiResult);
      port.postMessage({ type: 'create', key, billing } satisfies ToCardFrame, [port2]);
    });
  }

  on(name: string, handler: Handler): this {
    this.#handlers.set(name, (this.#handlers.get(name) ?? new Set()).add(handler));
    return this;
  }

  off(name: string, handler: Handler): this {
    this.#handlers.get(name)?.delete(handler);
    return this;
  }

  update(options: StripeCardElementOptions): void {
    this.#options = { ...this.#options, ...options };
    this.#sendStyle();
  }

  destroy(): void {
    this.#port?.close();
    this.#frame?.remove();
    this.#port = this.#frame = this.#container = undefined;
    this.#forget();
  }
}

/** `stripe.elements()`: makes one card element at a time. */
export function createElements(origin: string) {
  let card: CardElement | null = null;
  return {
    create(type: string, options: StripeCardElementOptions = {}): CardElement {
      if (type !== 'card')
        throw integrationError(
          `A valid Element name must be provided. Valid Elements are:\n  card; you passed: ${type}.`,
        );
      if (card) throw integrationError('Can only create one Element of type card through Elements.');
      card = new CardElement(origin, options, () => (card = null));
      return card;
    },
    /** The element of a type, given by name or by the React component that shows it. */
    getElement(type: unknown): CardElement | null {
      const isComponent = typeof type === 'function' || isRecord(type);
      const name: unknown = isComponent && '__elementType' in type ? type['__elementType'] : type;
      return name === 'card' ? card : null;
    },
    update: () => undefined,
  };
}
