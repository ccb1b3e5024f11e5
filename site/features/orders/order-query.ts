/** The query of an order for its owner and administrators. Someone else's order is a 404. */
import type { Order, OrderSummary } from '#contract/orders.calls.ts';
import type { ApiResponse } from '#site/app/call.ts';
import { responseQuery } from '#site/app/query.ts';
import { wholeOrder } from './whole-order.ts';

const wholeOrderIn = ({ data }: ApiResponse<Order | OrderSummary>): Order => wholeOrder(data);

export const orderQuery = (id: string) => ({
  ...responseQuery('GET /order/:id', { id }),
  select: wholeOrderIn,
});
