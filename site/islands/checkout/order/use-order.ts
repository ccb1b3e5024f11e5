/** Sending the order form: one order whatever is pressed how often, and a question when the price has changed. */
import { useRef, useState } from 'react';
import type { FieldErrors } from '../../../../worker/contract/problem.ts';
import type { Order } from '../../../../worker/contract/orders.ts';
import { callErrorOf } from '../../shared/call-error.ts';
import type { CallError } from '../../shared/call.ts';
import { useReturn } from '../../shared/use-return.ts';
import { findOpenOrder } from './own-orders.ts';
import type { Package } from './package.ts';
import { customerErrors, newPriceIn, placeOrder, type Customer } from './place-order.ts';

export interface OrderSending {
  /** The package's price as far as we know, which is what is shown and sent. */
  readonly price: string;
  /** The price that was shown before it changed. */
  readonly formerPrice: string | undefined;
  /** The price has just changed and the customer has not said what to do. */
  readonly asksAboutPrice: boolean;
  /** An order of the same package that waits for its payment. */
  readonly openOrder: Order | undefined;
  /** The form was sent all the same, and the customer has not said whether they want a second one. */
  readonly asksAboutSecond: boolean;
  readonly isBusy: boolean;
  readonly isPlaced: boolean;
  readonly fieldErrors: FieldErrors;
  readonly error: CallError | undefined;
  readonly send: (customer: Customer, choice?: OrderChoice) => Promise<void>;
  /** Closes a question without ordering. */
  readonly closeQuestion: () => void;
}

export interface OrderChoice {
  /** The customer wants this order beside the open one. */
  readonly isSecond: boolean;
}

/** @param knownOpenOrder the open order as it was when the form was opened; sending looks again */
export function useOrder(chosen: Package, email: string, knownOpenOrder: Order | undefined): OrderSending {
  const [openOrder, setOpenOrder] = useState(knownOpenOrder);
  const [price, setPrice] = useState(chosen.packagePrice);
  const [formerPrice, setFormerPrice] = useState<string>();
  const [status, setStatus] = useState<'open' | 'askingPrice' | 'askingSecond' | 'sending' | 'placed'>(
    'open',
  );
  const [fieldErrors, setFieldErrors] = useState<FieldErrors>({});
  const [error, setError] = useState<CallError>();
  const key = useRef<string>(undefined);
  const isSending = useRef(false);
  const wantsSecond = useRef(false);

  function showFailure(failure: CallError) {
    const changed = newPriceIn(failure.problem);
    setStatus(changed === undefined ? 'open' : 'askingPrice');
    if (changed === undefined) {
      setError(failure);
      setFieldErrors(failure.fieldErrors);
      return;
    }
    setFormerPrice(price);
    setPrice(changed);
    key.current = undefined; // An order at another price is another form.
  }

  /** The order that a second one would stand beside; none once the customer has agreed, or when a try is repeated. */
  async function findOpen(choice: OrderChoice | undefined): Promise<Order | undefined> {
    if (choice?.isSecond) wantsSecond.current = true;
    if (wantsSecond.current || key.current !== undefined) return undefined;
    return findOpenOrder(chosen.packageName);
  }

  async function send(customer: Customer, choice?: OrderChoice) {
    if (isSending.current) return;
    const errors = customerErrors(customer);
    setFieldErrors(errors);
    setError(undefined);
    if (Object.keys(errors).length > 0) return;
    isSending.current = true;
    setStatus('sending');
    try {
      const open = await findOpen(choice);
      if (open) {
        setOpenOrder(open);
        setStatus('askingSecond');
        isSending.current = false;
        return;
      }
      key.current ??= crypto.randomUUID();
      await placeOrder({ chosen, price, email, customer, idempotencyKey: key.current });
      setStatus('placed');
    } catch (thrown) {
      showFailure(callErrorOf(thrown));
      isSending.current = false;
    }
  }

  // Back from the next page the browser may show this form as it was left: it is for another order then.
  useReturn(() => {
    if (status !== 'placed') return;
    key.current = undefined;
    isSending.current = false;
    wantsSecond.current = false;
    setStatus('open');
  });

  return {
    price,
    formerPrice,
    asksAboutPrice: status === 'askingPrice',
    openOrder,
    asksAboutSecond: status === 'askingSecond',
    isBusy: status === 'sending' || status === 'placed',
    isPlaced: status === 'placed',
    fieldErrors,
    error,
    send,
    closeQuestion: () =>
      setStatus((current) => (current === 'askingPrice' || current === 'askingSecond' ? 'open' : current)),
  };
}
