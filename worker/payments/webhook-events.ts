/**
 * Stripe's events. An event is a hint, never evidence: anyone who knows the webhook secret could have written it.
 * We trust only what Stripe returns for the object that the event names.
 */
import { inArray, or } from 'drizzle-orm';
import type Stripe from 'stripe';
import * as z from 'zod';
import { readTogether, type Database } from '../db/client.ts';
import { badRequest } from '../http/errors.ts';
import { describeError } from '../http/log.ts';
import { recordRun } from '../operations/jobs.ts';
import type { PaymentContext } from './context.ts';
import { reviewReported } from './declines.ts';
import { settleDispute } from './disputes.ts';
import { recordFraudWarning } from './fraud-warnings.ts';
import { settleReported } from './pay.ts';
import { isLater, recordRefund } from './refunds.ts';
import { paymentIntents, payments, refunds } from './schema.ts';
import { subscriptions } from '../orders/schema.ts';
import { syncCustomer, syncInvoice, syncSubscription } from './sync-subscription.ts';
import { askStripe, idOf, isLabeledOurs, listRefunds, unlessMissing, type WebhookEvent } from './stripe.ts';

/** Records a refund's state at Stripe. If its payment is not recorded yet, records the payment first. */
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
  const found = await askStripe(log, () => unlessMissing(listRefunds(stripe, { charge })));
  for (const refund of found ?? []) await recordReported(context, refund);
}

type Settlement = (context: PaymentContext, id: string) => Promise<void>;

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

/**
 * The id of the object that an event is about.
 * @throws ApiError 400 it names none
 */
function reportedId(event: Stripe.Event): string {
  const { data } = report.safeParse(event);
  if (!data) throw badRequest('This event names no object.');
  return data.data.object.id;
}

/**
 * Handles an event.
 * @throws ApiError 400 it names no object, 503 Stripe does not answer
 */
export async function handleEvent(context: PaymentContext, event: Stripe.Event): Promise<void> {
  await settlements.get(event.type)?.(context, reportedId(event));
}

const missedTypes = [
  'payment_intent.succeeded',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'invoice.paid',
  'invoice.payment_failed',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'customer.updated',
] as const satisfies readonly Stripe.Event['type'][];
type MissedEvent = Extract<Stripe.Event, { readonly type: (typeof missedTypes)[number] }>;

const isMissable = (event: Stripe.Event): event is MissedEvent =>
  missedTypes.some((type) => type === event.type);

/** The payment that an event is about; empty if it is about a subscription. */
function intentOf({ data: { object } }: MissedEvent): string {
  if (object.object === 'refund') return idOf(object.payment_intent) ?? '';
  return object.object === 'payment_intent' ? object.id : '';
}

/** Stripe's ids of the subscription or the customer that an event is about; empty if it is about something else. */
function subscribedOf({ data: { object } }: MissedEvent): string {
  if (object.object === 'invoice') return idOf(object.parent?.subscription_details?.subscription) ?? '';
  return object.object === 'subscription' || object.object === 'customer' ? object.id : '';
}

interface News {
  readonly event: MissedEvent;
  /** The order of a payment that reconciliation also checks. */
  readonly order: string | undefined;
}

/**
 * Selects the events that report something new. The Stripe account may serve other sites too, and their payments
 * are not ours.
 */
async function findNews(
  { db, env }: PaymentContext,
  events: readonly MissedEvent[],
): Promise<readonly News[]> {
  const intentIds = events.map(intentOf);
  const objectIds = events.map(({ data }) => data.object.id);
  const subscribedIds = events.map(subscribedOf).filter((id) => id !== '');
  const [paid, begun, made, subscribed] = await readTogether(db, [
    db.select().from(payments).where(inArray(payments.paymentIntentId, intentIds)),
    db.select().from(paymentIntents).where(inArray(paymentIntents.paymentIntentId, intentIds)),
    db.select().from(refunds).where(inArray(refunds.refundId, objectIds)),
    db
      .select()
      .from(subscriptions)
      .where(
        or(inArray(subscriptions.stripeId, subscribedIds), inArray(subscriptions.customerId, subscribedIds)),
      ),
  ]);
  // A payment without a row was made before the restore, while the replaced database was still in use.
  const labeled = events.filter(
    ({ data: { object } }) => object.object === 'payment_intent' && isLabeledOurs(env, object),
  );
  const lost = begun.filter(({ orderId }) => orderId === '');
  const known = new Set([...paid, ...lost].map(({ paymentIntentId }) => paymentIntentId));
  const ours = new Set([...labeled.map(intentOf), ...[...paid, ...begun].map((row) => row.paymentIntentId)]);
  const isNew = (event: MissedEvent): boolean => {
    const { object } = event.data;
    const about = subscribedOf(event);
    if (about !== '')
      return subscribed.some(
        ({ stripeId, customerId, syncedAt }) =>
          (stripeId === about || customerId === about) && event.created * 1_000 > syncedAt,
      );
    if (object.object === 'payment_intent') return ours.has(object.id) && !known.has(object.id);
    const refund = made.find(({ refundId }) => refundId === object.id);
    if (object.object !== 'refund') return false;
    return refund ? isLater(object, refund) : ours.has(intentOf(event));
  };
  const open = new Map(begun.flatMap((row) => (row.checkAt ? [[row.paymentIntentId, row.orderId]] : [])));
  return events.filter(isNew).map((event) => ({ event, order: open.get(intentOf(event)) }));
}

/** Records that Stripe's deliveries missed something. From then on we read events more often. */
export const recordMissed = (db: Database): Promise<void> => recordRun(db, 'missedEvents', null);

/** The number of events per database query. */
const pageLength = 100;
/**
 * The maximum number of events that one run handles. Each takes about ten subrequests, and a run may make 10,000.
 */
const maxHandled = 200;

/**
 * Handles events about payments and refunds that were never delivered: the webhook was down, deliveries were
 * rejected, or they went to a database that was since replaced by a restored backup. Reconciliation asks about
 * every payment too, but less and less often if the page was opened long ago. Stripe keeps events for 30 days.
 * @param since time in ms
 * @param until time in ms
 * @returns the time until which all events are handled, in ms
 * @throws if Stripe does not answer; and, after all events were tried, the first failure that no other job repeats
 */
export async function handleMissedEvents(
  context: PaymentContext,
  since: number,
  until: number = Date.now(),
): Promise<number> {
  const events: MissedEvent[] = [];
  const listed = context.stripe.events.list({
    types: [...missedTypes],
    created: { gte: Math.floor(since / 1_000), lte: Math.ceil(until / 1_000) },
    limit: 100,
  });
  // Stripe lists the newest first. A refund must follow its payment, and credit notes are numbered in the order of
  // the refunds.
  for await (const event of listed) if (isMissable(event)) events.push(event);
  events.reverse();
  let taken = 0;
  const failures: unknown[] = [];
  for (let start = 0; start < events.length; start += pageLength)
    for (const { event, order } of await findNews(context, events.slice(start, start + pageLength))) {
      if (taken === maxHandled) return event.created * 1_000;
      if (taken === 0) await recordMissed(context.db);
      taken += 1;
      await handleEvent(context, event).catch((error: unknown) => {
        if (order === undefined) failures.push(error);
        else context.log('reconcile.failed', { order, ...describeError(error) });
      });
    }
  // The next run starts at the same event and finds the later ones done.
  if (failures.length > 0) throw failures[0];
  return until;
}
