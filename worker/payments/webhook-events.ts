/**
 * Stripe's events. An event is a hint, never evidence: anyone who knows the webhook secret could have written it.
 * We trust only what Stripe returns for the object that the event names.
 */
import type Stripe from 'stripe';
import * as z from 'zod';
import { badRequest } from '../http/errors.ts';
import type { PaymentContext } from './context.ts';
import { reviewReported } from './declines.ts';
import { settleDispute } from './disputes.ts';
import { recordFraudWarning } from './fraud-warnings.ts';
import { recordRefund } from './refunds.ts';
import { findReportedPayment, settleReported } from './reported-payment.ts';
import { syncCustomer, syncInvoice, syncSubscription } from './sync-subscription.ts';
import { idOf, listRefunds, orUndefinedIf404, webhookEvents, type WebhookEvent } from './stripe.ts';

async function recordReported(context: PaymentContext, refund: Stripe.Refund): Promise<void> {
  const payment = await findReportedPayment(context, idOf(refund.payment_intent));
  if (payment) await recordRefund(context, refund);
  else context.log('refund.foreign', { refund: refund.id });
}

async function settleRefund(context: PaymentContext, id: string): Promise<void> {
  const refund = await orUndefinedIf404(context.stripe.refunds.retrieve(id));
  if (refund) await recordReported(context, refund);
}

async function settleRefundsOf(context: PaymentContext, charge: string): Promise<void> {
  const found = await orUndefinedIf404(listRefunds(context.stripe, { charge }));
  for (const refund of found ?? []) await recordReported(context, refund);
}

type Settlement = (context: PaymentContext, id: string, reportedAt?: number) => Promise<void>;

/** The handler of each event type, which asks Stripe and records its answer. All other types are ignored. */
const settlements: ReadonlyMap<string, Settlement> = new Map(
  Object.entries<Settlement>({
    'payment_intent.succeeded': settleReported,
    'payment_intent.payment_failed': reviewReported,
    'refund.created': settleRefund,
    'refund.updated': settleRefund,
    'refund.failed': settleRefund,
    'charge.refunded': settleRefundsOf,
    'radar.early_fraud_warning.created': recordFraudWarning,
    'charge.dispute.created': settleDispute,
    'charge.dispute.updated': settleDispute,
    'charge.dispute.closed': settleDispute,
    'charge.dispute.funds_withdrawn': settleDispute,
    'charge.dispute.funds_reinstated': settleDispute,
    'invoice.paid': syncInvoice,
    'invoice.payment_failed': syncInvoice,
    'customer.subscription.updated': syncSubscription,
    'customer.subscription.deleted': syncSubscription,
    'customer.updated': syncCustomer,
  } satisfies Record<WebhookEvent, Settlement>),
);

const report = z.object({ data: z.object({ object: z.object({ id: z.string().regex(/^\w{1,100}$/) }) }) });

/** @throws ApiError 400 it names none */
function reportedId(event: Stripe.Event): string {
  const { data } = report.safeParse(event);
  if (!data) throw badRequest('This event names no object.');
  return data.data.object.id;
}

/**
 * @param reportedAt its time, in ms, if it may have been handled before
 * @throws ApiError 400 it names no object, StripeError Stripe does not answer
 */
export async function handleEvent(
  context: PaymentContext,
  event: Stripe.Event,
  reportedAt?: number,
): Promise<void> {
  await settlements.get(event.type)?.(context, reportedId(event), reportedAt);
}

/**
 * The events that we read again: all but declined cards, of which fraudsters cause many. Reconciliation reviews those
 * anyway.
 */
const readTypes = webhookEvents.filter((type) => type !== 'payment_intent.payment_failed');

/**
 * The maximum number of events that one run handles. Each takes about ten subrequests, and a run may make 10,000.
 */
const maxHandled = 200;

/**
 * Handles all events of a time span. Those that were never delivered are news: the webhook was down, deliveries
 * were rejected, or they went to a database that was since replaced by a restored backup. The others change nothing.
 * @param since time in ms
 * @param until time in ms
 * @returns the time until which all events are handled, in ms
 * @throws if Stripe does not answer, after all events were tried
 */
export async function handleMissedEvents(
  context: PaymentContext,
  since: number,
  until: number = Date.now(),
): Promise<number> {
  const created = { gte: Math.floor(since / 1_000), lte: Math.ceil(until / 1_000) };
  const events: Stripe.Event[] = [];
  for await (const event of context.stripe.events.list({ types: readTypes, created, limit: 100 }))
    events.push(event);
  // Stripe lists the newest first. A refund must follow its payment, and credit notes are numbered in the order of
  // the refunds.
  events.reverse();
  const failures: unknown[] = [];
  for (const event of events.slice(0, maxHandled))
    // Stripe rounds its time down to seconds.
    await handleEvent(context, event, (event.created + 1) * 1_000).catch((error: unknown) =>
      failures.push(error),
    );
  // The next run starts at the same time and tries again.
  if (failures.length > 0) throw failures[0];
  const next = events[maxHandled];
  return next ? next.created * 1_000 : until;
}
