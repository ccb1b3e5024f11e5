/**
 * Stripe's events. An event is a hint, never evidence: anyone who knows the webhook's secret could have written it, so
 * only what Stripe answers about the object that it names counts.
 */
import { and, eq, inArray, isNotNull } from 'drizzle-orm';
import type Stripe from 'stripe';
import * as z from 'zod';
import { badRequest } from '../http/errors.ts';
import { describeError } from '../http/log.ts';
import type { PaymentContext } from './context.ts';
import { reviewReported } from './declines.ts';
import { settleDispute } from './disputes.ts';
import { settleReported } from './pay.ts';
import { isLater, recordRefund } from './refunds.ts';
import { paymentIntents, refunds } from './schema.ts';
import { askStripe, idOf, unlessMissing } from './stripe.ts';

/** Records a refund as Stripe has it; its payment first, where that is not known yet. */
async function recordReported(context: PaymentContext, refund: Stripe.Refund): Promise<void> {
  const intentId = idOf(refund.payment_intent);
  if ((await recordRefund(context, refund)) !== 'unknown payment' || intentId === undefined) return;
  await settleReported(context, intentId);
  const recorded = await recordRefund(context, refund);
  if (recorded === 'unknown payment') context.log('refund.foreign', { refund: refund.id });
}

async function settleRefund(context: PaymentContext, id: string): Promise<void> {
  const { log, stripe } = context;
  const refund = await askStripe(log, () => unlessMissing(stripe.refunds.retrieve(id)));
  if (refund) await recordReported(context, refund);
}

async function settleRefundsOf(context: PaymentContext, charge: string): Promise<void> {
  const { log, stripe } = context;
  const found = await askStripe(log, () => unlessMissing(stripe.refunds.list({ charge, limit: 100 })));
  for (const refund of found?.data ?? []) await recordReported(context, refund);
}

/** What to ask Stripe about, and settle by its answer, for each type of event; all other types are ignored. */
const settlements: Readonly<Record<string, (context: PaymentContext, id: string) => Promise<void>>> = {
  'payment_intent.succeeded': settleReported,
  'payment_intent.payment_failed': reviewReported,
  'refund.created': settleRefund,
  'refund.updated': settleRefund,
  'refund.failed': settleRefund,
  'charge.refunded': settleRefundsOf,
  'charge.dispute.created': settleDispute,
  'charge.dispute.updated': settleDispute,
  'charge.dispute.closed': settleDispute,
  'charge.dispute.funds_withdrawn': settleDispute,
  'charge.dispute.funds_reinstated': settleDispute,
};

const report = z.object({ data: z.object({ object: z.object({ id: z.string().regex(/^\w{1,100}$/) }) }) });

/** The id of the object that an event tells of. @throws ApiError 400 when it tells of none */
function reportedId(event: Stripe.Event): string {
  const { data } = report.safeParse(event);
  if (!data) throw badRequest('This event tells of no object.');
  return data.data.object.id;
}

/** Handles an event. @throws ApiError 400 it names no object, 503 Stripe does not answer */
export async function takeReport(context: PaymentContext, event: Stripe.Event): Promise<void> {
  await settlements[event.type]?.(context, reportedId(event));
}

/** Whether an event about a refund reports nothing new. */
async function isKnown({ db }: PaymentContext, { type, data }: Stripe.Event): Promise<boolean> {
  if (type !== 'refund.created' && type !== 'refund.updated' && type !== 'refund.failed') return false;
  const [known] = await db.select().from(refunds).where(eq(refunds.refundId, data.object.id));
  return known !== undefined && !isLater(data.object, known);
}

/**
 * Settles the payments among the newest events whose outcome is not known yet. Reconciliation asks about every payment, but
 * less and less often where the page was opened long ago. One call to Stripe and one query, however many were missed: what
 * is left over is found by reconciliation.
 */
async function takeMissedPayments(context: PaymentContext, gte: number): Promise<void> {
  const { db, log, stripe } = context;
  const types = ['payment_intent.succeeded'];
  const { data } = await stripe.events.list({ types, created: { gte }, limit: 100 });
  const ids = data.map(reportedId);
  const open = await db
    .select({ id: paymentIntents.paymentIntentId, order: paymentIntents.orderId })
    .from(paymentIntents)
    .where(and(inArray(paymentIntents.paymentIntentId, ids), isNotNull(paymentIntents.checkAt)));
  for (const { id, order } of open)
    await settleReported(context, id).catch((error: unknown) => {
      log('reconcile.failed', { order, ...describeError(error) });
    });
}

/**
 * Handles the events about payments and refunds since a moment that were never delivered, because the webhook was down or
 * its deliveries were rejected. Stripe keeps events for 30 days.
 * @param since time in ms
 * @throws when Stripe does not answer
 */
export async function takeMissedEvents(context: PaymentContext, since: number): Promise<void> {
  const gte = Math.floor(since / 1_000);
  await takeMissedPayments(context, gte);
  const listed = context.stripe.events.list({
    types: ['refund.created', 'refund.updated', 'refund.failed'],
    created: { gte },
    limit: 100,
  });
  for await (const event of listed) if (!(await isKnown(context, event))) await takeReport(context, event);
}
