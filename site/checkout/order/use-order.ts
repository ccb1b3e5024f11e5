/**
 * Sends the order form: one order however often the button is clicked, and a question if the price has changed.
 */
import { useRef, useState } from 'react';
import type { Order } from '#contract/orders.calls.ts';
import type { Problem } from '#contract/problem.ts';
import type { CallError } from '#site/app/call.ts';
import { useForm, type Form } from '#site/app/use-form.ts';
import { useRefetchOnFocus } from '#site/app/use-refetch-on-focus.ts';
import { markPlacedOrder } from '#site/features/orders/placed-order.ts';
import type { Package } from './package.ts';
import { useOrderer } from './use-orderer.ts';
import { customerErrors, findOpenOrder, newPriceIn, placeOrder, type OrderFields } from './place-order.ts';

export interface OrderSending extends Omit<Form, 'submit' | 'clear'> {
  /** Of the signed-in account; undefined for a stranger. */
  readonly email: string | undefined;
  /** The package's last known price, which is shown and sent. */
  readonly price: string;
  /** The price that was shown before it changed. */
  readonly formerPrice: string | undefined;
  /** Whether the price has changed and the customer has not accepted it yet. */
  readonly asksAboutPrice: boolean;
  /** An open order of the same package. */
  readonly openOrder: Order | undefined;
  /** Whether the form was sent anyway and the customer has not confirmed a second order yet. */
  readonly asksAboutSecond: boolean;
  readonly isPlaced: boolean;
  readonly send: (typed: OrderFields, choice?: OrderChoice) => Promise<void>;
  /** Closes a question without ordering. */
  readonly closeQuestion: () => void;
}

export interface OrderChoice {
  /** The customer confirms a second order. */
  readonly isSecond: boolean;
}

/** The package's last known price, and the one before it changed. */
function usePrice(chosen: Package) {
  const [price, setPrice] = useState(chosen.packagePrice);
  const [formerPrice, setFormerPrice] = useState<string>();
  /** @returns whether the error contains another price */
  function takeChange(problem: Problem): boolean {
    const changed = newPriceIn(problem);
    if (changed === undefined) return false;
    setFormerPrice(price);
    setPrice(changed);
    return true;
  }
  return { price, formerPrice, takeChange };
}

/** The open order of the same package, and whether the customer wants a second one. */
function useOpenOrder({ packageName }: Package, known: Order | undefined) {
  const [openOrder, setOpenOrder] = useState(known);
  const wantsSecond = useRef(false);

  /** @returns whether there is an open order and the customer has not confirmed a second one */
  async function findOpen(choice: OrderChoice | undefined): Promise<boolean> {
    if (choice?.isSecond) wantsSecond.current = true;
    if (wantsSecond.current) return false;
    const open = await findOpenOrder(packageName);
    if (open) setOpenOrder(open);
    return open !== undefined;
  }

  function forgetChoice() {
    wantsSecond.current = false;
  }

  return { openOrder, findOpen, forgetChoice };
}

/**
 * @param knownEmail of the signed-in account; undefined for a stranger
 * @param knownOpenOrder the open order when the form was opened; sending checks again
 */
export function useOrder(
  chosen: Package,
  knownEmail: string | undefined,
  knownOpenOrder: Order | undefined,
): OrderSending {
  const { signUp, accountErrors, ...orderer } = useOrderer(knownEmail);
  const { openOrder, findOpen, forgetChoice } = useOpenOrder(chosen, knownOpenOrder);
  const { price, formerPrice, takeChange } = usePrice(chosen);
  const [status, setStatus] = useState<'open' | 'askingPrice' | 'askingSecond' | 'placed'>('open');
  const { submit, ...form } = useForm();
  const key = useRef<string>(undefined);

  function askAboutPrice({ problem }: CallError) {
    if (!takeChange(problem)) return Promise.resolve(false);
    setStatus('askingPrice');
    key.current = undefined; // An order at another price is a new order.
    return Promise.resolve(true);
  }

  async function send({ account, ...customer }: OrderFields, choice: OrderChoice | undefined) {
    setStatus('open');
    const email = await signUp(account);
    // A repeated try has asked before.
    if (key.current === undefined && (await findOpen(choice))) {
      setStatus('askingSecond');
      return;
    }
    key.current ??= crypto.randomUUID();
    const { _id } = await placeOrder({ chosen, price, email, customer, idempotencyKey: key.current });
    markPlacedOrder(_id);
    setStatus('placed');
  }

  // After Back, the browser may restore this form as it was. It then places another order.
  useRefetchOnFocus(() => {
    if (status !== 'placed') return;
    key.current = undefined;
    forgetChoice();
    setStatus('open');
  });

  return {
    ...form,
    ...orderer,
    price,
    formerPrice,
    asksAboutPrice: status === 'askingPrice',
    openOrder,
    asksAboutSecond: status === 'askingSecond',
    isBusy: form.isBusy || status === 'placed',
    isPlaced: status === 'placed',
    async send(typed, choice) {
      if (status === 'placed') return;
      const { account, ...details } = typed;
      await submit({
        check: () => ({ ...accountErrors(account), ...customerErrors(details) }),
        send: () => send(typed, choice),
        recover: askAboutPrice,
      });
    },
    closeQuestion: () =>
      setStatus((current) => (current === 'askingPrice' || current === 'askingSecond' ? 'open' : current)),
  };
}
