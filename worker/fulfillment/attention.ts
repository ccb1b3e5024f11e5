/** Work on orders that needs attention: the queries and texts of its entries in the attention list. */
import { and, eq, gte, lt, ne, or, sql } from 'drizzle-orm';
import { addDays, displayDate } from '#contract/days.ts';
import { displayPrice } from '#contract/money.ts';
import { displayOrderNumber, isCustomerDeleted } from '#contract/orders.ts';
import { displayNameOf } from '#contract/packages.ts';
import { fromWallTime } from '#contract/zoned-time.ts';
import type { Database } from '../db/client.ts';
import { dayOf, type Env } from '../env.ts';
import { attentionQueries } from '../operations/attention-line.ts';
import { orderEvents, orders, type OrderRecord } from '../orders/schema.ts';
import { conversations } from './conversation-schema.ts';
import { answerDay, answerDayFrom } from './due-day.ts';
import { orderSteps, type StepRecord } from './plan-schema.ts';

/** When a day begins in the site's time zone, in ms. @param day YYYY-MM-DD */
const startOf = (env: Env, day: string): number =>
  Date.parse(fromWallTime(`${day}T00:00`, env.SITE_TIMEZONE) ?? day);

/**
 * The time, in ms, such that answers to steps completed before it are late.
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

/** Steps of orders in progress that are past their due day. @param now time in ms */
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
        .where(isLate),
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

/**
 * Changes that customers ask for and that are not overdue; `overdueSteps` lists the overdue ones. The staff makes the
 * change and completes the step again.
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
        .where(isWanted),
    since: orderSteps.requestedAt,
    toLine: ({ step, number }) => ({
      _id: step._id,
      text: `The customer of order ${displayOrderNumber(number)} asks for a change to “${step.title}”, which is due on ${displayDate(step.dueDay)}. Read the request on the order, and ask for approval again when you finish.`,
      orderId: step.orderId,
      time: step.requestedAt ?? now,
    }),
  });
}

/**
 * Orders with customer messages that the staff has not read.
 * @param readerId the reader's account; people do not need to read their own messages
 */
export function unreadOrders(db: Database, readerId: string | undefined) {
  const isUnread = and(
    // Repeats the partial index's condition so that SQLite uses the index.
    sql`${conversations.fromCustomer} > ${conversations.readByStaff}`,
    readerId === undefined ? undefined : ne(orders.accountId, readerId),
  );
  return attentionQueries(db, {
    rows: () =>
      db
        .select({ orderId: orders._id, number: orders.number, lastAt: conversations.lastAt })
        .from(conversations)
        .innerJoin(orders, eq(orders._id, conversations.orderId))
        .where(isUnread),
    since: conversations.lastAt,
    toLine: ({ orderId, number, lastAt }) => ({
      _id: orderId,
      text: `The customer of order ${displayOrderNumber(number)} sent a message that nobody has read. Read it and reply on the order.`,
      orderId,
      time: lastAt,
    }),
  });
}

/**
 * When an order lost its customer, in ms: at the deletion of their account, or at the renewal if Stripe reported a month
 * only after that.
 */
const customerLostAt = sql<number>`(
  SELECT ${orderEvents.at} FROM ${orderEvents}
  WHERE ${orderEvents.orderId} = ${orders._id} AND ${orderEvents.kind} IN ('anonymized', 'renewed')
  ORDER BY ${orderEvents.version} DESC LIMIT 1)`;

/** Paid orders whose customer deleted their account before delivery, so no one can receive the work. */
export const ordersOfDeletedCustomers = (db: Database) =>
  attentionQueries(db, {
    rows: () =>
      db
        .select({ order: orders, at: customerLostAt.as('at') })
        .from(orders)
        .where(
          and(
            // Repeats the partial index's condition so that SQLite uses the index.
            sql`${orders.customerEmail} = ''`,
            eq(orders.paymentStatus, 'Paid'),
            eq(orders.orderStatus, 'Pending'),
          ),
        ),
    since: customerLostAt,
    toLine: ({ order, at }) => ({
      _id: order._id,
      text: `The customer of order ${displayOrderNumber(order.number)} (${displayNameOf(order)}, ${displayPrice(order.priceCents - order.refundedCents)} paid) deleted their account before the order was delivered. Refund it, or mark it as delivered to close it.`,
      orderId: order._id,
      time: at,
    }),
  });
