/**
 * The Express Checkout Element with one test wallet that acts like Google Pay: a button in a frame, and a sheet
 * over the page in which the payer chooses a card (which pays, is declined or is challenged) and pays or
 * cancels.
 * https://docs.stripe.com/elements/express-checkout-element
 */
import { type FromFrame, integrationError, openFrame, openHandlers } from './frame.ts';

declare const OFFERS_WALLET: boolean;

declare global {
  interface Window {
    /** Whether this browser has the test wallet. If the page does not say, the emulator's option applies. */
    hasTestWallet?: boolean;
  }
}

const expressPaymentType = 'google_pay';

export type ExpressCheckout = ReturnType<typeof createExpressCheckout>;

/** @param forget called when the element is destroyed */
export function createExpressCheckout(
  { buttonHeight = 44, theme = '' }: { readonly buttonHeight?: number; readonly theme?: string },
  forget: () => void,
) {
  if (buttonHeight < 40 || buttonHeight > 55)
    throw integrationError('buttonHeight must be between 40 and 55.');
  const { on, off, emit } = openHandlers('expressCheckout');
  const look = { display: 'block', height: `${buttonHeight}px`, width: '100%' };
  const button = openFrame(`wallet?${theme}`, 'Secure express checkout frame', look, ({ type }) => {
    if (type === 'click') openSheet();
    else emit('ready', { availablePaymentMethods: { googlePay: true, applePay: false, link: false } });
  });
  let closeSheet: (() => void) | undefined;
  let choice: string | undefined;

  function openSheet(): void {
    const sheet = document.createElement('dialog');
    const finish = (message: FromFrame): void => {
      closeSheet?.();
      if (message.type === 'pay') {
        choice = message.paymentMethod;
        emit('confirm', { expressPaymentType, paymentFailed: () => (choice = undefined) });
      } else emit('cancel');
    };
    const size = { background: '#fff', display: 'block', height: '300px', width: 'min(400px, 80vw)' };
    const { frame, remove } = openFrame('wallet?sheet', 'Test wallet', size, finish);
    closeSheet = () => {
      remove();
      sheet.remove();
    };
    sheet.ariaLabel = 'Test wallet';
    sheet.addEventListener('cancel', () => finish({ type: 'cancel' }));
    sheet.appendChild(frame);
    document.body.appendChild(sheet);
    sheet.showModal();
  }

  return {
    mount(container: HTMLElement): void {
      if (window.hasTestWallet ?? OFFERS_WALLET) container.replaceChildren(button.frame);
      else setTimeout(() => emit('ready', { availablePaymentMethods: undefined }));
    },
    /** The payment method that the payer agreed to pay with in the sheet; undefined before that. */
    choice: () => choice,
    on,
    off,
    update: () => undefined,
    destroy(): void {
      button.remove();
      closeSheet?.();
      forget();
    },
  };
}
