/** The calls of the order form: the customer's details, their open orders, and the new order. */
import type { Profile } from '#contract/accounts.calls.ts';
import type { BillingDetails, Order } from '#contract/orders.calls.ts';
import type { PackageName } from '#contract/orders.ts';
import { maxPageSize } from '#contract/paging.ts';
import type { Problem } from '#contract/problem.ts';
import type { RecordOf } from '#contract/sections/index.ts';
import type { Address } from '#site/features/orders/address-fields.tsx';
import { api } from '#site/app/call.ts';
import { readSession } from '#site/app/session.ts';
import { sourceOfVisit } from '#site/app/visit.ts';
import type { NewAccount } from './account-fields.tsx';

type Customer = Address & BillingDetails;

/** The form's values for the order: the customer, and a coupon code. */
export type OrderDetails = Customer & { readonly couponCode: string };

export interface OrderFields extends OrderDetails {
  readonly account: NewAccount;
}

const openOrders = { own: 'true', orderStatus: 'Pending', pageSize: maxPageSize } as const;
const lastOrder = { own: 'true', pageSize: 1 } as const;

/** Returns the newest open order of this package, which is unpaid, or paid and in progress. */
export const openOrderOf = (packageName: string, orders: readonly Order[]): Order | undefined =>
  orders.find(
    (order) =>
      order.packageName === packageName &&
      (order.paymentStatus === 'UnPaid' || order.paymentStatus === 'Paid'),
  );

/** Checks again whether there is an open order of this package. */
export const findOpenOrder = async (packageName: string): Promise<Order | undefined> =>
  openOrderOf(packageName, (await api('GET /orders', { query: openOrders })).data);

/** A signed-in customer. */
export interface Buyer {
  readonly email: string;
  /** The initial values of the form. */
  readonly customer: Customer;
  readonly openOrders: readonly Order[];
}

/** The signed-in customer with their details; null for an anonymous visitor. */
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

/** The customer's details from the last order or, before the first order, from the profile. */
const knownCustomer = (last: Order | undefined, { name, company }: Profile): Customer => ({
  customerName: last?.customerName ?? name,
  customerAddress: last?.customerAddress ?? '',
  customerCountry: last?.customerCountry ?? '',
  customerCompany: last?.customerCompany ?? company,
  customerTaxNumber: last?.customerTaxNumber ?? '',
  receiptCopyEmail: last?.receiptCopyEmail ?? '',
});

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

/** The package's current price, if that is why an order was rejected. */
export const newPriceIn = ({ status, currentPrice }: Problem): string | undefined =>
  status === 409 && typeof currentPrice === 'string' ? currentPrice : undefined;

/** The package that is being ordered, at its current price. */
export type Package = RecordOf<'pricingPackage'>;
