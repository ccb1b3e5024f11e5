/** An order as its owner and administrators see it. */
import { isWholeOrder } from '#contract/orders.ts';
import type { Order } from '#contract/orders.calls.ts';
import { CallError, api } from '#site/app/call.ts';

/** @throws CallError 404 for an order of somebody else too */
export async function readWholeOrder(id: string, signal?: AbortSignal): Promise<Order> {
  const { data } = await api('GET /order/:id', { id, signal });
  if (!isWholeOrder(data))
    throw new CallError({ title: 'Not found', status: 404, detail: 'There is no such order.' });
  return data;
}
