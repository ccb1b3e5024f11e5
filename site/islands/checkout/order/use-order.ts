/** Sending the order form: one order whatever is pressed how often, and a question when the price has changed. */
import { useRef, useState } from 'react';
import type { FieldErrors } from '../../../../worker/contract/problem.ts';
import { callErrorOf } from '../../shared/call-error.ts';
import type { CallError } from '../../shared/call.ts';
import type { Package } from './package.ts';
import { customerErrors, newPriceIn, placeOrder, type Customer } from './place-order.ts';

export interface OrderSending {
  /** The package's price as far as we know, which is what is shown and sent. */
  readonly price: string;
  /** The price that was shown before it changed. */
  readonly formerPrice: string | undefined;
  /** The price has just changed and the customer has not said what to do. */
  readonly asksAboutPrice: boolean;
  readonly isBusy: boolean;
  readonly isPlaced: boolean;
  readonly fieldErrors: FieldErrors;
  readonly error: CallError | undefined;
  readonly send: (customer: Customer) => Promise<void>;
  /** Closes the question about the price without ordering. */
  readonly closeQuestion: () => void;
}

export function useOrder(chosen: Package, email: string): OrderSending {
  const [price, setPrice] = useState(chosen.packagePrice);
  const [formerPrice, setFormerPrice] = useState<string>();
  const [status, setStatus] = useState<'open' | 'asking' | 'sending' | 'placed'>('open');
  const [fieldErrors, setFieldErrors] = useState<FieldErrors>({});
  const [error, setError] = useState<CallError>();
  const key = useRef<string>(undefined);
  const isSending = useRef(false);

  function showFailure(failure: CallError) {
    const changed = newPriceIn(failure.problem);
    setStatus(changed === undefined ? 'open' : 'asking');
    if (changed === undefined) {
      setError(failure);
      setFieldErrors(failure.fieldErrors);
      return;
    }
    setFormerPrice(price);
    setPrice(changed);
    key.current = undefined; // An order at another price is another form.
  }

  async function send(customer: Customer) {
    if (isSending.current) return;
    const errors = customerErrors(customer);
    setFieldErrors(errors);
    setError(undefined);
    if (Object.keys(errors).length > 0) return;
    isSending.current = true;
    setStatus('sending');
    key.current ??= crypto.randomUUID();
    try {
      await placeOrder({ chosen, price, email, customer, idempotencyKey: key.current });
      setStatus('placed');
    } catch (thrown) {
      showFailure(callErrorOf(thrown));
      isSending.current = false;
    }
  }

  return {
    price,
    formerPrice,
    asksAboutPrice: status === 'asking',
    isBusy: status === 'sending' || status === 'placed',
    isPlaced: status === 'placed',
    fieldErrors,
    error,
    send,
    closeQuestion: () => setStatus((current) => (current === 'asking' ? 'open' : current)),
  };
}
