/** Where an order stands, in words for its customer: what happened, what is next, what to do. */
import type { Order, OrderEvent, OrderEventKind } from '#contract/orders.ts';
import { linkTo } from '#contract/screens.ts';

type Statuses = Pick<Order, '_id' | 'paymentStatus' | 'orderStatus'>;

export interface NextStep {
  /** One sentence: how things stand and what comes next. */
  readonly text: string;
  /** What the customer can do about it; absent when it is our turn. */
  readonly action?: { readonly label: string; readonly href: string };
}

/** Whether the order waits for its customer's payment or for our work. */
export const isOpen = ({ paymentStatus, orderStatus }: Statuses): boolean =>
  paymentStatus === 'UnPaid' || (paymentStatus === 'Paid' && orderStatus === 'Pending');

/** What comes next for an order, and who has to do it. */
export function nextStep({ _id, paymentStatus, orderStatus }: Statuses): NextStep {
  if (paymentStatus === 'Cancelled')
    return {
      text: 'This order was cancelled. You can order a package again at any time.',
      action: { label: 'See the packages', href: linkTo('pricing') },
    };
  if (paymentStatus === 'UnPaid')
    return {
      text:
        orderStatus === 'Delivered'
          ? 'Your order has been delivered and is not paid yet.'
          : 'We start as soon as this order is paid.',
      action: { label: 'Pay Now', href: linkTo('pay', _id) },
    };
  return orderStatus === 'Delivered'
    ? {
        text: 'Your order is paid and delivered.',
        action: { label: 'Ask a question', href: linkTo('contact') },
      }
    : { text: 'Your order is paid and we are working on it. There is nothing for you to do.' };
}

export interface ProgressStep {
  readonly title: string;
  /** `done` has happened, `current` is happening, `upcoming` follows, `stopped` ended it. */
  readonly state: 'done' | 'current' | 'upcoming' | 'stopped';
  /** When it happened: ISO 8601, UTC. */
  readonly at?: string;
}

const eventTitles: Readonly<Record<OrderEventKind, string>> = {
  placed: 'Order placed',
  paymentStarted: 'Payment page opened',
  paid: 'Payment received',
  paidByHand: 'Payment received, recorded by our team',
  paymentWithdrawn: 'Payment taken back by our team',
  cancelled: 'Order cancelled',
  delivered: 'Order delivered',
  reopened: 'Work taken up again',
  refunded: 'Payment refunded',
  anonymized: 'Personal data removed',
};

function remainingSteps({ paymentStatus, orderStatus }: Statuses): ProgressStep[] {
  if (paymentStatus === 'Cancelled') return [];
  const delivery = orderStatus === 'Delivered' ? [] : ([{ title: 'Delivery', state: 'upcoming' }] as const);
  if (paymentStatus === 'UnPaid')
    return [{ title: 'Waiting for your payment', state: 'current' }, ...delivery];
  return orderStatus === 'Delivered'
    ? []
    : [{ title: 'We are working on your order', state: 'current' }, ...delivery];
}

/** The way of an order from its placing to its delivery: what has happened, oldest first, then what remains. */
export function progressSteps(order: Statuses, events: readonly OrderEvent[]): readonly ProgressStep[] {
  const happened = events.map(({ kind, at }): ProgressStep => ({
    title: eventTitles[kind],
    state: kind === 'cancelled' ? 'stopped' : 'done',
    at,
  }));
  return [...happened, ...remainingSteps(order)];
}

/** The three orderSteps of every order, for a glance: placed, paid, delivered. */
export function orderSteps({ paymentStatus, orderStatus }: Statuses): readonly ProgressStep[] {
  if (paymentStatus === 'Cancelled')
    return [
      { title: 'Ordered', state: 'done' },
      { title: 'Cancelled', state: 'stopped' },
    ];
  const paid = paymentStatus === 'Paid';
  const delivered = orderStatus === 'Delivered';
  return [
    { title: 'Ordered', state: 'done' },
    { title: paid ? 'Paid' : 'Payment', state: paid ? 'done' : 'current' },
    {
      title: delivered ? 'Delivered' : 'Delivery',
      state: delivered ? 'done' : paid ? 'current' : 'upcoming',
    },
  ];
}
