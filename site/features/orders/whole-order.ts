/** An order as its owner and administrators see it. */
import { isWholeOrder } from '#contract/orders.ts';
import type { Order, OrderSummary } from '#contract/orders.calls.ts';
import { CallError } from '#site/app/call.ts';

/** @throws CallError 404, also for someone else's order */
export function wholeOrder(order: Order | OrderSummary): Order {
  if (isWholeOrder(order)) return order;
  throw new CallError({ title: 'Not found', status: 404, detail: 'We could not find this order.' });
}
