/** The calls that the customer's screens make about orders. */
import type { Order } from '#contract/orders.ts';
import { totalCountHeader } from '#contract/paging.ts';
import { makeCall } from '../shared/call.ts';

export interface OrderPage {
  readonly orders: readonly Order[];
  /** Orders on all pages. */
  readonly total: number;
}

/** One page of the customer's own orders, newest first. */
export async function listOwnOrders(page: number, pageSize: number, signal: AbortSignal): Promise<OrderPage> {
  const { data, headers } = await makeCall('GET /orders', {
    query: { page, pageSize, own: 'true' },
    signal,
  });
  return { orders: data, total: Number(headers.get(totalCountHeader) ?? data.length) };
}

/** `own`, because an administrator who is a customer too would otherwise be told everybody's. */
export const readOwnTotals = async (signal: AbortSignal) =>
  (await makeCall('GET /order-totals', { query: { own: 'true' }, signal })).data;

/** What has happened to an order, oldest first. */
export const readTimeline = async (id: string, signal: AbortSignal) =>
  (await makeCall('GET /order/:id/timeline', { id, signal })).data;
