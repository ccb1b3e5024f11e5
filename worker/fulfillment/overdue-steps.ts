/** Steps of orders in progress that are past their due day. */
import { and, eq, lt, or, sql } from 'drizzle-orm';
import { displayOrderNumber, isCustomerDeleted } from '#contract/orders.ts';
import { attentionQueries } from '../operations/attention-line.ts';
import { addDays, displayDate } from '#contract/days.ts';
import { fromWallTime } from '#contract/zoned-time.ts';
import type { Database } from '../db/client.ts';
import { dayOf, type Env } from '../env.ts';
import { orders, type OrderRecord } from '../orders/schema.ts';
import { answerDay, answerDayFrom } from './due-day.ts';
import { orderSteps, type StepRecord } from './plan-schema.ts';

/** When a day begins in the site's time zone, in ms. @param day YYYY-MM-DD */
const startOf = (env: Env, day: string): number =>
  Date.parse(fromWallTime(`${day}T00:00`, env.SITE_TIMEZONE) ?? day);

/**
 * Returns a time in ms. If a step was completed before it and still waits for approval, the answer is late.
 * @param today YYYY-MM-DD in the site's time zone
 */
function askedTooLongAgo(env: Env, today: string): number {
  let day = today;
  while (answerDayFrom(env, day) >= today) day = addDays(day, -1);
  return startOf(env, addDays(day, 1));
}

function customersView({ request }: StepRecord, order: OrderRecord): string {
  if (isCustomerDeleted(order)) return "The customer's account was deleted.";
  return request === '' ? 'The customer sees this too.' : 'The customer asked for a change.';
}

/** @param now time in ms */
export function overdueSteps(db: Database, env: Env, now: number) {
  const today = dayOf(env, now);
  const isLate = and(
    // Repeats the partial index's condition so that SQLite uses the index.
    sql`${orderSteps.state} <> 'done' AND ${orderSteps.isOver} = 0`,
    lt(orderSteps.dueDay, today),
    or(eq(orderSteps.state, 'open'), lt(orderSteps.doneAt, askedTooLongAgo(env, today))),
    // The unary plus keeps SQLite from searching an index of the orders for each step.
    sql`+${orders.paymentStatus} = 'Paid'`,
    sql`+${orders.orderStatus} = 'Pending'`,
  );
  return attentionQueries(db, {
    rows: () =>
      db
        .select({ step: orderSteps, order: orders })
        .from(orderSteps)
        .innerJoin(orders, eq(orders._id, orderSteps.orderId))
        .where(isLate)
        .$dynamic(),
    since: orderSteps.dueDay,
    toLine({ step, order }) {
      const { dueDay, doneAt } = step;
      const name = `“${step.title}” of order ${displayOrderNumber(order.number)}`;
      const day = doneAt === null ? dueDay : answerDay(env, { dueDay, doneAt });
      return {
        _id: step._id,
        text:
          doneAt === null
            ? `${name} was due on ${displayDate(day)} and is not done. ${customersView(step, order)}`
            : `${name} is waiting for the customer's approval, which was due on ${displayDate(day)}. Call or write to them.`,
        orderId: step.orderId,
        time: startOf(env, dueDay),
        at: new Date(startOf(env, day)).toISOString(),
      };
    },
  });
}
