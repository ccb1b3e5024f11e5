/**
 * How the page's script and the card's frame communicate. The window that embeds the frame gives it one end of
 * a channel when it has loaded, and only if it has the emulator's origin. Card numbers never come back through
 * it.
 */
// A type-only import; anything else would load Stripe's own script.
import type { StripeElementStyle } from '@stripe/stripe-js';
import type { Brand, FieldError } from './card-rules.ts';

/** Nested values of Stripe's form encoding. */
export interface Fields {
  [name: string]: Fields | boolean | number | string | null | undefined;
}

/** What Stripe.js reports about a failed call. All other members come from the API. */
export interface StripeError {
  type: string;
  message: string;
  code?: string;
  payment_intent?: unknown;
}

export type ApiResult = { value: Record<string, unknown> } | { error: StripeError };

export interface CardChange {
  elementType: 'card';
  brand: Brand;
  complete: boolean;
  empty: boolean;
  error: FieldError | undefined;
}

/** `create` comes with the end of a channel for the {@link ApiResult}. */
export type ToCardFrame =
  { type: 'create'; key: string; billing: Fields } | { type: 'style'; style: StripeElementStyle };

export type FromCardFrame =
  | { type: 'blur' | 'focus' | 'ready' | 'submit' }
  | { type: 'change'; change: CardChange }
  | { type: 'height'; heightPx: number };

/** The messages of the test wallet's button and sheet. The sheet's choice is a ready-made payment method. */
export type FromWalletFrame = { type: 'cancel' | 'click' | 'ready' } | { type: 'pay'; paymentMethod: string };

/** The message of the bank's page when the payer has chosen. */
export const challengeFinished = 'The challenge is finished.';

/** The listeners of an element, by event name. */
export function openHandlers() {
  const handlers = new Map<string, Set<(event: object) => unknown>>();
  return {
    on: (name: string, handler: (event: object) => unknown): void => {
      handlers.set(name, (handlers.get(name) ?? new Set()).add(handler));
    },
    off: (name: string, handler: (event: object) => unknown) => void handlers.get(name)?.delete(handler),
    isHeard: (name: string) => (handlers.get(name)?.size ?? 0) > 0,
    emit: (name: string, event: object): void => {
      for (const handler of handlers.get(name) ?? []) handler(event);
    },
  };
}

let frameCount = 0;

/** An unstyled frame of the emulator, with a name like those of Stripe's frames. */
export function makeFrame(address: string, title: string, style: Record<string, string>): HTMLIFrameElement {
  const frame = document.createElement('iframe');
  frameCount += 1;
  frame.name = `__privateStripeFrame${frameCount}`;
  frame.title = title;
  frame.src = address;
  // A frame is transparent only if it has the same color scheme as its content.
  Object.assign(frame.style, { border: 'none', colorScheme: 'light', ...style });
  return frame;
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

/** Reads an error of the API, which has the API's own wording. */
export function readError(error: unknown): StripeError {
  const details = isRecord(error) ? error : {};
  return { ...details, type: String(details['type']), message: String(details['message']) };
}

/**
 * Calls the API with the publishable key. Never rejects, because a network failure is returned like any other error.
 */
export async function callApi(
  method: 'GET' | 'POST',
  address: string,
  key: string,
  fields: Fields,
): Promise<ApiResult> {
  const form = new URLSearchParams(encodeFields(fields));
  try {
    const response = await fetch(method === 'GET' ? `${address}?${form.toString()}` : address, {
      method,
      ...(method === 'POST' && { body: form }),
      headers: { Authorization: `Bearer ${key}` },
    });
    const answer: unknown = await response.json();
    if (!isRecord(answer)) throw new Error('The answer is no object.');
    return response.ok ? { value: answer } : { error: readError(answer['error']) };
  } catch {
    const message =
      'We are experiencing issues connecting to our payments provider. Please check your internet connection and try again.';
    return { error: { type: 'api_connection_error', message } };
  }
}
