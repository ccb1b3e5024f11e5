/** Sends the order form: only once, and with questions if the price has changed or the package is already ordered. */
import { useRef, useState } from 'react';
import { isMonthly } from '#contract/packages.ts';
import type { CouponPrice } from '#contract/coupons.calls.ts';
import type { BillingDetails, Order } from '#contract/orders.calls.ts';
import type { PackageName } from '#contract/orders.ts';
import { maxPageSize } from '#contract/paging.ts';
import type { Problem } from '#contract/problem.ts';
import type { RecordOf } from '#contract/sections/index.ts';
import { callErrorOf } from '#site/app/call-error.ts';
import { useForm } from '#site/app/use-form.ts';
import { useRefetchOnFocus } from '#site/app/use-refetch-on-focus.ts';
import type { Address } from '#site/features/orders/address-fields.tsx';
import { markPlacedOrder } from '#site/features/orders/placed-order.ts';
import { askAboutPrice, askAboutSecond } from './order-questions.tsx';
import { api } from '#site/app/call.ts';
import { sourceOfVisit } from '#site/app/visit.ts';
import type { NewAccount } from './account-fields.tsx';

/** The package that is being ordered, at its current price. */
export type Package = RecordOf<'pricingPackage'>;

/** The customer's details in the form. */
export type Customer = Address & BillingDetails;

/** The form's values for the order: the customer, and a coupon code. */
type OrderDetails = Customer & { readonly couponCode: string };

interface OrderFields extends OrderDetails {
  readonly account: NewAccount;
}

/** Loads the form's validation. The form also calls it on focus, so that sending does not have to wait. */
export const loadCheck = () => import('./check-order.ts');

/** The query for the customer's orders that may be open. */
export const openOrders = { own: 'true', orderStatus: 'Pending', pageSize: maxPageSize } as const;

/** Returns the newest open order of this package, which is unpaid, or paid and in progress. */
export const openOrderOf = (packageName: string, orders: readonly Order[]): Order | undefined =>
  orders.find(
    (order) =>
      order.packageName === packageName &&
      (order.paymentStatus === 'UnPaid' || order.paymentStatus === 'Paid'),
  );

/** Checks again whether there is an open order of this package. */
const findOpenOrder = async (packageName: string): Promise<Order | undefined> =>
  openOrderOf(packageName, (await api('GET /orders', { query: openOrders })).data);

/** The open order of the same package, and whether the customer wants a second one. */
function useOpenOrder({ packageName, billing }: Package, known: Order | undefined) {
  const [openOrder, setOpenOrder] = useState(known);
  const wantsSecond = useRef(false);

  /** @returns whether there is no open order, or the customer wants a second one */
  async function isWanted(): Promise<boolean> {
    // The server rejects a second subscription to the same package, so there is no choice.
    if (wantsSecond.current || isMonthly({ billing })) return true;
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

interface OrderRequest {
  readonly chosen: Package;
  /** The price that the customer has seen and accepted. */
  readonly price: string;
  readonly email: string;
  readonly customer: OrderDetails;
  /** The same for every attempt to send the same form. */
  readonly idempotencyKey: string;
}

/** MM/DD/YYYY */
const dateParts = { month: '2-digit', day: '2-digit', year: 'numeric' } as const;

/** Places the order. The server sets date and statuses, and rejects a price that is no longer current. */
async function placeOrder({ chosen, price, email, customer, idempotencyKey }: OrderRequest) {
  const { data } = await api('POST /new-order', {
    idempotencyKey,
    body: {
      packageName: chosen.packageName as PackageName,
      packagePrice: price,
      customerEmail: email,
      ...customer,
      ...sourceOfVisit(),
      paymentStatus: 'UnPaid',
      orderStatus: 'Pending',
      orderDate: new Date().toLocaleDateString('en-US', dateParts),
    },
  });
  return data;
}

/** The price with a coupon; undefined without a code. */
async function couponPriceOf({ packageName }: Package, couponCode: string): Promise<CouponPrice | undefined> {
  if (couponCode.trim() === '') return undefined;
  const body = { couponCode, packageName: packageName as PackageName };
  return (await api('POST /coupon-price', { body })).data;
}

/** The package's current price, if a new price is why an order was rejected. */
export const newPriceIn = ({ status, currentPrice }: Problem): string | undefined =>
  status === 409 && typeof currentPrice === 'string' ? currentPrice : undefined;

/**
 * @param knownEmail undefined for a visitor @param knownOpenOrder the open order when the screen opened; sending checks
 *   again
 */
export function useOrder(chosen: Package, knownEmail: string | undefined, knownOpenOrder: Order | undefined) {
  const { email, signUp } = useOrderer(knownEmail);
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
      const coupon = await couponPriceOf(chosen, order.customer.couponCode);
      if (await askAboutPrice({ chosen, price: changed, formerPrice: order.price, coupon }))
        await place({ ...order, price: changed });
    }
  }

  async function send({ account, ...customer }: OrderFields) {
    const owner = await signUp(account);
    // If this is a retry, the question was already asked.
    if (key.current !== undefined || (await isWanted())) await place({ price, email: owner, customer });
  }

  // After Back, the browser may restore this form as it was. It can then place another order.
  useRefetchOnFocus(() => {
    if (!isPlaced) return;
    key.current = undefined;
    forgetChoice();
    setPlaced(false);
  });

  return {
    ...form,
    /** The email of the signed-in account; undefined for a visitor. */
    email,
    /** The package's last known price, which is shown and sent. */
    price,
    /** The price that was shown before it changed. */
    formerPrice,
    openOrder,
    isBusy: form.isBusy || isPlaced,
    isPlaced,
    async send(typed: OrderFields) {
      if (isPlaced) return;
      const { account, ...details } = typed;
      await submit({
        check: async () => (await loadCheck()).checkOrder(details, email === undefined ? account : undefined),
        send: () => send(typed),
      });
    },
  };
}

/**
 * The account of the order. A visitor without an account signs up with the first click on the button, and then stays
 * signed in, even if the order fails.
 * @param known the email of the signed-in account; undefined for a visitor
 */
function useOrderer(known: string | undefined) {
  const [email, setEmail] = useState(known);

  /** @returns the email that the order belongs to */
  async function signUp(account: NewAccount): Promise<string> {
    if (email !== undefined) return email;
    // The page that the link in the verification email opens.
    const next = location.pathname;
    const { data } = await api('POST /auth/register', { body: { ...account, next } });
    const made = data.account?.email ?? account.email;
    setEmail(made);
    // The header now shows the links for an account, as it does after a reload.
    document.documentElement.dataset['signedIn'] = 'customer';
    return made;
  }

  return { email, signUp };
}
