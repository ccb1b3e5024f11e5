/** The status of an order in one word, for customers and staff. */
import { displayStatusOf, type DisplayStatus } from '#contract/orders.ts';
import type { Order } from '#contract/orders.calls.ts';
import { Badge, type Tone } from '#site/ui/badge.tsx';

const tones: Readonly<Record<DisplayStatus, Tone>> = {
  'Awaiting payment': 'warning',
  'In progress': 'info',
  Delivered: 'success',
  Cancelled: 'neutral',
  Refunded: 'neutral',
};

export function OrderStatusBadge({
  order,
}: {
  readonly order: Pick<Order, 'paymentStatus' | 'orderStatus'>;
}) {
  const word = displayStatusOf(order);
  return <Badge tone={tones[word]}>{word}</Badge>;
}
