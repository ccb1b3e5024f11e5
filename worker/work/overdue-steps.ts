/** Steps that are not done by the day they are due, of orders whose work is under way: a person is told. */
import { and, desc, eq, lt, sql } from 'drizzle-orm';
import { displayOrderNumber } from '#contract/orders.ts';
import { maxPageSize } from '#contract/paging.ts';
import type { AttentionItem } from '#contract/payments.ts';
import { displayDate } from '#contract/days.ts';
import type { Database } from '../db/client.ts';
import { orders } from '../orders/schema.ts';
import { orderSteps } from './schema.ts';

/** The query for overdue steps, the latest due first, at most 100. @param today in the site's time zone */
export const overdueStepsQuery = (db: Database, today: string) =>
  db
    .select({ step: orderSteps, number: orders.number })
    .from(orderSteps)
    .innerJoin(orders, eq(orders._id, orderSteps.orderId))
    .where(
      and(
        // As the index says it, so that it is used.
        sql`${orderSteps.state} <> 'done' AND ${orderSteps.isOver} = 0`,
        lt(orderSteps.dueDay, today),
        // A unary plus: an index on the orders would be walked for each of them.
        sql`+${orders.paymentStatus} = 'Paid'`,
        sql`+${orders.orderStatus} = 'Pending'`,
      ),
    )
    .orderBy(desc(orderSteps.dueDay))
    .limit(maxPageSize);

type OverdueStep = Awaited<ReturnType<typeof overdueStepsQuery>>[number];

/** A step as a line of what needs a person. */
export function overdueStep({ step, number }: OverdueStep): AttentionItem & { readonly time: number } {
  const due = `“${step.title}” of order ${displayOrderNumber(number)} was due on ${displayDate(step.dueDay)}`;
  return {
    _id: step._id,
    kind: 'overdueStep',
    text:
      step.state === 'waiting'
        ? `${due} and waits for its customer's approval. Call or write to them.`
        : `${due} and is not done. Its customer sees that too.`,
    orderId: step.orderId,
    time: Date.parse(`${step.dueDay}T00:00:00Z`),
    at: '',
  };
}
