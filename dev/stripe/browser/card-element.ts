/** The card field in the page: number, date and security code, in a frame of the emulator. It has no postal code. */
import type { StripeCardElementOptions } from '@stripe/stripe-js';
import type { ApiResult, Fields } from './api.ts';
import { type FromFrame, integrationError, openFrame, openHandlers } from './frame.ts';

export type CardElement = ReturnType<typeof createCard>;

/** @param forget called when the field is destroyed */
export function createCard(options: StripeCardElementOptions, forget: () => void) {
  if (!options.hidePostalCode)
    throw integrationError('The emulated card has no postal code: create it with hidePostalCode.');
  const { on, off, emit } = openHandlers('card');
  const look = { display: 'block', height: '1.2em', width: '100%' };
  const { frame, send, remove } = openFrame('card', 'Secure card payment input frame', look, receive);
  let { style } = options;
  let finish: ((result: ApiResult) => void) | undefined;

  const sendStyle = () => send({ type: 'style', style: style ?? {} });

  /** Keeps the container's classes up to date, so that the page can style it. */
  const showState = (name: string, isOn: boolean) =>
    frame.parentElement?.classList.toggle(`StripeElement--${name}`, isOn);

  function receive(message: FromFrame): void {
    switch (message.type) {
      case 'ready':
        sendStyle();
        emit('ready');
        break;
      case 'height':
        frame.style.height = `${message.heightPx}px`;
        break;
      case 'submit':
        frame.closest('form')?.requestSubmit();
        break;
      case 'created':
        finish?.(message.result);
        break;
      case 'change':
        showState('invalid', message.change.error !== undefined);
        emit('change', message.change);
        break;
      default:
        showState('focus', message.type === 'focus');
        emit(message.type);
    }
  }

  return {
    mount(container: HTMLElement): void {
      container.replaceChildren(frame);
      container.classList.add('StripeElement');
    },
    /** Makes the frame send the card to the emulator. Resolves with the payment method or an error. */
    submit(key: string, billing: Fields): Promise<ApiResult> {
      if (!frame.isConnected)
        throw integrationError(
          'We could not retrieve data from the specified Element. Please make sure the Element you are attempting to use is still mounted.',
        );
      send({ type: 'create', key, billing });
      return new Promise((resolve) => (finish = resolve));
    },
    on,
    off,
    update(changed: StripeCardElementOptions): void {
      style = changed.style ?? style;
      sendStyle();
    },
    destroy(): void {
      remove();
      forget();
    },
  };
}
