/**
 * Reconciliation: at every cron run, asks Stripe about due intents whose outcome neither the browser nor the
 * webhook reported, and about due pending refunds. It also resends refunds that could not be sent, checks open
 * disputes every six hours, and then reads missed events. As a result, no payment is lost if something fails in
 * between.
 */
import { and, asc, eq, isNotNull, lte } from 'drizzle-orm';
import type Stripe from 'stripe';
import { readTogether, writeBatch, type Statement } from '../db/client.ts';
import { describeError } from '../http/log.ts';
import { dayMs, hourMs, remainingMs } from '../http/clock.ts';
import { findRun, recordRun, runQuery, type JobRun } from '../operations/jobs.ts';
import { orders } from '../orders/schema.ts';
import type { PaymentContext } from './context.ts';
import { areDisputesDue, reconcileDisputes } from './disputes.ts';
import { forEachConcurrent } from '../operations/for-each-concurrent.ts';
import { reviewDeclines } from './declines.ts';
import { findIntents, type OpenIntent } from './open-intents.ts';
import { reconcileAfterMs } from './pay.ts';
import { paymentIntents, payments, refunds } from './schema.ts';
import { reconcileRefunds } from './refund-requests.ts';
import { recordMissed, handleMissedEvents } from './webhook-events.ts';
import { closeIntent, recordLostPayment, settlePayment } from './settle.ts';
import { cancelIntent } from './stripe.ts';
import { dueSubscriptionsQuery, reconcileSubscriptions } from './sync-subscription.ts';

/** The maximum number of intents that one run asks about. Together they take about a dozen calls to Stripe. */
const runLength = 1_000;
/**
 * The maximum number of payments that one run settles. Each takes about ten subrequests, and a run may make 10,000.
 */
const maxSettled = 300;
const batchLength = 100;

/** How long until we ask again about an unpaid intent, in ms: soon while it is new, later as it ages. */
export const nextCheckMs = (ageMs: number): number => Math.min(Math.max(reconcileAfterMs, ageMs / 10), dayMs);

/** A line that an administrator marked as seen stays hidden until the problem changes. */
const reschedule = (
  { db }: PaymentContext,
  { _id, startedAt, problem }: OpenIntent,
  set: Pick<OpenIntent, 'checkAt' | 'failures' | 'problem'>,
) =>
  db
    .update(paymentIntents)
    .set({ ...set, ...(set.problem !== problem && { seenBy: null, seenAt: null }) })
    // Skipped if someone opened the payment page in the meantime, or the outcome is now known.
    .where(
      and(
        eq(paymentIntents._id, _id),
        eq(paymentIntents.startedAt, startedAt),
        isNotNull(paymentIntents.checkAt),
      ),
    );

/** The statement that schedules the next check of an intent that can still be paid, or that our key cannot see. */
function scheduleNextCheck(
  context: PaymentContext,
  open: OpenIntent,
  intent?: Stripe.PaymentIntent,
): Statement {
  const ageMs = Date.now() - open.startedAt;
  const isStuck = intent?.status === 'processing' && ageMs > dayMs;
  return reschedule(context, open, {
    checkAt: Date.now() + nextCheckMs(ageMs),
    failures: 0,
    problem: isStuck ? 'The bank has been working on this payment for more than a day.' : null,
  });
}

/** After this many failures in a row, a person should know. */
const failuresToReport = 3;

/** The statement that schedules the next check after a failure. */
function noteFailure(context: PaymentContext, open: OpenIntent, error: unknown): Statement {
  const failures = open.failures + 1;
  context.log('reconcile.failed', { order: open.orderId, failures, ...describeError(error) });
  return reschedule(context, open, {
    failures,
    checkAt: Date.now() + Math.min(reconcileAfterMs * 2 ** failures, hourMs),
    problem: failures < failuresToReport ? null : 'Stripe gave no usable answer about this payment.',
  });
}

/**
 * Settles a payment that has succeeded, or reviews declined cards.
 * @returns the intent afterward
 */
async function reconcileIntent(
  context: PaymentContext,
  found: Stripe.PaymentIntent,
): Promise<Stripe.PaymentIntent> {
  const { intent } = await reviewDeclines(context, found);
  await settlePayment(context, intent);
  return intent;
}

/** The statement that closes an intent with a known outcome, or schedules its next check. */
const noteStatus = (context: PaymentContext, open: OpenIntent, intent?: Stripe.PaymentIntent): Statement =>
  intent?.status === 'succeeded' || intent?.status === 'canceled'
    ? closeIntent(context, open.paymentIntentId)
    : scheduleNextCheck(context, open, intent);

/**
 * Cancels an intent whose order is not in the restored backup, so that no one pays it.
 * @returns the intent afterward; 'lost' if it was paid, which the staff then sees
 */
async function cancelStrayIntent(
  context: PaymentContext,
  { paymentIntentId }: OpenIntent,
): Promise<Stripe.PaymentIntent | 'lost' | undefined> {
  const intent = await cancelIntent(context.stripe, paymentIntentId);
  if (intent?.status !== 'succeeded') return intent;
  await recordLostPayment(context, intent);
  return 'lost';
}

/** Settles payments that were not reported, and schedules the next check of the others. */
export async function reconcileIntents(context: PaymentContext): Promise<void> {
  const { db } = context;
  const due = await db
    .select({ open: paymentIntents, orderId: orders._id })
    .from(paymentIntents)
    .leftJoin(orders, eq(orders._id, paymentIntents.orderId))
    .where(lte(paymentIntents.checkAt, Date.now()))
    .orderBy(asc(paymentIntents.checkAt))
    .limit(runLength);
  const isStray = ({ orderId }: (typeof due)[number]) => orderId === null;
  const found = await findIntents(
    context,
    due.filter((row) => !isStray(row)).map(({ open }) => open),
  );
  const statements: Statement[] = [];
  const tried: { readonly open: OpenIntent; readonly intent?: Stripe.PaymentIntent }[] = due.filter(isStray);
  for (const { open, intent, error } of found) {
    if (error !== undefined) statements.push(noteFailure(context, open, error));
    else if (intent && intent.latest_charge !== null && intent.status !== 'canceled')
      tried.push({ open, intent });
    else statements.push(noteStatus(context, open, intent));
  }
  const paid: OpenIntent[] = [];
  // The rest is left for the next run.
  await forEachConcurrent(tried.slice(0, maxSettled), async ({ open, intent }) => {
    try {
      const ended = intent ? await reconcileIntent(context, intent) : await cancelStrayIntent(context, open);
      if (ended !== 'lost' && ended?.status === 'succeeded') paid.push(open);
      if (ended !== 'lost') statements.push(noteStatus(context, open, ended));
    } catch (error) {
      statements.push(noteFailure(context, open, error));
    }
  });
  for (let start = 0; start < statements.length; start += batchLength)
    await writeBatch(db, statements.slice(start, start + batchLength));
  if (paid.length > 0) await recordMissed(db);
}

/** How much runs overlap, in ms. Stripe may list an event a little after it was created. */
const overlapMs = 10 * 60_000;
/** How long Stripe keeps events, in ms (https://docs.stripe.com/api/events). */
const keptMs = 30 * dayMs;

/**
 * How often we read events while all of them are delivered, in ms. Stripe allows 500 reads per transaction on
 * average, and at least 10,000 a month (https://docs.stripe.com/rate-limits). Reading every minute would take
 * 43,200.
 */
const readEveryMs = 30 * 60_000;
/** After an event was not delivered, every run reads events for this long, in ms. */
const watchfulMs = hourMs;
/** How far the last run may have stopped before the present and still count as complete, in ms. */
const caughtUpMs = 60_000;

/**
 * Whether this run reads events: at once if the last run failed or did not reach the present, or if deliveries fail.
 */
function areEventsDue(last: JobRun | undefined, missed: JobRun | undefined): boolean {
  if (!last || last.failure !== null || last.ranAt - (last.succeededAt ?? 0) > caughtUpMs) return true;
  if (missed && remainingMs(missed.ranAt, watchfulMs) > 0) return true;
  return remainingMs(last.ranAt, readEveryMs) === 0;
}

/**
 * Reads events that were not delivered, from where the last run stopped, at most one day of them.
 * @throws if Stripe does not answer; the next run starts where this one did
 */
export async function reconcileEvents(context: PaymentContext): Promise<void> {
  const { db } = context;
  const now = Date.now();
  const last = await findRun(db, 'events');
  const from = Math.max(last?.succeededAt ?? now - dayMs, now - keptMs);
  const until = Math.min(from + dayMs, now);
  try {
    await recordRun(db, 'events', null, await handleMissedEvents(context, from - overlapMs, until));
  } catch (error) {
    await recordRun(db, 'events', describeError(error).error);
    throw error;
  }
}

/**
 * Settles unreported payments and reads missed events, each when it is due. Most runs find nothing to do and make
 * only one read.
 */
export async function reconcileDue(context: PaymentContext): Promise<void> {
  const { db } = context;
  const now = Date.now();
  const [intents, dueRefunds, [disputes], [events], [missed], [anyPayment], dueSubscriptions] =
    await readTogether(db, [
      db
        .select({ _id: paymentIntents._id })
        .from(paymentIntents)
        .where(lte(paymentIntents.checkAt, now))
        .limit(1),
      db.select({ _id: refunds._id }).from(refunds).where(lte(refunds.checkAt, now)).limit(1),
      runQuery(db, 'disputes'),
      runQuery(db, 'events'),
      runQuery(db, 'missedEvents'),
      db.select({ _id: payments._id }).from(payments).limit(1),
      dueSubscriptionsQuery(db, now, 1),
    ]);
  if (intents.length > 0) await reconcileIntents(context);
  if (dueRefunds.length > 0) await reconcileRefunds(context);
  if (dueSubscriptions.length > 0) await reconcileSubscriptions(context);
  if (anyPayment && areDisputesDue(disputes)) await reconcileDisputes(context);
  if (areEventsDue(events, missed)) await reconcileEvents(context);
}
