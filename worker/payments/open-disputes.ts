/** Disputes that are open or lost, and what to do about each. */
import { and, eq, isNull, or } from 'drizzle-orm';
import { displayPrice } from '#contract/money.ts';
import { displayDisputeReason } from '#contract/payments.ts';
import type { AttentionItem } from '#contract/attention.calls.ts';
import type { OpenDisputes } from '#contract/payments.calls.ts';
import { displayDate } from '#contract/days.ts';
import type { Database } from '../db/client.ts';
import { dayOf, type Env } from '../env.ts';
import { attentionQueries, ofOrder } from '../operations/attention-line.ts';
import { orders } from '../orders/schema.ts';
import { disputes, type DisputeRecord } from './schema.ts';
import { isLiveKey } from './stripe.ts';

const isOpen = isNull(disputes.closedAt);

const totalOf = (found: readonly { readonly amountCents: number }[]) =>
  found.reduce((sum, { amountCents }) => sum + amountCents, 0);
const ordersOf = (found: readonly { readonly orderId: string }[]) => [
  ...new Set(found.map(({ orderId }) => orderId)),
];

/** The payments in dispute and those lost in one: how many, their total, and their orders. There are few. */
export async function readOpenDisputes(db: Database): Promise<OpenDisputes> {
  const found = await db
    .select()
    .from(disputes)
    .where(or(isOpen, eq(disputes.status, 'lost')))
    .orderBy(disputes.openedAt);
  const open = found.filter(({ closedAt }) => closedAt === null);
  const lost = found.filter(({ status }) => status === 'lost');
  return {
    payments: open.length,
    cents: totalOf(open),
    orderIds: ordersOf(open),
    lostCents: totalOf(lost),
    lostOrderIds: ordersOf(lost),
  };
}

/** What to do about a dispute, and by when, in the site's time zone. */
function nextStep(env: Env, { status, evidenceDueAt }: DisputeRecord): string {
  if (status.endsWith('under_review'))
    return 'The bank is reviewing your evidence. There is nothing to do right now.';
  if (evidenceDueAt === null) return 'Check in Stripe what you can do.';
  const lastDay = displayDate(dayOf(env, evidenceDueAt));
  return evidenceDueAt < Date.now()
    ? `The last day for evidence was ${lastDay}; the bank decides without it.`
    : `Send your evidence in Stripe, or accept the dispute there. The last day for evidence is ${lastDay}.`;
}

const disputedQuery = (db: Database) =>
  db
    .select({ dispute: disputes, number: orders.number })
    .from(disputes)
    .leftJoin(orders, eq(orders._id, disputes.orderId))
    .$dynamic();

/** A dispute with its order number; null if the order does not exist. */
type Disputed = Awaited<ReturnType<typeof disputedQuery>>[number];

/**
 * An inquiry (https://docs.stripe.com/disputes/how-disputes-work#inquiries) is a question from the bank before any
 * dispute.
 */
function describeDispute(env: Env, { dispute, number }: Disputed): string {
  const amount = displayPrice(dispute.amountCents) + ofOrder(number);
  const whatHappened = dispute.status.startsWith('warning_')
    ? `The customer's bank is asking about a card payment of ${amount}, which it has not taken back`
    : `The customer's bank has taken back a card payment of ${amount}`;
  return `${whatHappened}: ${displayDisputeReason(dispute.reason)}. ${nextStep(env, dispute)}`;
}

export const disputesOf = (db: Database, orderId: string) =>
  disputedQuery(db).where(eq(disputes.orderId, orderId)).orderBy(disputes.openedAt);

/** Why a payment's disputes block a refund; empty if they do not, for example during an inquiry. */
export function refundObstacle(disputed: readonly DisputeRecord[]): string {
  const holds = disputed.filter(({ status }) => !status.startsWith('warning_'));
  if (holds.some(({ status }) => status === 'lost'))
    return "The customer's bank took this payment back in a dispute that you lost, so there is nothing left to refund.";
  return holds.some(({ closedAt }) => closedAt === null)
    ? "The customer's bank has taken this payment back in a dispute, so nothing can be returned until it is decided. Answer it in Stripe, or accept it there."
    : '';
}

export const disputeToAnswer = (env: Env, disputed: Disputed): AttentionItem => {
  const { dispute } = disputed;
  return {
    _id: dispute._id,
    kind: 'dispute',
    text: describeDispute(env, disputed),
    orderId: dispute.orderId,
    stripeUrl: `https://dashboard.stripe.com/${isLiveKey(env.STRIPE_SECRET_KEY) ? '' : 'test/'}disputes/${dispute.disputeId}`,
    at: new Date(dispute.openedAt).toISOString(),
  };
};

export const openDisputes = (db: Database, env: Env) =>
  attentionQueries(db, {
    rows: () => disputedQuery(db).where(isOpen),
    since: disputes.openedAt,
    toLine: (disputed) => ({ ...disputeToAnswer(env, disputed), time: disputed.dispute.openedAt }),
  });

/** Lost disputes about orders whose work goes on. */
export const lostDisputes = (db: Database) =>
  attentionQueries(db, {
    rows: () => disputedQuery(db).where(and(eq(disputes.status, 'lost'), eq(orders.orderStatus, 'Pending'))),
    since: disputes.closedAt,
    toLine: ({ dispute: { _id, orderId, amountCents, closedAt }, number }) => ({
      _id,
      text: `The card payment of ${displayPrice(amountCents)}${ofOrder(number)} was lost in a dispute. Decide whether to continue the work. If you stop, tell the customer, and mark the order as delivered.`,
      orderId,
      time: closedAt ?? 0,
    }),
  });
