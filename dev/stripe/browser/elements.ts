/** Elements in the page: `elements.create('card')` and the frame that it mounts. */
import {
  type ApiResult,
  type CardCall,
  type CardChange,
  type CardOptions,
  connectFrame,
  type Fields,
  type FromFrame,
  isRecord,
  type ToCardFrame,
} from './protocol.ts';

/** The error that Stripe.js throws for a mistake in the page's own code. */
export function integrationError(message: string): Error {
  return Object.assign(new Error(message), { name: 'IntegrationError' });
}

const notMounted =
  'We could not retrieve data from the specified Element.\n                 Please make sure the Element you are attempting to use is still mounted.';

type EventName = 'blur' | 'change' | 'escape' | 'focus' | 'ready';
type Handler = (event: object) => unknown;
type Options = CardOptions & { classes?: Partial<Record<ClassName, string>> };
type ClassName = 'base' | 'complete' | 'empty' | 'focus' | 'invalid';

const defaultClasses: Record<ClassName, string> = {
  base: 'StripeElement',
  complete: 'StripeElement--complete',
  empty: 'StripeElement--empty',
  focus: 'StripeElement--focus',
  invalid: 'StripeElement--invalid',
};

let frameCount = 0;

/** A name such as Stripe gives its frames, which browser tests look for. */
export function nextFrameName(): string {
  frameCount += 1;
  return `__privateStripeFrame${frameCount}`;
}

/** The card field: number, date, security code and, unless hidden, postal code, in a frame of the emulator's. */
export class CardElement {
  readonly #origin: string;
  readonly #handlers = new Map<string, Set<Handler>>();
  readonly #submissions = new Map<number, (result: ApiResult) => void>();
  readonly #forget: () => void;
  #options: Options;
  #container: HTMLElement | undefined;
  #frame: HTMLIFrameElement | undefined;
  #port: MessagePort | undefined;
  /** What is to be sent once the frame is ready. */
  #unsent: ToCardFrame[] = [];
  #change: CardChange | undefined;
  #hasFocus = false;
  #isDestroyed = false;
  #lastSubmission = 0;

  constructor(origin: string, options: Options, forget: () => void) {
    this.#origin = origin;
    this.#options = options;
    this.#forget = forget;
  }

  mount(target: unknown): void {
    this.#checkAlive();
    const container = typeof target === 'string' ? document.querySelector(target) : target;
    if (!(container instanceof HTMLElement))
      throw integrationError(
        `The selector you specified (${String(target)}) applies to no DOM elements that are currently on the page.\nMake sure the element exists on the page before calling mount().`,
      );
    if (container === this.#container) return;
    this.unmount();
    this.#container = container;
    this.#frame = this.#makeFrame();
    container.replaceChildren(this.#frame);
    this.#showState();
    const labels = [
      container.closest('label'),
      container.id ? document.querySelector(`label[for="${CSS.escape(container.id)}"]`) : null,
    ];
    for (const label of labels) label?.addEventListener('click', () => this.focus());
  }

  #makeFrame(): HTMLIFrameElement {
    const frame = document.createElement('iframe');
    frame.name = nextFrameName();
    frame.title = 'Secure card payment input frame';
    frame.allow = 'payment *';
    frame.src = `${this.#origin}/frames/card`;
    Object.assign(frame.style, {
      border: 'none',
      // The frame is transparent only while its color scheme is that of its content.
      colorScheme: 'light',
      display: 'block',
      height: '1.2em',
      margin: '0',
      padding: '0',
      width: '100%',
    });
    connectFrame(
      frame,
      () => ({ type: 'card', options: this.#frameOptions() }),
      (message, port) => {
        this.#port = port;
        for (const unsent of this.#unsent.splice(0)) port.postMessage(unsent);
        this.#receive(message);
      },
    );
    return frame;
  }

  #frameOptions(): CardOptions {
    const options: Options = { ...this.#options };
    delete options.classes;
    return options;
  }

  #receive(message: FromFrame): void {
    if (message.type === 'height') {
      if (this.#frame) this.#frame.style.height = `${message.heightPx}px`;
    } else if (message.type === 'created') {
      this.#submissions.get(message.id)?.(message.result);
      this.#submissions.delete(message.id);
    } else if (message.type === 'submit') {
      this.#container?.closest('form')?.requestSubmit();
    } else if (message.type === 'change') {
      this.#change = message.change;
      this.#showState();
      this.#emit('change', message.change);
    } else if (message.type !== 'finished') {
      if (message.type === 'focus' || message.type === 'blur') this.#hasFocus = message.type === 'focus';
      this.#showState();
      this.#emit(message.type, { elementType: 'card' });
    }
  }

  #emit(name: EventName, event: object): void {
    for (const handler of this.#handlers.get(name) ?? []) handler(event);
  }

  /** Keeps the container's classes in step, so that the page can style it. */
  #showState(): void {
    const classes = { ...defaultClasses, ...this.#options.classes };
    const states: Record<ClassName, boolean> = {
      base: true,
      complete: this.#change?.complete ?? false,
      empty: this.#change?.empty ?? true,
      focus: this.#hasFocus,
      invalid: this.#change?.error !== undefined,
    };
    for (const [state, isOn] of Object.entries(states))
      for (const [name, className] of Object.entries(classes))
        if (name === state && className)
          for (const part of className.split(/\s+/)) this.#container?.classList.toggle(part, isOn);
  }

  #send(message: ToCardFrame): void {
    if (this.#port) this.#port.postMessage(message);
    else this.#unsent.push(message);
  }

  #checkAlive(): void {
    if (this.#isDestroyed)
      throw integrationError('This Element has already been destroyed. Please create a new one.');
  }

  /** Has the frame send the card to the emulator, with `fields`; resolves with what became of it. */
  submit(path: CardCall, key: string, fields: Fields): Promise<ApiResult> {
    if (!this.#frame?.isConnected) throw integrationError(notMounted);
    this.#lastSubmission += 1;
    const id = this.#lastSubmission;
    const result = new Promise<ApiResult>((resolve) => this.#submissions.set(id, resolve));
    this.#send({ type: 'create', id, path, key, fields });
    return result;
  }

  on(name: string, handler: Handler): this {
    this.#handlers.set(name, (this.#handlers.get(name) ?? new Set()).add(handler));
    return this;
  }

  once(name: string, handler: Handler): this {
    const handleOnce: Handler = (event) => {
      this.off(name, handleOnce);
      handler(event);
    };
    return this.on(name, handleOnce);
  }

  off(name: string, handler?: Handler): this {
    if (handler) this.#handlers.get(name)?.delete(handler);
    else this.#handlers.delete(name);
    return this;
  }

  update(options: Options): void {
    this.#checkAlive();
    this.#options = { ...this.#options, ...options };
    // A frame that has yet to load is told its options then.
    this.#port?.postMessage({ type: 'update', options: this.#frameOptions() } satisfies ToCardFrame);
    this.#showState();
  }

  focus(): void {
    // Chromium lets a frame take the focus only once its element has it.
    this.#frame?.focus();
    this.#send({ type: 'focus' });
  }

  blur(): void {
    this.#send({ type: 'blur' });
  }

  clear(): void {
    this.#send({ type: 'clear' });
  }

  unmount(): void {
    this.#port?.close();
    this.#unsent = [];
    for (const resolve of this.#submissions.values())
      resolve({ error: { type: 'invalid_request_error', message: notMounted } });
    this.#submissions.clear();
    this.#frame?.remove();
    this.#container?.classList.remove(
      ...Object.values({ ...defaultClasses, ...this.#options.classes }).flatMap((name) => name.split(/\s+/)),
    );
    this.#port = this.#frame = this.#container = this.#change = undefined;
    this.#hasFocus = false;
  }

  destroy(): void {
    this.#checkAlive();
    this.unmount();
    this.#isDestroyed = true;
    this.#forget();
  }
}

/** `stripe.elements()`: makes one card element at a time. */
export function createElements(origin: string) {
  let card: CardElement | null = null;
  return {
    create(type: string, options: Options = {}): CardElement {
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
    fetchUpdates: () => Promise.resolve({}),
    submit: () => Promise.resolve({}),
  };
}
