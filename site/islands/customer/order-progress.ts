/** Where an order stands, in words for its customer: what happened, what is next, what to do. */
import type { Order, OrderEvent } from '#contract/orders.ts';
import { linkTo } from '#contract/screens.ts';
import { isInquiry, isStop, refundTitles, titleOf, type EventTitles } from '../shared/event-titles.ts';
import type { TimelineStep } from '../shared/timeline.tsx';

type Statuses = Pick<Order, '_id' | 'paymentStatus' | 'orderStatus'>;

export interface NextStep {
  /** One sentence: how things stand and what comes next. */
  readonly text: string;
  /** What the customer can do about it; absent when it is our turn. */
  readonly action?: { readonly label: string; readonly href: string } | 'orderAgain';
}

/** Whether the order waits for its customer's payment or for our work. */
export const isOpen = ({ paymentStatus, orderStatus }: Statuses): boolean =>
  paymentStatus === 'UnPaid' || (paymentStatus === 'Paid' && orderStatus === 'Pending');

/** What comes next for an order, and who has to do it. @param isBriefWanted whether its customer has questions to answer */
export function nextStep({ _id, paymentStatus, orderStatus }: Statuses, isBriefWanted = false): NextStep {
  if (paymentStatus === 'Cancelled')
    return {
      text: 'This order was cancelled. You can order the package again at any time.',
      action: 'orderAgain',
    };
  if (paymentStatus === 'Refunded')
    return {
      text: 'This order was refunded in full. You can order the package again at any time.',
      action: 'orderAgain',
    };
  if (paymentStatus === 'UnPaid')
    return {
      text:
        orderStatus === 'Delivered'
          ? 'Your order has been delivered and is not paid yet.'
          : 'We start as soon as this order is paid.',
      action: { label: 'Pay Now', href: linkTo('pay', _id) },
    };
  if (isBriefWanted && orderStatus === 'Pending')
    return {
      text: 'Your order is paid. One thing to do next: tell us about your business, so that we can begin.',
      action: { label: 'Answer our questions', href: linkTo('orderBrief', _id) },
    };
  return orderStatus === 'Delivered'
    ? {
        text: 'Your order is paid and delivered.',
        action: { label: 'Ask a question', href: linkTo('contact') },
      }
    : { text: 'Your order is paid and we are working on it. There is nothing for you to do.' };
}

const eventTitles: EventTitles = {
  placed: 'Order placed',
  paymentStarted: 'Payment page opened',
  paid: 'Payment received',
  paidByHand: 'Payment received, recorded by our team',
  paymentWithdrawn: 'Payment taken back by our team',
  reminded: 'We reminded you by email',
  cancelled: 'Order cancelled',
  delivered: 'Order delivered',
  reopened: 'Work taken up again',
  ...refundTitles,
  disputeOpened: (event) =>
    isInquiry(event) ? 'The bank asks about this payment' : 'The bank has taken this payment back for now',
  disputeUpdated: 'The bank is looking into this payment',
  disputeClosed: 'The bank has decided about this payment',
  anonymized: 'Personal data removed',
  billingChanged: 'Billing details changed',
  claimed: 'Order added to your account',
  briefSent: 'You answered our questions',
  briefReopened: 'We opened the questions again',
};

function remainingSteps({ paymentStatus, orderStatus }: Statuses): TimelineStep[] {
  if (paymentStatus === 'Cancelled' || paymentStatus === 'Refunded') return [];
  const delivery = orderStatus === 'Delivered' ? [] : ([{ title: 'Delivery', state: 'upcoming' }] as const);
  if (paymentStatus === 'UnPaid')
    return [{ title: 'Waiting for your payment', state: 'current' }, ...delivery];
  return orderStatus === 'Delivered'
    ? []
    : [{ title: 'We are working on your order', state: 'current' }, ...delivery];
}

/** The way of an order from its placing to its delivery: what has happened, oldest first, then what remains. */
export function progressSteps(order: Statuses, events: readonly OrderEvent[]): readonly TimelineStep[] {
  const happened = events.map((event): TimelineStep => ({
    title: titleOf(eventTitles, event),
    state: isStop(event) ? 'stopped' : 'done',
    at: event.at,
  }));
  return [...happened, ...remainingSteps(order)];
}

/** The three steps of every order, for a glance: placed, paid, delivered. */
export function orderSteps({ paymentStatus, orderStatus }: Statuses): readonly TimelineStep[] {
  if (paymentStatus === 'Cancelled')
    return [
      { title: 'Ordered', state: 'done' },
      { title: 'Cancelled', state: 'stopped' },
    ];
  if (paymentStatus === 'Refunded')
    return [
      { title: 'Ordered', state: 'done' },
      { title: 'Paid', state: 'done' },
      { title: 'Refunded', state: 'stopped' },
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
