/** The query of an order for its owner and the staff. Someone else's order is a 404. */
import type { Order, OrderSummary } from '#contract/orders.calls.ts';
import { isWholeOrder } from '#contract/orders.ts';
import { CallError, type ApiResponse } from '#site/app/call.ts';
import { responseQuery } from '#site/app/query.ts';

/** An order as its owner and the staff see it. @throws CallError 404, also for someone else's order */
export function wholeOrder(order: Order | OrderSummary): Order {
  if (isWholeOrder(order)) return order;
  throw new CallError({ title: 'Not found', status: 404, detail: 'We could not find this order.' });
}

const wholeOrderIn = ({ data }: ApiResponse<Order | OrderSummary>): Order => wholeOrder(data);

export const orderQuery = (id: string) => ({
  ...responseQuery('GET /order/:id', { id }),
  select: wholeOrderIn,
});
