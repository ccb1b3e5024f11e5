/** Moves a step of a plan to another day. */
import { and, asc, eq, gte, ne, not, sql, type SQL } from 'drizzle-orm';
import { addDays } from '#contract/days.ts';
import type { PlanStep } from '#contract/plans.calls.ts';
import type { Database } from '../db/client.ts';
import { hasRow } from '../db/has-row.ts';
import { dayOf } from '../env.ts';
import type { Caller } from '../http/app.ts';
import { conflict, invalid } from '../http/errors.ts';
import { cancelUntriedMail, isUntried } from '../mail/outbox.ts';
import { mails } from '../mail/schema.ts';
import { retryOnConflict } from '../orders/changes.ts';
import { planTopic, notifyCustomer } from '../orders/notify.ts';
import { orderEvents } from '../orders/schema.ts';
import { planMovedMail } from './plan-mails.ts';
import { orderSteps } from './plan-schema.ts';
import { findStep, readStep, writeStep } from './plan-step.ts';

/** How long the email about moved steps waits for more moves, in ms. */
const movingMs = 3 * 60_000;
/** How far ahead a step may be due, in days. */
const maxDaysAhead = 2 * 365;

/**
 * Whether the waiting email about moved steps is still needed, because a step is due on a different day than before the
 * first of these moves. That move's batch queues the email just before it writes the event.
 */
function hasNewDates(db: Database, orderId: string): SQL {
  const queuedAt = db
    .select({ at: mails.createdAt })
    .from(mails)
    .where(isUntried(planTopic(orderId)));
  const dayBefore = db
    .select({ day: sql`${orderEvents.after} ->> 'movedFrom'` })
    .from(orderEvents)
    .where(
      and(
        eq(orderEvents.orderId, orderId),
        eq(orderEvents.kind, 'stepMoved'),
        sql`${orderEvents.after} ->> 'stepId' = ${orderSteps._id}`,
        gte(orderEvents.at, sql`${queuedAt}`),
      ),
    )
    .orderBy(asc(orderEvents.version))
    .limit(1);
  return hasRow(orderSteps, and(eq(orderSteps.orderId, orderId), ne(orderSteps.dueDay, sql`${dayBefore}`)));
}

/**
 * Moves a step's due day. The original day is stored and shown to the customer.
 * @param to YYYY-MM-DD in the site's time zone
 * @throws ApiError 404, 409 the step is done, or the order is not Paid or is delivered, 422 the day is in the past
 *   or too far away
 */
export async function moveStep(caller: Caller, id: string, to: string): Promise<PlanStep> {
  const { db, env } = caller;
  const today = dayOf(env, Date.now());
  if (to < today || to > addDays(today, maxDaysAhead))
    throw invalid({ dueDay: 'Choose a date from today to two years from now.' });
  await retryOnConflict(async () => {
    const found = await findStep(caller, id);
    const { order, step } = found;
    if (step.dueDay === to) return true;
    if (step.state === 'done') throw conflict('This step is done. Reopen it to change its due date.');
    const planned = step.plannedDay || step.dueDay;
    const topic = planTopic(order._id);
    return writeStep(caller, found, {
      kind: 'stepMoved',
      set: { dueDay: to, plannedDay: planned === to ? '' : planned },
      others: [
        ...notifyCustomer({ db, env }, order, 'plan-moved', planMovedMail, { topic, delayMs: movingMs }),
        cancelUntriedMail(db, topic, not(hasNewDates(db, order._id))),
      ],
    });
  });
  return readStep(caller, id);
}
