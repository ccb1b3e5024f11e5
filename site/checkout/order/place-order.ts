/** The calls of the order form: what is known of its customer, whether they have such an order already, and placing one. */
import type { Profile } from '#contract/accounts.calls.ts';
import { newOrder } from '#contract/orders.calls.ts';
import type { BillingDetails, Order } from '#contract/orders.calls.ts';
import type { PackageName } from '#contract/orders.ts';
import { maxPageSize } from '#contract/paging.ts';
import { fieldErrorsOf, type FieldErrors, type Problem } from '#contract/problem.ts';
import type { Address } from '#site/features/orders/address-fields.tsx';
import { api } from '#site/app/call.ts';
import { readSession } from '#site/app/session.ts';
import { sourceOfVisit } from '#site/app/visit.ts';
import type { NewAccount } from './account-fields.tsx';
import type { Package } from './package.ts';

export type Customer = Address & BillingDetails;

/** What the form says of the order: the customer, and the code of a coupon. */
export type OrderDetails = Customer & { readonly couponCode: string };

/** All that the form holds. */
export interface OrderFields extends OrderDetails {
  /** The account that a stranger makes. */
  readonly account: NewAccount;
}

const customerFields = newOrder.pick({
  customerName: true,
  customerAddress: true,
  customerCountry: true,
  customerCompany: true,
  customerTaxNumber: true,
  couponCode: true,
});

/** What is wrong with the form, by field; empty when nothing is. */
export const customerErrors = (customer: Customer): FieldErrors =>
  fieldErrorsOf(customerFields.safeParse(customer));

/** The query for the customer's orders that may not be over. */
const openOrders = { own: 'true', orderStatus: 'Pending', pageSize: maxPageSize } as const;
/** The query for the customer's last order. */
const lastOrder = { own: 'true', pageSize: 1 } as const;

/** The newest order of this package that is not over: it waits for its payment, or is paid and being worked on. */
export const openOrderOf = (packageName: string, orders: readonly Order[]): Order | undefined =>
  orders.find(
    (order) =>
      order.packageName === packageName &&
      (order.paymentStatus === 'UnPaid' || order.paymentStatus === 'Paid'),
  );

/** Asks once more whether there is an order of this package that is not over. */
export const findOpenOrder = async (packageName: string): Promise<Order | undefined> =>
  openOrderOf(packageName, (await api('GET /orders', { query: openOrders })).data);

/** A customer who is signed in. */
export interface Buyer {
  readonly email: string;
  /** What the form begins with. */
  readonly customer: Customer;
  /** Their orders that may not be over. */
  readonly openOrders: readonly Order[];
}

/** Who is signed in, with what is known of them; null for a stranger. */
export async function readBuyer(signal: AbortSignal): Promise<Buyer | null> {
  const account = await readSession(signal);
  if (!account) return null;
  const [{ data: last }, { data: open }, { data: profile }] = await Promise.all([
    api('GET /orders', { query: lastOrder, signal }),
    api('GET /orders', { query: openOrders, signal }),
    api('GET /auth/profile', { signal }),
  ]);
  return { email: account.email, customer: knownCustomer(last[0], profile), openOrders: open };
}

/** Who the last order was for; before a first order, who the profile says they are. */
export function knownCustomer(last: Order | undefined, { name, company }: Profile): Customer {
  const {
    customerName = name,
    customerAddress = '',
    customerCountry = '',
    customerCompany = company,
    customerTaxNumber = '',
  } = last ?? {};
  return { customerName, customerAddress, customerCountry, customerCompany, customerTaxNumber };
}

export interface OrderRequest {
  readonly chosen: Package;
  /** The price that the customer has seen and agreed to. */
  readonly price: string;
  readonly email: string;
  readonly customer: OrderDetails;
  /** The same for every try to send the same form. */
  readonly idempotencyKey: string;
}

/** MM/DD/YYYY */
const dateParts = { month: '2-digit', day: '2-digit', year: 'numeric' } as const;

/** Places the order; the server sets date and statuses itself and refuses a price that is no longer the package's. */
export async function placeOrder({ chosen, price, email, customer, idempotencyKey }: OrderRequest) {
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

/** The package's price now, when that is why an order was refused. */
export const newPriceIn = ({ status, currentPrice }: Problem): string | undefined =>
  status === 409 && typeof currentPrice === 'string' ? currentPrice : undefined;
