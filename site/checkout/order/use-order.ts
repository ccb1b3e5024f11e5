/**
 * Sends the order form: one order however often the button is clicked, and questions if the price has changed or
 * the same package is already ordered.
 */
import { useRef, useState } from 'react';
import { displayNameOf } from '#contract/packages.ts';
import type { Order } from '#contract/orders.calls.ts';
import { callErrorOf } from '#site/app/call-error.ts';
import { useForm, type Form } from '#site/app/use-form.ts';
import { useRefetchOnFocus } from '#site/app/use-refetch-on-focus.ts';
import { markPlacedOrder } from '#site/features/orders/placed-order.ts';
import { askAboutPrice, askAboutSecond } from './order-questions.tsx';
import type { Package } from './package.ts';
import { useOrderer } from './use-orderer.ts';
import { customerErrors, findOpenOrder, newPriceIn, placeOrder, type OrderFields } from './place-order.ts';

export interface OrderSending extends Omit<Form, 'submit' | 'clear'> {
  /** The email of the signed-in account; undefined for a visitor. */
  readonly email: string | undefined;
  /** The package's last known price, which is shown and sent. */
  readonly price: string;
  /** The price that was shown before it changed. */
  readonly formerPrice: string | undefined;
  /** An open order of the same package. */
  readonly openOrder: Order | undefined;
  readonly isPlaced: boolean;
  readonly send: (typed: OrderFields) => Promise<void>;
}

/** The open order of the same package, and whether the customer wants a second one. */
function useOpenOrder({ packageName }: Package, known: Order | undefined) {
  const [openOrder, setOpenOrder] = useState(known);
  const wantsSecond = useRef(false);

  /** @returns whether there is no open order, or the customer wants a second one */
  async function isWanted(): Promise<boolean> {
    if (wantsSecond.current) return true;
    const open = await findOpenOrder(packageName);
    if (!open) return true;
    setOpenOrder(open);
    wantsSecond.current = await askAboutSecond(open);
    return wantsSecond.current;
  }

  function forgetChoice() {
    wantsSecond.current = false;
  }

  return { openOrder, isWanted, forgetChoice };
}

/**
 * @param knownEmail the email of the signed-in account; undefined for a visitor
 * @param knownOpenOrder the open order when the form was opened; sending checks again
 */
export function useOrder(
  chosen: Package,
  knownEmail: string | undefined,
  knownOpenOrder: Order | undefined,
): OrderSending {
  const { signUp, accountErrors, ...orderer } = useOrderer(knownEmail);
  const { openOrder, isWanted, forgetChoice } = useOpenOrder(chosen, knownOpenOrder);
  const [price, setPrice] = useState(chosen.packagePrice);
  const [formerPrice, setFormerPrice] = useState<string>();
  const [isPlaced, setPlaced] = useState(false);
  const { submit, ...form } = useForm();
  const key = useRef<string>(undefined);

  async function place(order: Omit<Parameters<typeof placeOrder>[0], 'chosen' | 'idempotencyKey'>) {
    key.current ??= crypto.randomUUID();
    try {
      const { _id } = await placeOrder({ ...order, chosen, idempotencyKey: key.current });
      markPlacedOrder(_id);
      setPlaced(true);
    } catch (thrown) {
      const changed = newPriceIn(callErrorOf(thrown).problem);
      if (changed === undefined) throw thrown;
      key.current = undefined; // With another price, it is a new order.
      setFormerPrice(order.price);
      setPrice(changed);
      if (await askAboutPrice(displayNameOf(chosen), changed, order.price))
        await place({ ...order, price: changed });
    }
  }

  async function send({ account, ...customer }: OrderFields) {
    const email = await signUp(account);
    // If this is a retry, the question was already asked.
    if (key.current !== undefined || (await isWanted())) await place({ price, email, customer });
  }

  // After Back, the browser may restore this form as it was. It then places another order.
  useRefetchOnFocus(() => {
    if (!isPlaced) return;
    key.current = undefined;
    forgetChoice();
    setPlaced(false);
  });

  return {
    ...form,
    ...orderer,
    price,
    formerPrice,
    openOrder,
    isBusy: form.isBusy || isPlaced,
    isPlaced,
    async send(typed) {
      if (isPlaced) return;
      const { account, ...details } = typed;
      await submit({
        check: () => ({ ...accountErrors(account), ...customerErrors(details) }),
        send: () => send(typed),
      });
    },
  };
}
