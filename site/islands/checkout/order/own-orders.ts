/** The customer's earlier orders, as far as the order form can use them. */
import type { Order } from '#contract/orders.ts';
import { maxPageSize } from '#contract/paging.ts';
import { makeCall } from '#site/islands/shared/call.ts';
import type { Customer } from './place-order.ts';

/** The newest order of this package that still waits for its payment. */
export async function findOpenOrder(packageName: string, signal?: AbortSignal): Promise<Order | undefined> {
  const { data } = await makeCall('GET /orders', {
    query: { own: 'true', paymentStatus: 'UnPaid', pageSize: maxPageSize },
    ...(signal && { signal }),
  });
  return data.find((order) => order.packageName === packageName);
}

/** Who the last order was for; undefined for a first order. */
export async function readLastCustomer(signal: AbortSignal): Promise<Customer | undefined> {
  const query = { own: 'true', pageSize: 1 } as const;
  const [last] = (await makeCall('GET /orders', { query, signal })).data;
  if (!last) return undefined;
  const { customerName, customerAddress, customerCountry, customerCompany, customerTaxNumber } = last;
  return { customerName, customerAddress, customerCountry, customerCompany, customerTaxNumber };
}
