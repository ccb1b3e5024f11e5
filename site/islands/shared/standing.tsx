/** Where an order stands, in one plain word, for its customer and for us. */
import { standingOf, type Standing as Word } from '#contract/orders.ts';
import type { Order } from '#contract/orders.calls.ts';
import { Badge, type Tone } from '#components/badge.tsx';

const tones: Readonly<Record<Word, Tone>> = {
  'Awaiting payment': 'warning',
  'In progress': 'info',
  Delivered: 'success',
  Cancelled: 'neutral',
  Refunded: 'neutral',
};

export function Standing({ order }: { readonly order: Pick<Order, 'paymentStatus' | 'orderStatus'> }) {
  const word = standingOf(order);
  return <Badge tone={tones[word]}>{word}</Badge>;
}
