/** Changes that customers ask for. The staff makes the change and completes the step again. */
import { and, eq, gte, sql } from 'drizzle-orm';
import { displayDate } from '#contract/days.ts';
import { displayOrderNumber } from '#contract/orders.ts';
import type { Database } from '../db/client.ts';
import { dayOf, type Env } from '../env.ts';
import { orders } from '../orders/schema.ts';
import { attentionQueries } from '../operations/attention-line.ts';
import { orderSteps } from './plan-schema.ts';

/**
 * Requested changes that are not overdue; `overdueSteps` lists the overdue ones.
 * @param now time in ms
 */
export function wantedChanges(db: Database, env: Env, now: number) {
  const isWanted = and(
    // Repeats the partial index's condition so that SQLite uses the index.
    sql`${orderSteps.request} <> '' AND ${orderSteps.isOver} = 0`,
    gte(orderSteps.dueDay, dayOf(env, now)),
  );
  return attentionQueries(db, {
    rows: () =>
      db
        .select({ step: orderSteps, number: orders.number })
        .from(orderSteps)
        .innerJoin(orders, eq(orders._id, orderSteps.orderId))
        .where(isWanted)
        .$dynamic(),
    since: orderSteps.requestedAt,
    toLine: ({ step, number }) => ({
      _id: step._id,
      text: `The customer of order ${displayOrderNumber(number)} asks for a change to “${step.title}”, which is due on ${displayDate(step.dueDay)}. Read the request on the order, and mark the step as done when you finish.`,
      orderId: step.orderId,
      time: step.requestedAt ?? now,
    }),
  });
}
