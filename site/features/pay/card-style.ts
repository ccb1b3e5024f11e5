/** Stripe's field stands in a frame of its own, where the page's styles do not reach: it is told our colors instead. */
import { useSyncExternalStore } from 'react';
import type { StripeElementStyle } from '@stripe/stripe-js';

const darkScheme = matchMedia('(prefers-color-scheme: dark)');

function watchScheme(onChange: () => void) {
  darkScheme.addEventListener('change', onChange);
  return () => darkScheme.removeEventListener('change', onChange);
}

/** Whether the page is dark now. */
export const useDarkScheme = (): boolean => useSyncExternalStore(watchScheme, () => darkScheme.matches);

/** How large the reader has text, in pixels: 16 unless they chose otherwise. */
export const rootPixels = (): number =>
  Number.parseFloat(getComputedStyle(document.documentElement).fontSize);

/** The field's look in the color scheme of the moment. */
export function useCardStyle(): StripeElementStyle {
  useDarkScheme();
  const tokens = getComputedStyle(document.documentElement);
  const token = (name: string) => tokens.getPropertyValue(name).trim();
  return {
    base: {
      color: token('--ink'),
      iconColor: token('--ink-soft'),
      fontFamily: 'system-ui, sans-serif',
      fontSize: `${rootPixels() * 1.0625}px`,
      '::placeholder': { color: token('--ink-soft') },
    },
    invalid: { color: token('--danger'), iconColor: token('--danger') },
  };
}
