/** Steps that are not done by the day they are due, of orders whose work is under way: a person is told. */
import { and, count, eq, lt, or, sql } from 'drizzle-orm';
import { displayOrderNumber } from '#contract/orders.ts';
import type { AttentionLine } from '../operations/attention-line.ts';
import { addDays, displayDate } from '#contract/days.ts';
import { fromWallTime } from '#contract/zoned-time.ts';
import type { Slice } from '../db/paging.ts';
import type { Database } from '../db/client.ts';
import { dayOf, type Env } from '../env.ts';
import { orders } from '../orders/schema.ts';
import { answerDay, answerDayFrom } from './due-day.ts';
import { orderSteps } from './plan-schema.ts';

/**
 * The time before which a step must have been ticked off for its answer to be late, in ms. @param today in the site's
 * time zone
 */
function askedTooLongAgo(env: Env, today: string): number {
  let day = today;
  while (answerDayFrom(env, day) >= today) day = addDays(day, -1);
  return Date.parse(fromWallTime(`${addDays(day, 1)}T00:00`, env.SITE_TIMEZONE) ?? today);
}

/** The queries for overdue steps. @param now time in ms */
export function overdueSteps(db: Database, env: Env, now: number) {
  const today = dayOf(env, now);
  const isLate = and(
    // In the words of the partial index, so that SQLite uses it.
    sql`${orderSteps.state} <> 'done' AND ${orderSteps.isOver} = 0`,
    lt(orderSteps.dueDay, today),
    or(eq(orderSteps.state, 'open'), lt(orderSteps.doneAt, askedTooLongAgo(env, today))),
    // The unary plus keeps SQLite from searching an index on the orders for each of them.
    sql`+${orders.paymentStatus} = 'Paid'`,
    sql`+${orders.orderStatus} = 'Pending'`,
  );
  const ofStep = eq(orders._id, orderSteps.orderId);
  return {
    count: db.select({ count: count() }).from(orderSteps).innerJoin(orders, ofStep).where(isLate),
    first: ({ order, limit }: Slice) =>
      db
        .select({ step: orderSteps, number: orders.number, customerEmail: orders.customerEmail })
        .from(orderSteps)
        .innerJoin(orders, ofStep)
        .where(isLate)
        .orderBy(order(orderSteps.dueDay))
        .limit(limit),
  };
}

type OverdueStep = Awaited<ReturnType<ReturnType<typeof overdueSteps>['first']>>[number];

/** A step as a line of what needs a person. */
export function overdueStep(env: Env, { step, number, customerEmail }: OverdueStep): AttentionLine {
  const { dueDay, doneAt } = step;
  const name = `“${step.title}” of order ${displayOrderNumber(number)}`;
  const day = doneAt === null ? dueDay : answerDay(env, { dueDay, doneAt });
  return {
    _id: step._id,
    kind: 'overdueStep',
    text:
      doneAt === null
        ? `${name} was due on ${displayDate(day)} and is not done. ${customerEmail === '' ? 'The account of its customer was deleted.' : step.request === '' ? 'Its customer sees that too.' : 'Its customer asked for a change.'}`
        : `${name} waits for its customer's approval, which we asked for by ${displayDate(day)}. Call or write to them.`,
    orderId: step.orderId,
    time: Date.parse(`${dueDay}T00:00:00Z`),
    at: new Date(`${day}T00:00:00Z`).toISOString(),
  };
}
