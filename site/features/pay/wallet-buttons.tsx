/**
 * Apple Pay, Google Pay and Link above the card field. Which of them the payer's device has Stripe finds out in frames of
 * its own: until it has found one nothing is shown, and nothing takes any room.
 * https://docs.stripe.com/elements/express-checkout-element
 */
import { useState } from 'react';
import { Elements, ExpressCheckoutElement, useElements } from '@stripe/react-stripe-js';
import type { Stripe, StripeElements, StripeExpressCheckoutElementOptions } from '@stripe/stripe-js';
import { rootPixels, useDarkScheme } from './card-style.ts';
import css from './pay.module.css';

export interface WalletButtonsProps {
  readonly stripe: Stripe;
  /** Of the order's PaymentIntent, the same that the card pays. */
  readonly clientSecret: string;
  /** The wallet asks for an email, because the order does not say it to who only holds the link. */
  readonly asksForEmail: boolean;
  /** No payment can begin: one is under way, or it is not known yet. */
  readonly isDisabled: boolean;
  /** The payer has agreed in the wallet's sheet. Settles when the payment has ended; false when none was begun. */
  readonly onPay: (elements: StripeElements) => Promise<boolean>;
}

export function WalletButtons({ stripe, clientSecret, ...buttons }: WalletButtonsProps) {
  // The buttons of the wallets are black on a light page and white on a dark one.
  const appearance = { theme: useDarkScheme() ? 'night' : 'stripe' } as const;
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
    // Stripe refuses what is not between 40 and 55: https://docs.stripe.com/js/elements_object/create_express_checkout_element
    buttonHeight: Math.min(55, Math.max(40, rootPixels() * 3)),
    emailRequired: asksForEmail,
  };
  return (
    <div className={isOffered ? css['wallets'] : css['noWallets']} inert={isDisabled || !isOffered}>
      <ExpressCheckoutElement
        options={options}
        onReady={({ availablePaymentMethods }) => setOffered(availablePaymentMethods !== undefined)}
        onLoadError={() => setOffered(false)}
        onConfirm={({ paymentFailed }) => {
          if (elements) void onPay(elements).then((hasBegun) => hasBegun || paymentFailed());
        }}
      />
      {isOffered && <p className={css['orCard']}>Or pay by card</p>}
    </div>
  );
}
