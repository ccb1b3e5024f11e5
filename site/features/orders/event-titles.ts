/** The titles of an order's past events in timelines. Titles of refunds include the amount. */
import { displayPriceText } from '#contract/money.ts';
import type { OrderEvent } from '#contract/orders.calls.ts';
import type { OrderEventKind } from '#contract/orders.ts';
import { displayDisputeReason } from '#contract/payments.ts';
import { noteOf } from '#site/features/brief/plan-texts.ts';
import type { TimelineStep } from '#site/ui/timeline.tsx';

type Title = string | ((event: OrderEvent) => string);
export type EventTitles = Readonly<Record<OrderEventKind, Title>>;

const amountOf = ({ after: { amount } }: OrderEvent) =>
  amount === undefined ? '' : ` of ${displayPriceText(amount)}`;

/** For customers and staff. */
export const refundTitles = {
  refundStarted: (event) => `Refund${amountOf(event)} on its way`,
  // Only a refund of the order's own payment changes the order's refunded amount.
  refunded: (event) =>
    event.after['refundedCents'] === undefined
      ? `Payment${amountOf(event)} returned, because the order could not accept it`
      : `Refund${amountOf(event)} sent`,
  refundFailed: (event) => `Refund${amountOf(event)} did not go through`,
} as const satisfies Partial<EventTitles>;

/** The result of a dispute, by Stripe's status. */
const decisions: Readonly<Record<string, string>> = {
  won: 'won: the money came back',
  lost: 'lost: the bank returned the money to the cardholder',
  warning_closed: 'closed; the money was never taken back',
  prevented: 'prevented; the money was never taken back',
};

/** Whether this is an inquiry of the payer's bank, without a chargeback. */
export const isInquiry = ({ after: { status = '' } }: OrderEvent): boolean => status.startsWith('warning_');

/** For staff: the bank's reason for the dispute, and the result. */
export const disputeTitles = {
  disputeOpened: (event) =>
    `${isInquiry(event) ? 'Inquiry about a payment' : 'Dispute'}${amountOf(event)} opened: ${displayDisputeReason(event.after['reason'] ?? '')}`,
  disputeUpdated: ({ after: { status = '' } }) =>
    status.endsWith('under_review') ? 'Evidence sent to the bank' : 'Dispute changed',
  disputeClosed: (event) => `Dispute${amountOf(event)} ${decisions[event.after['status'] ?? ''] ?? 'closed'}`,
} as const satisfies Partial<EventTitles>;

/** Whether an event ended something instead of advancing the order. */
const isSetback = ({ kind, after }: OrderEvent): boolean =>
  ['cancelled', 'refundFailed', 'disputeOpened'].includes(kind) ||
  (kind === 'disputeClosed' && after['status'] === 'lost');

export function stepOf(titles: EventTitles, event: OrderEvent): TimelineStep {
  const title = titles[event.kind];
  const note = noteOf(event);
  return {
    title: typeof title === 'string' ? title : title(event),
    state: isSetback(event) ? 'stopped' : 'done',
    at: event.at,
    ...(note !== undefined && { note }),
  };
}
