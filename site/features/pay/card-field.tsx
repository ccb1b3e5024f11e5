/** Stripe's own field in an iframe. Card data typed there never reaches this page. */
import { useEffect, useState } from 'react';
import { CardElement, Elements } from '@stripe/react-stripe-js';
import type { Stripe, StripeCardElement, StripeElementStyle } from '@stripe/stripe-js';
import { Alert } from '#site/ui/alert.tsx';
import { stack } from '#site/ui/layout.ts';
import { ReloadButton } from '#site/ui/reload-button.tsx';
import css from './pay.module.css';
import { darkScheme, useMediaQuery } from '#site/app/use-media-query.ts';

interface CardFieldProps {
  readonly stripe: Stripe | undefined;
  /** Whether something failed to load, which the form explains below the fields. */
  readonly isStuck: boolean;
  /** Whether `onReady` has been called. */
  readonly isReady: boolean;
  readonly onReady: (element: StripeCardElement) => void;
  /** The provider's message about the input; undefined if it is valid. */
  readonly onProblem: (message: string | undefined) => void;
}

/** Stripe reports no error when the field's iframe does not load, so we wait this long for it, in ms. */
const lateMs = 15_000;

export function CardField({ stripe, isStuck, isReady, onReady, onProblem }: CardFieldProps) {
  const style = useCardStyle();
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    if (!stripe) return undefined;
    const timer = setTimeout(() => setLate(true), lateMs);
    return () => clearTimeout(timer);
  }, [stripe]);
  return (
    <div className={stack(1)} role="group" aria-labelledby="card-label">
      <span id="card-label" className="strong">
        Card
      </span>
      <div className={css['cardBox']}>
        {stripe ? (
          <Elements stripe={stripe}>
            <CardElement
              options={{ style, hidePostalCode: true, disableLink: true }}
              onReady={onReady}
              onChange={({ error }) => onProblem(error?.message)}
            />
          </Elements>
        ) : (
          <span className="muted">{isStuck ? 'Not available yet' : 'Loading the card field…'}</span>
        )}
      </div>
      {isLate && !isReady && (
        <Alert tone="info" title="The card field has not loaded yet" action={<ReloadButton />}>
          Check your connection, and allow js.stripe.com if you block scripts. Then reload this page.
        </Alert>
      )}
    </div>
  );
}

/** The user's text size in pixels, 16 by default. */
export const rootPixels = (): number =>
  Number.parseFloat(getComputedStyle(document.documentElement).fontSize);

/** The field's style in the current color scheme. The field is an iframe, so we pass it our colors. */
function useCardStyle(): StripeElementStyle {
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
