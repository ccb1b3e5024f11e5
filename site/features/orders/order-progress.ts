/** The progress of an order, for its customer: what has happened, what is next, and what to do. */
import { isEnded } from '#contract/orders.ts';
import type { Order, OrderEvent } from '#contract/orders.calls.ts';
import { linkTo } from '#contract/screens.ts';
import type { OrderWork, PlanStep } from '#contract/plans.calls.ts';
import { isInquiry, refundTitles, stepOf, type EventTitles } from './event-titles.ts';
import { displayDay, displayLeft, displayTurn, stepsLeft } from '../brief/plan-texts.ts';
import type { TimelineStep } from '#site/ui/timeline.tsx';

type Statuses = Pick<Order, '_id' | 'paymentStatus' | 'orderStatus'> & Partial<Pick<Order, 'subscriptionId'>>;

export interface NextStep {
  /** One sentence about the current state and the next step. */
  readonly text: string;
  /** What the customer can do; undefined if it is our turn. */
  readonly action?: { readonly label: string; readonly href: string } | 'orderAgain';
  /** Who must act next; undefined if no one must. */
  readonly turn?: 'yours' | 'ours';
  /** The due day, YYYY-MM-DD. */
  readonly by?: string;
  /** Anything else that waits for the customer. */
  readonly also?: readonly NextStep[];
}

/** The work on an order; undefined until loaded. */
type Work =
  (Pick<OrderWork, 'brief' | 'steps'> & Partial<Pick<OrderWork, 'isBriefReopened' | 'refund'>>) | undefined;

/** Explains why we need the answers: to start, to continue, or again. */
function briefText({ isBriefReopened, steps }: NonNullable<Work>): string {
  if (isBriefReopened)
    return 'We have reopened our questions, because something is missing or has changed. Please check your answers, then send them again.';
  return steps.some(({ state }) => state !== 'open')
    ? 'Your order is paid and the work has begun. Please tell us about your business, so that we can continue.'
    : 'Your order is paid. Please tell us about your business, so that we can begin.';
}

const answerQuestions = (_id: string) => ({
  label: 'Answer our questions',
  href: linkTo('orderBrief', _id),
});

const approvalOf =
  (_id: string) =>
  ({ title, isOverdue, answerDay, dueDay }: PlanStep): NextStep => ({
    text: `“${title}” is ready. Please look at it, then approve it or tell us what to change.`,
    action: { label: 'See it', href: linkTo('myOrder', _id) },
    turn: 'yours',
    ...(!isOverdue && { by: answerDay ?? dueDay }),
  });

/** The state of a paid order: waiting for the customer, or in progress. */
function nextOfWork(_id: string, work: Work): NextStep {
  const answers: NextStep[] =
    work?.brief === 'open' ? [{ text: briefText(work), action: answerQuestions(_id), turn: 'yours' }] : [];
  const approvals = work?.steps.filter(({ state }) => state === 'waiting').map(approvalOf(_id)) ?? [];
  const [first, ...also] = [...answers, ...approvals];
  if (first) return { ...first, ...(also.length > 0 && { also }) };
  const open = work?.steps.find(({ state }) => state === 'open');
  if (open)
    return {
      text: `We are working on “${open.title}”${open.isOverdue ? `. It was due on ${displayDay(open.dueDay)}, so we are late` : ''}. You do not need to do anything.`,
      turn: 'ours',
      ...(!open.isOverdue && { by: open.dueDay }),
    };
  return {
    text: 'Your order is paid and we are working on it. You do not need to do anything.',
    turn: 'ours',
  };
}

function leftText(steps: readonly PlanStep[]): string {
  const titles = stepsLeft(steps).map(({ title }) => `“${title}”`);
  if (titles.length === 0) return '';
  const listed = new Intl.ListFormat('en-US').format(titles);
  return ` These steps of the plan were not marked as done: ${listed}. If something is missing, write to us in the messages of this order.`;
}

/** The state of a delivered order: complete, unless we have asked again since. */
function nextOfDelivered(_id: string, work: Work): NextStep {
  if (work?.brief === 'open' && work.isBriefReopened)
    return {
      text: `Your order is paid and delivered. ${briefText(work)}`,
      action: answerQuestions(_id),
      turn: 'yours',
    };
  return {
    text: `Your order is paid and delivered.${leftText(work?.steps ?? [])}`,
    action: { label: 'See what we delivered', href: linkTo('myOrder', _id) },
  };
}

/** Why a step needs no answer from the customer; undefined if it does. */
export function answerDisabledReason(
  { paymentStatus, orderStatus }: Statuses,
  { state }: Pick<PlanStep, 'state'>,
): string | undefined {
  if (paymentStatus !== 'Paid') return 'The work on this order has stopped.';
  if (orderStatus === 'Delivered')
    return 'We delivered this order, so its plan has ended. If something is missing, tell us in the messages of this order.';
  if (state === 'open')
    return 'We are working on this step again. We will ask for your approval once it is done.';
  return state === 'done'
    ? 'This step has been approved. If something should change, write to us in the messages of this order.'
    : undefined;
}

const refundTexts = {
  refundStarted:
    'We are refunding this order in full. Your bank may need five to ten days to show the money. You do not need to do anything.',
  refundFailed:
    'Your refund did not go through. We will find another way to refund you. If you have a new card or account, write to us in the messages of this order.',
} as const;

export function nextStep(
  { _id, paymentStatus, orderStatus, subscriptionId }: Statuses,
  work?: Work,
): NextStep {
  if (paymentStatus === 'Cancelled')
    return {
      text: 'This order was cancelled. You can order the package again at any time.',
      action: 'orderAgain',
    };
  // A subscription goes on after the refund of a month, and the server rejects a second one to the same package.
  if (paymentStatus === 'Refunded' && subscriptionId)
    return {
      text: 'This month was refunded in full. Your subscription shows what happens next.',
      action: { label: 'See your subscription', href: linkTo('subscription', subscriptionId) },
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
          ? 'We delivered your order, but it is not paid yet.'
          : 'We start as soon as this order is paid.',
      action: { label: 'Pay Now', href: linkTo('pay', _id) },
      turn: 'yours',
    };
  if (work?.refund) return { text: refundTexts[work.refund], turn: 'ours' };
  return orderStatus === 'Delivered' ? nextOfDelivered(_id, work) : nextOfWork(_id, work);
}

/** Customers do not see an event without a title. */
const eventTitles: EventTitles = {
  placed: 'Order placed',
  paymentStarted: '',
  paid: 'Payment received',
  paidByHand: 'We recorded your payment',
  renewed: 'Monthly payment received',
  paymentWithdrawn: 'We marked the payment as not received',
  reminded: 'We reminded you by email',
  cancelled: 'Order cancelled',
  delivered: 'Order delivered',
  reopened: 'Work reopened',
  ...refundTitles,
  disputeOpened: (event) =>
    isInquiry(event)
      ? 'The bank is asking about this payment'
      : 'The bank has taken this payment back for now',
  disputeUpdated: 'The bank is looking into this payment',
  disputeClosed: ({ after: { status } }) =>
    status === 'lost'
      ? 'The bank has returned this payment to the cardholder'
      : 'The bank has confirmed this payment',
  anonymized: 'Personal data removed',
  billingChanged: 'Billing details changed',
  claimed: 'Order added to your account',
  briefSent: 'You answered our questions',
  briefReopened: 'We reopened the questions',
  stepDone: ({ after }) => `Finished: ${after['step'] ?? ''}`,
  stepReopened: ({ after }) => `Reopened: ${after['step'] ?? ''}`,
  stepApproved: ({ after, by }) =>
    `${by === 'Administrator' ? 'We recorded your approval' : 'You approved'}: ${after['step'] ?? ''}`,
  stepSentBack: ({ after, by }) =>
    `${by === 'Administrator' ? 'We recorded the change you asked for' : 'You asked for a change'}: ${after['step'] ?? ''}`,
  stepMoved: ({ after }) => `We changed the due date: ${after['step'] ?? ''}`,
};

/** The open steps. The first one is in progress. */
const stepsAhead = (steps: readonly PlanStep[]): TimelineStep[] =>
  steps
    .filter(({ state }) => state !== 'done')
    .map((step, index) => ({
      title: step.state === 'waiting' ? `Your approval: ${step.title}` : step.title,
      state: index === 0 ? 'current' : 'upcoming',
      note: displayTurn(step),
    }));

function remainingSteps(
  { paymentStatus, orderStatus }: Statuses,
  { steps, refund }: Progress,
): TimelineStep[] {
  const isDelivered = paymentStatus === 'Paid' && orderStatus === 'Delivered';
  if (isEnded({ paymentStatus }) || isDelivered || refund)
    return stepsLeft(steps).map((step) => ({ title: `${displayLeft(step)}: ${step.title}`, state: 'left' }));
  const delivery = orderStatus === 'Delivered' ? [] : ([{ title: 'Delivery', state: 'upcoming' }] as const);
  if (paymentStatus === 'UnPaid')
    return [{ title: 'Waiting for your payment', state: 'current' }, ...delivery];
  const ahead = stepsAhead(steps);
  return ahead.length > 0
    ? [...ahead, ...delivery]
    : [{ title: 'We are working on your order', state: 'current' }, ...delivery];
}

type Progress = Pick<OrderWork, 'steps'> & Partial<Pick<OrderWork, 'refund'>>;

/** The timeline of an order from placement to delivery: past events, oldest first, then the remaining steps. */
export function progressSteps(
  order: Statuses,
  events: readonly OrderEvent[],
  work: Progress = { steps: [] },
): readonly TimelineStep[] {
  const past = events.map((event) => stepOf(eventTitles, event)).filter(({ title }) => title !== '');
  return [...past, ...remainingSteps(order, work)];
}

/** The three steps of every order for a short overview: placed, paid, delivered. */
export function orderSteps({ paymentStatus, orderStatus }: Statuses): readonly TimelineStep[] {
  const ordered: TimelineStep = { title: 'Ordered', state: 'done' };
  const paid: TimelineStep = { title: 'Paid', state: 'done' };
  if (paymentStatus === 'Cancelled') return [ordered, { title: 'Cancelled', state: 'stopped' }];
  if (paymentStatus === 'Refunded') return [ordered, paid, { title: 'Refunded', state: 'stopped' }];
  const isPaid = paymentStatus === 'Paid';
  return [
    ordered,
    isPaid ? paid : { title: 'Payment', state: 'current' },
    orderStatus === 'Delivered'
      ? { title: 'Delivered', state: 'done' }
      : isPaid
        ? { title: 'In progress', state: 'current' }
        : { title: 'Delivery', state: 'upcoming' },
  ];
}
