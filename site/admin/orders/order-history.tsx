/** The history of an order: what happened, when, and by whom. */
import type { OrderEvent } from '#contract/orders.calls.ts';
import { disputeTitles, refundTitles, stepOf, type EventTitles } from '#site/features/orders/event-titles.ts';
import { Timeline } from '#site/ui/timeline.tsx';
import { FoldedPanel } from '../shell/screen.tsx';

const eventTexts: EventTitles = {
  placed: 'Order placed',
  paymentStarted: 'Payment started',
  paid: 'Paid by card',
  paidByHand: 'Marked as paid by hand',
  renewed: 'A month of a subscription, paid by card',
  paymentWithdrawn: 'Marked as not paid',
  reminded: 'Customer reminded by email',
  cancelled: 'Cancelled',
  delivered: 'Delivered',
  reopened: 'Work reopened',
  ...refundTitles,
  ...disputeTitles,
  anonymized: 'Personal data removed',
  billingChanged: 'Billing details changed',
  claimed: 'Customer has an account now',
  briefSent: 'Customer answered the questions',
  briefReopened: 'Questions reopened',
  stepDone: ({ after }) => `Done: ${after['step'] ?? ''}`,
  stepReopened: ({ after }) => `Reopened: ${after['step'] ?? ''}`,
  stepApproved: ({ after }) => `Approved: ${after['step'] ?? ''}`,
  stepSentBack: ({ after }) => `Change requested: ${after['step'] ?? ''}`,
  stepMoved: ({ after }) => `Due date changed: ${after['step'] ?? ''}`,
};

export function OrderHistory({ events }: { readonly events: readonly OrderEvent[] }) {
  return (
    <FoldedPanel title="What happened">
      <Timeline steps={events.map((event) => ({ ...stepOf(eventTexts, event), by: event.by }))} />
    </FoldedPanel>
  );
}
