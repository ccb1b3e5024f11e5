/** The query of an order that its owner and administrators see. Its error is a 404 for an order of somebody else too. */
import type { Order, OrderSummary } from '#contract/orders.calls.ts';
import type { ApiResponse } from '#site/app/call.ts';
import { responseQuery } from '#site/app/query.ts';
import { wholeOrder } from './whole-order.ts';

const wholeOrderIn = ({ data }: ApiResponse<Order | OrderSummary>): Order => wholeOrder(data);

export const orderQuery = (id: string) => ({
  ...responseQuery('GET /order/:id', { id }),
  select: wholeOrderIn,
});
