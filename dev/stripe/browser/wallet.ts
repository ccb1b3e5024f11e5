/**
 * The Express Checkout Element with one test wallet that acts like Google Pay: a button in a frame, and a sheet
 * over the page in which the payer chooses a card (which pays, is declined or is challenged) and pays or
 * cancels.
 * https://docs.stripe.com/elements/express-checkout-element
 */
import { makeFrame, openHandlers, type FromWalletFrame } from './protocol.ts';

declare const OFFERS_WALLET: boolean;

declare global {
  interface Window {
    /** Whether this browser has the test wallet. If the page does not say, the emulator's option applies. */
    hasTestWallet?: boolean;
  }
}

const elementType = 'expressCheckout';
const expressPaymentType = 'google_pay';
const buttonHeight = { default: 44, min: 40, max: 55 } as const;

interface ButtonOptions {
  readonly buttonHeight?: number;
  readonly theme?: string;
}

function makeButton(
  origin: string,
  { buttonHeight: height = buttonHeight.default, theme = '' }: ButtonOptions,
): HTMLIFrameElement {
  if (height < buttonHeight.min || height > buttonHeight.max)
    throw new Error(`buttonHeight must be between ${buttonHeight.min} and ${buttonHeight.max}.`);
  const look = { display: 'block', height: `${height}px`, width: '100%' };
  return makeFrame(`${origin}/frames/wallet?${theme}`, 'Secure express checkout frame', look);
}

function makeSheet(origin: string, whenCancelled: () => void): HTMLDialogElement {
  const sheet = document.createElement('dialog');
  sheet.ariaLabel = 'Test wallet';
  const look = { background: '#fff', display: 'block', height: '300px', width: 'min(400px, 80vw)' };
  sheet.appendChild(makeFrame(`${origin}/frames/wallet?sheet`, 'Test wallet', look));
  sheet.addEventListener('cancel', whenCancelled);
  return sheet;
}

export type ExpressCheckout = ReturnType<typeof createExpressCheckout>;

/** @param forget called when the element is destroyed */
export function createExpressCheckout(origin: string, options: ButtonOptions, forget: () => void) {
  const { on, off, isHeard, ...handlers } = openHandlers();
  const button = makeButton(origin, options);
  let sheet: HTMLDialogElement | undefined;
  let choice: string | undefined;

  const emit = (name: string, event: object = {}) => handlers.emit(name, { elementType, ...event });

  function closeSheet(): void {
    sheet?.remove();
    sheet = undefined;
  }

  function openSheet(): void {
    sheet = makeSheet(origin, () => {
      closeSheet();
      emit('cancel');
    });
    document.body.appendChild(sheet);
    sheet.showModal();
  }

  /**
   * Asks the page, which may answer with `resolve` or `reject`. If the page has no listener, the sheet opens by itself.
   */
  function handleClick(): void {
    if (isHeard('click')) emit('click', { expressPaymentType, resolve: openSheet, reject: () => undefined });
    else openSheet();
  }

  function receive(message: FromWalletFrame): void {
    if (message.type === 'click') handleClick();
    else if (message.type === 'ready')
      emit('ready', { availablePaymentMethods: { googlePay: true, applePay: false, link: false } });
    else {
      closeSheet();
      if (message.type === 'pay') {
        choice = message.paymentMethod;
        emit('confirm', { expressPaymentType, paymentFailed: () => (choice = undefined) });
      } else emit('cancel');
    }
  }

  function listen({ origin: sender, source, data }: MessageEvent): void {
    const isOurs = [button, sheet?.querySelector('iframe')].some((frame) => frame?.contentWindow === source);
    // Only this folder's frames are at that origin.
    if (sender === origin && isOurs) receive(data as FromWalletFrame);
  }

  return {
    mount(container: HTMLElement): void {
      window.addEventListener('message', listen);
      if (window.hasTestWallet ?? OFFERS_WALLET) container.replaceChildren(button);
      else setTimeout(() => emit('ready', { availablePaymentMethods: undefined }));
    },
    /** The payment method with which the payer agreed to pay in the sheet; undefined before that. */
    choice: () => choice,
    on,
    off,
    update: () => undefined,
    destroy(): void {
      window.removeEventListener('message', listen);
      closeSheet();
      button.remove();
      forget();
    },
  };
}
