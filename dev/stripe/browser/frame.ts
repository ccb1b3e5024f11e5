/**
 * The emulator's frames in the page, and the messages between page and frames. Card numbers never leave the card's
 * frame for the page.
 */
// A type-only import. Anything else would load Stripe's own script.
import type { StripeElementStyle } from '@stripe/stripe-js';
import { type ApiResult, type Fields, isRecord, origin } from './api.ts';
import type { FieldError } from './card-rules.ts';

export interface CardChange {
  complete: boolean;
  empty: boolean;
  error: FieldError | undefined;
}

export type ToFrame =
  { type: 'create'; key: string; billing: Fields } | { type: 'style'; style: StripeElementStyle };

export type FromFrame =
  /** From the wallet's button and sheet, and from the challenge after the payer's choice. */
  | { type: 'blur' | 'cancel' | 'click' | 'finished' | 'focus' | 'ready' | 'submit' }
  | { type: 'change'; change: CardChange }
  | { type: 'created'; result: ApiResult }
  | { type: 'height'; heightPx: number }
  /** The wallet's choice is a ready-made payment method. */
  | { type: 'pay'; paymentMethod: string };

/** Sends a message from a frame's script to its page. */
export const tell = (toPage: FromFrame) => window.parent.postMessage({ toPage }, '*');

let frameCount = 0;

/** An unstyled frame of the emulator, with a name like those of Stripe's frames. */
export function openFrame(
  path: string,
  title: string,
  style: Record<string, string>,
  receive: (message: FromFrame) => void,
) {
  const frame = document.createElement('iframe');
  frameCount += 1;
  frame.name = `__privateStripeFrame${frameCount}`;
  frame.title = title;
  frame.src = `${origin}/frames/${path}`;
  // A frame is transparent only if it has the same color scheme as its content.
  Object.assign(frame.style, { border: 'none', colorScheme: 'light', ...style });
  const listen = ({ source, data }: MessageEvent) => {
    if (source === null || source !== frame.contentWindow || !isRecord(data)) return;
    // The frame's script is in this folder, so we know its messages. Tools such as axe send others.
    if ('toPage' in data) receive(data['toPage'] as FromFrame);
  };
  window.addEventListener('message', listen);
  return {
    frame,
    send: (message: ToFrame) => frame.contentWindow?.postMessage(message, origin),
    remove: (): void => {
      window.removeEventListener('message', listen);
      frame.remove();
    },
  };
}

/** The listeners of an element, by event name. */
export function openHandlers(elementType: string) {
  const handlers = new Map<string, Set<(event: object) => unknown>>();
  return {
    on: (name: string, handler: (event: object) => unknown): void => {
      handlers.set(name, (handlers.get(name) ?? new Set()).add(handler));
    },
    off: (name: string, handler: (event: object) => unknown) => void handlers.get(name)?.delete(handler),
    emit: (name: string, event: object = {}): void => {
      for (const handler of handlers.get(name) ?? []) handler({ elementType, ...event });
    },
  };
}

/** The error that Stripe.js throws for a mistake in the page's code. */
export function integrationError(message: string): Error {
  return Object.assign(new Error(message), { name: 'IntegrationError' });
}
