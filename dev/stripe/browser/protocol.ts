/**
 * How the page's script and its frames talk. A frame is given one end of a channel by the window that embeds it, when
 * it has loaded; the page gives it to the emulator's origin alone. Card numbers never come back through it.
 */
// As a whole a type import: what is left of any other would load Stripe's own script.
import type { StripeCardElementOptions, StripeElementStyle } from '@stripe/stripe-js';
import { type Brand, type FieldError } from './card-rules.ts';

export type CardStyle = StripeElementStyle;
export type CardOptions = Omit<StripeCardElementOptions, 'classes'>;

/** Nested values of Stripe's form encoding. */
export interface Fields {
  [name: string]: Fields | boolean | number | string | null | undefined;
}

/** What Stripe.js reports of a failed call; the members beyond these are the API's. */
export interface StripeError {
  type: string;
  message: string;
  code?: string;
  payment_intent?: unknown;
}

/** An object of the API, or why there is none. */
export type ApiResult = { value: Record<string, unknown> } | { error: StripeError };

export interface CardChange {
  elementType: 'card';
  brand: Brand;
  complete: boolean;
  empty: boolean;
  error: FieldError | undefined;
  value: { postalCode: string };
}

/** The calls that send a card away. */
export type CardCall = '/v1/payment_methods' | '/v1/tokens';

export type ToCardFrame =
  | { type: 'blur' }
  | { type: 'clear' }
  | { type: 'focus' }
  | { type: 'create'; id: number; path: CardCall; key: string; fields: Fields }
  | { type: 'update'; options: CardOptions };

export type FromCardFrame =
  | { type: 'blur' | 'escape' | 'focus' | 'ready' | 'submit' }
  | { type: 'change'; change: CardChange }
  | { type: 'created'; id: number; result: ApiResult }
  | { type: 'height'; heightPx: number };

export type FromFrame = FromCardFrame | { type: 'finished' };

/** What a frame is told when it is connected: how to look, or which challenge to show. */
export type FrameSetup = { type: 'card'; options: CardOptions } | { type: 'challenge'; challenge: string };

/** Hands a frame its end of a channel whenever it loads, which it does again when it is moved in the page. */
export function connectFrame(
  frame: HTMLIFrameElement,
  setup: () => FrameSetup,
  receive: (message: FromFrame, port: MessagePort) => void,
): void {
  frame.addEventListener('load', () => {
    const { port1, port2 } = new MessageChannel();
    // The frame's page is of this folder, and so are its messages.
    port1.onmessage = (event) => receive(event.data as FromFrame, port1);
    frame.contentWindow?.postMessage(setup(), new URL(frame.src).origin, [port2]);
  });
}

/** Waits, inside a frame, for the channel that its embedder hands over; nobody else can send through it. */
export function awaitHost(
  connect: (setup: FrameSetup, send: (message: FromFrame) => void) => void,
  receive: (message: ToCardFrame) => void = () => undefined,
): void {
  window.addEventListener('message', (event) => {
    const [port] = event.ports;
    if (event.source !== window.parent || !port) return;
    // Only this folder's script sends a port along with its message.
    port.onmessage = ({ data }) => receive(data as ToCardFrame);
    connect(event.data as FrameSetup, (message) => port.postMessage(message));
  });
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function encodeFields(fields: Fields, prefix = ''): [string, string][] {
  return Object.entries(fields).flatMap(([name, value]): [string, string][] => {
    const key = prefix ? `${prefix}[${name}]` : name;
    if (value === null || value === undefined) return [];
    return typeof value === 'object' ? encodeFields(value, key) : [[key, String(value)]];
  });
}

const unreachable: StripeError = {
  type: 'api_connection_error',
  message:
    'We are experiencing issues connecting to our payments provider. Please check your internet connection and try again.',
};

function readError(answer: unknown): StripeError {
  const error = isRecord(answer) && isRecord(answer['error']) ? answer['error'] : {};
  return { ...error, type: String(error['type']), message: String(error['message']) };
}

/** Makes a call of the API with the publishable key. Never rejects: a network failure is an error like any other. */
export async function callApi(
  origin: string,
  key: string,
  method: 'GET' | 'POST',
  path: string,
  fields: Fields,
): Promise<ApiResult> {
  const form = new URLSearchParams(encodeFields(fields)).toString();
  const init =
    method === 'POST'
      ? { body: form, headers: { 'Content-Type': 'application/x-www-form-urlencoded' } }
      : { headers: {} };
  const address = `${origin}${path}${method === 'GET' && form ? `?${form}` : ''}`;
  try {
    const response = await fetch(address, {
      ...init,
      method,
      headers: { ...init.headers, Authorization: `Bearer ${key}` },
    });
    const answer: unknown = await response.json();
    return response.ok && isRecord(answer) ? { value: answer } : { error: readError(answer) };
  } catch {
    return { error: unreachable };
  }
}
