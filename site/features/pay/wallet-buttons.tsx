/**
 * Apple Pay, Google Pay and Link above the card field. In iframes, Stripe checks which of them the payer's device
 * supports. Their place stays empty until then, because most devices support one, and the card field must not move.
 * https://docs.stripe.com/elements/express-checkout-element
 */
import { useState } from 'react';
import { Elements, ExpressCheckoutElement, useElements } from '@stripe/react-stripe-js';
import type { Stripe, StripeElements, StripeExpressCheckoutElementOptions } from '@stripe/stripe-js';
import { darkScheme, useMediaQuery } from '#site/app/use-media-query.ts';
import { rootPixels } from './card-field.tsx';
import divider from '#site/ui/divider.module.css';
import { stack } from '#site/ui/layout.ts';
import css from './pay.module.css';

interface WalletButtonsProps {
  /** Undefined until the payment provider has loaded. */
  readonly stripe: Stripe | undefined;
  /** The client secret of the order's PaymentIntent, which the card also uses; undefined until it exists. */
  readonly clientSecret: string | undefined;
  /** Whether the wallet asks for an email, because a payer who only has the link does not see the order's email. */
  readonly asksForEmail: boolean;
  /** Whether no payment can start, because one is running or the state is unknown. */
  readonly isDisabled: boolean;
  /** Called once the payer approves. Resolves when the payment has ended, or to false if none was started. */
  readonly onPay: (elements: StripeElements) => Promise<boolean>;
}

export function WalletButtons({ stripe, clientSecret, isDisabled, ...buttons }: WalletButtonsProps) {
  // The wallet buttons are black on a light page and white on a dark one.
  const appearance = { theme: useMediaQuery(darkScheme) ? 'night' : 'stripe' } as const;
  const [isOffered, setOffered] = useState<boolean>();
  if (isOffered === false) return null;
  return (
    <div className={stack(4, css['wallets'])} data-checked={isOffered} inert={isDisabled || !isOffered}>
      <div>
        {stripe && clientSecret && (
          <Elements stripe={stripe} options={{ clientSecret, appearance }}>
            <Buttons {...buttons} onChecked={setOffered} />
          </Elements>
        )}
      </div>
      <p className={divider['divider']}>Or pay by card</p>
    </div>
  );
}

interface ButtonsProps extends Pick<WalletButtonsProps, 'asksForEmail' | 'onPay'> {
  readonly onChecked: (isOffered: boolean) => void;
}

function Buttons({ asksForEmail, onPay, onChecked }: ButtonsProps) {
  const elements = useElements();
  const options: StripeExpressCheckoutElementOptions = {
    buttonHeight: buttonHeight(),
    emailRequired: asksForEmail,
  };
  return (
    <ExpressCheckoutElement
      options={options}
      onReady={({ availablePaymentMethods }) => onChecked(availablePaymentMethods !== undefined)}
      onLoadError={() => onChecked(false)}
      onConfirm={({ paymentFailed }) => {
        if (elements) void onPay(elements).then((hasBegun) => hasBegun || paymentFailed());
      }}
    />
  );
}

/** In pixels. Stripe requires 40 to 55: https://docs.stripe.com/js/elements_object/create_express_checkout_element */
const buttonHeight = () => Math.min(55, Math.max(40, rootPixels() * 3));
