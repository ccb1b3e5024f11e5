/**
 * Apple Pay, Google Pay and Link above the card field. In iframes, Stripe checks which of them the payer's device
 * supports. Until it finds one, nothing is visible. https://docs.stripe.com/elements/express-checkout-element
 */
import { useState } from 'react';
import { Elements, ExpressCheckoutElement, useElements } from '@stripe/react-stripe-js';
import type { Stripe, StripeElements, StripeExpressCheckoutElementOptions } from '@stripe/stripe-js';
import { darkScheme, useMediaQuery } from '#site/app/use-media-query.ts';
import { rootPixels } from './card-field.tsx';
import divider from '#site/ui/divider.module.css';
import { stack } from '#site/ui/layout.ts';

interface WalletButtonsProps {
  readonly stripe: Stripe;
  /** The client secret of the order's PaymentIntent, which the card also uses. */
  readonly clientSecret: string;
  /** Whether the wallet asks for an email, because a payer who only has the link does not see the order's email. */
  readonly asksForEmail: boolean;
  /** Whether no payment can start, because one is running or the state is unknown. */
  readonly isDisabled: boolean;
  /** Called once the payer approves. Resolves when the payment has ended, or to false if none was started. */
  readonly onPay: (elements: StripeElements) => Promise<boolean>;
}

export function WalletButtons({ stripe, clientSecret, ...buttons }: WalletButtonsProps) {
  // The wallet buttons are black on a light page and white on a dark one.
  const appearance = { theme: useMediaQuery(darkScheme) ? 'night' : 'stripe' } as const;
  return (
    <Elements stripe={stripe} options={{ clientSecret, appearance }}>
      <Buttons {...buttons} />
    </Elements>
  );
}

type ButtonsProps = Omit<WalletButtonsProps, 'stripe' | 'clientSecret'>;

function Buttons({ asksForEmail, isDisabled, onPay }: ButtonsProps) {
  const elements = useElements();
  const [isOffered, setOffered] = useState(false);
  const options: StripeExpressCheckoutElementOptions = {
    // Stripe requires 40 to 55: https://docs.stripe.com/js/elements_object/create_express_checkout_element
    buttonHeight: Math.min(55, Math.max(40, rootPixels() * 3)),
    emailRequired: asksForEmail,
  };
  return (
    <div className={isOffered ? stack(4) : 'visually-hidden'} inert={isDisabled || !isOffered}>
      <ExpressCheckoutElement
        options={options}
        onReady={({ availablePaymentMethods }) => setOffered(availablePaymentMethods !== undefined)}
        onLoadError={() => setOffered(false)}
        onConfirm={({ paymentFailed }) => {
          if (elements) void onPay(elements).then((hasBegun) => hasBegun || paymentFailed());
        }}
      />
      {isOffered && <p className={divider['divider']}>Or pay by card</p>}
    </div>
  );
}
