/** Sending the order form: one order however often the button is pressed, and a question when the price has changed. */
import { useRef, useState } from 'react';
import type { Order } from '#contract/orders.calls.ts';
import type { Problem } from '#contract/problem.ts';
import type { CallError } from '#site/app/call.ts';
import { useForm, type Form } from '#site/app/use-form.ts';
import { useRefetchOnFocus } from '#site/app/use-refetch-on-focus.ts';
import { markPlacedOrder } from '#site/features/orders/placed-order.ts';
import type { Package } from './package.ts';
import { customerErrors, findOpenOrder, newPriceIn, placeOrder, type OrderFields } from './place-order.ts';

export interface OrderSending extends Omit<Form, 'submit' | 'clear'> {
  /** The package's price as far as we know, which is what is shown and sent. */
  readonly price: string;
  /** The price that was shown before it changed. */
  readonly formerPrice: string | undefined;
  /** The price has just changed and the customer has not said what to do. */
  readonly asksAboutPrice: boolean;
  /** An order of the same package that is not over yet. */
  readonly openOrder: Order | undefined;
  /** The form was sent all the same, and the customer has not said whether they want a second one. */
  readonly asksAboutSecond: boolean;
  readonly isPlaced: boolean;
  readonly send: (customer: OrderFields, choice?: OrderChoice) => Promise<void>;
  /** Closes a question without ordering. */
  readonly closeQuestion: () => void;
}

export interface OrderChoice {
  /** The customer wants this order beside the open one. */
  readonly isSecond: boolean;
}

/** The package's price as far as we know, and what it was before the server told of another. */
function usePrice(chosen: Package) {
  const [price, setPrice] = useState(chosen.packagePrice);
  const [formerPrice, setFormerPrice] = useState<string>();
  /** @returns whether the problem tells of another price */
  function takeChange(problem: Problem): boolean {
    const changed = newPriceIn(problem);
    if (changed === undefined) return false;
    setFormerPrice(price);
    setPrice(changed);
    return true;
  }
  return { price, formerPrice, takeChange };
}

/** @param knownOpenOrder the open order as it was when the form was opened; sending looks again */
export function useOrder(chosen: Package, email: string, knownOpenOrder: Order | undefined): OrderSending {
  const [openOrder, setOpenOrder] = useState(knownOpenOrder);
  const { price, formerPrice, takeChange } = usePrice(chosen);
  const [status, setStatus] = useState<'open' | 'askingPrice' | 'askingSecond' | 'placed'>('open');
  const { submit, ...form } = useForm();
  const key = useRef<string>(undefined);
  const wantsSecond = useRef(false);

  function askAboutPrice({ problem }: CallError) {
    if (!takeChange(problem)) return Promise.resolve(false);
    setStatus('askingPrice');
    key.current = undefined; // An order at another price is another form.
    return Promise.resolve(true);
  }

  /** The order that a second one would stand beside; none once the customer has agreed, or when a try is repeated. */
  async function findOpen(choice: OrderChoice | undefined): Promise<Order | undefined> {
    if (choice?.isSecond) wantsSecond.current = true;
    if (wantsSecond.current || key.current !== undefined) return undefined;
    return findOpenOrder(chosen.packageName);
  }

  async function send(customer: OrderFields, choice: OrderChoice | undefined) {
    setStatus('open');
    const open = await findOpen(choice);
    if (open) {
      setOpenOrder(open);
      setStatus('askingSecond');
      return;
    }
    key.current ??= crypto.randomUUID();
    const order = await placeOrder({ chosen, price, email, customer, idempotencyKey: key.current });
    markPlacedOrder(order._id);
    setStatus('placed');
  }

  // Back from the next page the browser may show this form as it was left: it is for another order then.
  useRefetchOnFocus(() => {
    if (status !== 'placed') return;
    key.current = undefined;
    wantsSecond.current = false;
    setStatus('open');
  });

  return {
    ...form,
    price,
    formerPrice,
    asksAboutPrice: status === 'askingPrice',
    openOrder,
    asksAboutSecond: status === 'askingSecond',
    isBusy: form.isBusy || status === 'placed',
    isPlaced: status === 'placed',
    async send(customer, choice) {
      if (status === 'placed') return;
      await submit({
        check: () => customerErrors(customer),
        send: () => send(customer, choice),
        recover: askAboutPrice,
      });
    },
    closeQuestion: () =>
      setStatus((current) => (current === 'askingPrice' || current === 'askingSecond' ? 'open' : current)),
  };
}
