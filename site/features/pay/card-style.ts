/** The card field is an iframe, so we pass it our colors. */
import type { StripeElementStyle } from '@stripe/stripe-js';
import { darkScheme, useMediaQuery } from '#site/app/use-media-query.ts';

/** The user's text size in pixels, 16 by default. */
export const rootPixels = (): number =>
  Number.parseFloat(getComputedStyle(document.documentElement).fontSize);

/** The field's style in the current color scheme. */
export function useCardStyle(): StripeElementStyle {
  useMediaQuery(darkScheme);
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
