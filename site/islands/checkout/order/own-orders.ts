/** What is known of the customer already, as far as the order form can use it. */
import type { Order } from '#contract/orders.ts';
import { maxPageSize } from '#contract/paging.ts';
import { makeCall } from '#site/islands/shared/call.ts';
import type { Customer } from './place-order.ts';

/** The newest order of this package that is not over: it waits for its payment, or is paid and being worked on. */
export async function findOpenOrder(packageName: string, signal?: AbortSignal): Promise<Order | undefined> {
  const { data } = await makeCall('GET /orders', {
    query: { own: 'true', orderStatus: 'Pending', pageSize: maxPageSize },
    ...(signal && { signal }),
  });
  return data.find(
    (order) =>
      order.packageName === packageName &&
      (order.paymentStatus === 'UnPaid' || order.paymentStatus === 'Paid'),
  );
}

export interface KnownCustomer {
  /** Who the last order was for; before a first order, who the profile says they are. */
  readonly customer: Customer;
  readonly hasOrdered: boolean;
}

export async function readKnownCustomer(signal: AbortSignal): Promise<KnownCustomer> {
  const query = { own: 'true', pageSize: 1 } as const;
  const [orders, profile] = await Promise.all([
    makeCall('GET /orders', { query, signal }),
    makeCall('GET /auth/profile', { signal }),
  ]);
  const [last] = orders.data;
  const { name, company } = profile.data;
  const {
    customerName = name,
    customerAddress = '',
    customerCountry = '',
    customerCompany = company,
    customerTaxNumber = '',
  } = last ?? {};
  return {
    customer: { customerName, customerAddress, customerCountry, customerCompany, customerTaxNumber },
    hasOrdered: last !== undefined,
  };
}
