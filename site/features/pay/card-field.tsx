/** Stripe's own field in an iframe. Card data typed there never reaches this page. */
import { CardElement, Elements } from '@stripe/react-stripe-js';
import type { Stripe, StripeCardElement } from '@stripe/stripe-js';
import { useCardStyle } from './card-style.ts';
import { stack } from '#site/ui/layout.ts';
import typography from '#site/ui/typography.module.css';
import css from './pay.module.css';

export interface CardFieldProps {
  readonly stripe: Stripe | undefined;
  readonly onReady: (element: StripeCardElement) => void;
  /** The provider's message about the input; undefined if it is valid. */
  readonly onProblem: (message: string | undefined) => void;
}

export function CardField({ stripe, onReady, onProblem }: CardFieldProps) {
  const style = useCardStyle();
  return (
    <div className={stack(1)} role="group" aria-labelledby="card-label">
      <span id="card-label" className={typography['strong']}>
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
          <span className={typography['muted']}>Loading the card field…</span>
        )}
      </div>
    </div>
  );
}
