/**
 * Reconciliation: at every cron tick Stripe is asked about intents whose end neither browser nor webhook has told us,
 * and refunds that could not be sent are tried again. So a payment is never lost when something breaks on the way.
 */
import { and, asc, eq, isNotNull, lte, sql } from 'drizzle-orm';
import { openDatabase } from '../db/client.ts';
import type { Env } from '../env.ts';
import { describeError, type Log } from '../http/log.ts';
import { openPaymentContext, type PaymentContext } from './context.ts';
import { reconcileAfterMs } from './pay.ts';
import { paymentIntents, payments } from './schema.ts';
import { closeIntent, sendRefund, settlePayment } from './settle.ts';

/** Most intents and most refunds of one run. */
const runLength = 100;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** When to ask again about an intent that nobody has paid: soon while it is young, later as it ages. */
export const nextCheckMs = (ageMs: number): number => Math.min(Math.max(reconcileAfterMs, ageMs / 10), dayMs);

type OpenIntent = typeof paymentIntents.$inferSelect;

/** What an administrator has seen stays hidden until the problem is another one. */
const reschedule = (
  { db }: PaymentContext,
  { _id, startedAt, problem }: OpenIntent,
  set: Pick<OpenIntent, 'checkAt' | 'failures' | 'problem'>,
) =>
  db
    .update(paymentIntents)
    .set({ ...set, ...(set.problem !== problem && { seenBy: null, seenAt: null }) })
    // Untouched when somebody opened the payment page meanwhile, or its end became known.
    .where(
      and(
        eq(paymentIntents._id, _id),
        eq(paymentIntents.startedAt, startedAt),
        isNotNull(paymentIntents.checkAt),
      ),
    );

async function reconcileIntent(context: PaymentContext, open: OpenIntent): Promise<void> {
  const { db, stripe } = context;
  const intent = await stripe.paymentIntents.retrieve(open.paymentIntentId);
  if (intent.status === 'succeeded') await settlePayment(context, intent);
  if (intent.status === 'succeeded' || intent.status === 'canceled') {
    await db.run(sql`${closeIntent(context, open.paymentIntentId)}`);
    return;
  }
  const ageMs = Date.now() - open.startedAt;
  const isStuck = intent.status === 'processing' && ageMs > dayMs;
  await reschedule(context, open, {
    checkAt: Date.now() + nextCheckMs(ageMs),
    failures: 0,
    problem: isStuck ? 'The bank has been working on this payment for more than a day.' : null,
  });
}

/** Failures in a row from which a person should know. */
const worryingFailures = 3;

async function noteFailure(context: PaymentContext, open: OpenIntent, error: unknown): Promise<void> {
  const failures = open.failures + 1;
  context.log('reconcile.failed', { order: open.orderId, failures, ...describeError(error) });
  await reschedule(context, open, {
    failures,
    checkAt: Date.now() + Math.min(reconcileAfterMs * 2 ** failures, hourMs),
    problem: failures < worryingFailures ? null : 'Stripe gave no usable answer about this payment.',
  });
}

/** Settles what nobody reported. @throws when the database cannot be reached */
export async function reconcileAll(context: PaymentContext): Promise<void> {
  const { db, log } = context;
  const due = await db
    .select()
    .from(paymentIntents)
    .where(lte(paymentIntents.checkAt, Date.now()))
    .orderBy(asc(paymentIntents.checkAt))
    .limit(runLength);
  for (const open of due) {
    try {
      await reconcileIntent(context, open);
    } catch (error) {
      await noteFailure(context, open, error);
    }
  }
  const refunds = await db
    .select()
    .from(payments)
    .where(eq(payments.outcome, 'refundDue'))
    .orderBy(asc(payments.at))
    .limit(runLength);
  for (const payment of refunds) {
    try {
      await sendRefund(context, payment);
    } catch (error) {
      log('refund.failed', { order: payment.orderId, ...describeError(error) });
    }
  }
}

/** What the cron trigger calls. */
export const reconcilePayments = (env: Env, log: Log): Promise<void> =>
  reconcileAll(openPaymentContext(env, log, openDatabase(env)));
