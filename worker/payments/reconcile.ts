/**
 * Reconciliation: asks Stripe about intents whose outcome neither the browser nor the webhook reported, and reads
 * Stripe's events, in case one was not delivered. As a result, no payment, refund or dispute is lost if something
 * fails in between.
 */
import { and, asc, eq, isNotNull, lte } from 'drizzle-orm';
import type Stripe from 'stripe';
import { writeBatch, type Statement } from '../db/client.ts';
import { describeError } from '../http/log.ts';
import { dayMs, hourMs, remainingMs, jobLimitMs } from '../http/clock.ts';
import { forEachConcurrent } from '../operations/for-each-concurrent.ts';
import { findRun, recordRun } from '../operations/jobs.ts';
import { orders } from '../orders/schema.ts';
import type { PaymentContext } from './context.ts';
import { reviewDeclines } from './declines.ts';
import { reconcileAfterMs } from './pay.ts';
import { paymentIntents } from './schema.ts';
import { closeIntent, recordLostPayment, settlePayment } from './settle.ts';
import { cancelIntent, findIntent } from './stripe.ts';
import { handleMissedEvents } from './webhook-events.ts';

type OpenIntent = typeof paymentIntents.$inferSelect;

/** The maximum number of intents that one run asks about. An unpaid one takes two subrequests. */
const runLength = 1_000;
/** The maximum number that one run settles. Each takes about ten subrequests, and a run may make 10,000. */
const maxSettled = 300;

/** How long until we ask again about an unpaid intent, in ms: soon while it is new, later as it ages. */
export const nextCheckMs = (ageMs: number): number => Math.min(Math.max(reconcileAfterMs, ageMs / 10), dayMs);

/** A line that someone marked as seen stays hidden until the problem changes. */
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

/**
 * The statement that closes an intent with a known outcome, or schedules the next check of one that can still be paid, or
 * that our key cannot see.
 */
function statusStatement(
  context: PaymentContext,
  open: OpenIntent,
  intent: Stripe.PaymentIntent | undefined,
): Statement {
  if (intent?.status === 'succeeded' || intent?.status === 'canceled')
    return closeIntent(context, open.paymentIntentId);
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

function failureStatement(context: PaymentContext, open: OpenIntent, error: unknown): Statement {
  const failures = open.failures + 1;
  context.log('reconcile.failed', { order: open.orderId, failures, ...describeError(error) });
  return reschedule(context, open, {
    failures,
    checkAt: Date.now() + Math.min(reconcileAfterMs * 2 ** failures, hourMs),
    problem: failures < failuresToReport ? null : 'Stripe gave no usable answer about this payment.',
  });
}

/**
 * Cancels an intent whose order is not in the restored backup, so that no one pays it.
 * @returns the intent afterward; 'lost' if it was paid, which the staff then sees
 */
async function cancelStrayIntent(
  context: PaymentContext,
  paymentIntentId: string,
): Promise<Stripe.PaymentIntent | 'lost' | undefined> {
  const intent = await cancelIntent(context.stripe, paymentIntentId);
  if (intent?.status !== 'succeeded') return intent;
  await recordLostPayment(context, intent);
  return 'lost';
}

/**
 * Settles a payment that has succeeded, or reviews declined cards.
 * @returns the intent afterward; undefined if our key cannot see it
 */
async function settleIntent(
  context: PaymentContext,
  paymentIntentId: string,
): Promise<Stripe.PaymentIntent | undefined> {
  const found = await findIntent(context.stripe, paymentIntentId);
  if (!found) return undefined;
  const { intent } = await reviewDeclines(context, found);
  await settlePayment(context, intent);
  return intent;
}

/** Settles payments that were not reported, and schedules the next check of the others, for a minute at most. */
export async function reconcileIntents(context: PaymentContext): Promise<void> {
  const { db } = context;
  const due = await db
    .select({ open: paymentIntents, orderId: orders._id })
    .from(paymentIntents)
    .leftJoin(orders, eq(orders._id, paymentIntents.orderId))
    .where(lte(paymentIntents.checkAt, Date.now()))
    .orderBy(asc(paymentIntents.checkAt))
    .limit(runLength);
  const endAt = Date.now() + jobLimitMs;
  let settled = 0;
  await forEachConcurrent(due, async ({ open, orderId }) => {
    if (Date.now() >= endAt || settled >= maxSettled) return;
    try {
      const check = orderId === null ? cancelStrayIntent : settleIntent;
      const intent = await check(context, open.paymentIntentId);
      if (intent === 'lost' || intent?.status === 'succeeded') settled += 1;
      if (intent !== 'lost') await writeBatch(db, [statusStatement(context, open, intent)]);
    } catch (error) {
      await writeBatch(db, [failureStatement(context, open, error)]);
    }
  });
}

/** How often we read Stripe's events, in ms (docs/operations.md, "Calls to Stripe"). */
const readEveryMs = 10 * 60_000;
/** How far back from now a read starts, in ms. Stripe may list an event a little after it was created. */
const overlapMs = 10 * 60_000;
/** How long Stripe keeps events, in ms (https://docs.stripe.com/api/events). */
const keptMs = 30 * dayMs;

/**
 * Handles events that may not have been delivered, from where the last run stopped, at most one day of them. After a
 * failure, the next run starts where this one did.
 * @throws if Stripe does not answer
 */
export async function reconcileEvents(context: PaymentContext): Promise<void> {
  const { db } = context;
  const now = Date.now();
  const last = await findRun(db, 'events');
  // One event that always fails must not make every run ask about all the others again.
  if (last?.failure && remainingMs(last.ranAt, readEveryMs) > 0) return;
  const readUntil = last?.succeededAt ?? now - dayMs;
  if (remainingMs(readUntil, overlapMs + readEveryMs) > 0) return;
  const from = Math.max(readUntil, now - keptMs);
  try {
    const handledUntil = await handleMissedEvents(context, from, Math.min(from + dayMs, now));
    await recordRun(db, 'events', null, Math.min(handledUntil, now - overlapMs));
  } catch (error) {
    await recordRun(db, 'events', describeError(error).error);
    throw error;
  }
}
