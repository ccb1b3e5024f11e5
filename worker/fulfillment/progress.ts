/** The progress of orders: open questions and the steps of their plans. */
import { and, asc, desc, eq, ne, sql, type SQL } from 'drizzle-orm';
import type { Account } from '#contract/accounts.ts';
import { pageSizes } from '#contract/paging.ts';
import type { OrderWork, OwnWork } from '#contract/plans.calls.ts';
import { isVerifiedEmail } from '../accounts/owner.ts';
import { conversations, orderFiles } from './conversation-schema.ts';
import { customerIdOf } from '../orders/customers.ts';
import { readTogether, type Database } from '../db/client.ts';
import { dayOf, type Env } from '../env.ts';
import { peopleInCharge } from '../notes/assignments.ts';
import { visibleTo, wholeOrder } from '../orders/read.ts';
import { orderEvents, orders } from '../orders/schema.ts';
import { toPlanStep } from './plan-step.ts';
import {
  briefHasQuestions,
  isBriefAwaited,
  isBriefReopened,
  lastDelivery,
  wholeRefund,
} from './questions.ts';
import { orderBriefs, orderSteps } from './plan-schema.ts';

/** Whether an order was delivered before it was paid. Its plan was then over when it was created. */
const isPaidAfterDelivery = sql<number>`EXISTS (SELECT 1 FROM ${orderEvents} WHERE ${orderEvents.orderId} = ${orders._id}
  AND ${orderEvents.kind} IN ('paid', 'paidByHand') AND ${orderEvents.version} > ${lastDelivery})`;

/** The assignee as shown to the customer; null if their profile has no name. */
const personOf = (found: NonNullable<OrderWork['personInCharge']> | undefined) =>
  found?.name ? { name: found.name, phone: found.phone } : null;

/**
 * The work of orders, newest first.
 * @param ids a query for their ids
 */
async function readWork(db: Database, env: Env, ids: SQL) {
  const [rows, steps, files, people] = await readTogether(db, [
    db
      .select({
        order: orders,
        sentAt: orderBriefs.sentAt,
        awaitedSince: orderBriefs.awaitedSince,
        isReopened: isBriefReopened,
        wholeRefund,
        isUntracked: isPaidAfterDelivery,
        isAsked: briefHasQuestions(orders.packageName),
        isEmailVerified: sql<number>`${isVerifiedEmail(orders.accountId, sql`lower(${orders.customerEmail})`)}`,
        customerId: customerIdOf,
      })
      .from(orders)
      .leftJoin(orderBriefs, eq(orderBriefs.orderId, orders._id))
      .where(sql`${orders._id} IN ${ids}`)
      .orderBy(desc(orders._id)),
    db
      .select()
      .from(orderSteps)
      .where(sql`${orderSteps.orderId} IN ${ids}`)
      .orderBy(asc(orderSteps.position)),
    db
      .select()
      .from(orderFiles)
      .where(and(sql`${orderFiles.orderId} IN ${ids}`, ne(orderFiles.messageId, ''))),
    peopleInCharge(db, ids),
  ]);
  const today = dayOf(env, Date.now());
  return rows.map(
    ({ order, sentAt, awaitedSince, isReopened, isUntracked, isAsked, customerId, ...found }) => {
      // Orders do not ask questions that were added after the payment.
      const isOpen = isAsked && (order.paymentStatus !== 'Paid' || awaitedSince !== null);
      const work: OrderWork = {
        orderId: order._id,
        brief: sentAt !== null ? 'sent' : isOpen ? 'open' : 'none',
        isBriefReopened: sentAt === null && Boolean(isReopened),
        isEmailVerified: Boolean(found.isEmailVerified),
        customerId,
        refund: order.paymentStatus === 'Paid' ? found.wholeRefund : null,
        steps: steps
          .filter((step) => step.orderId === order._id)
          .map((step) => toPlanStep(env, step, files, today, Boolean(isUntracked))),
        personInCharge: personOf(people.find(({ recordId }) => recordId === order._id)),
      };
      return { order, accountId: order.accountId, work };
    },
  );
}

/** @throws ApiError 404 the caller may not see the whole order */
export async function readOrderWork(
  db: Database,
  env: Env,
  orderId: string,
  account: Account,
): Promise<OrderWork> {
  const [found] = await readWork(db, env, sql`(${orderId})`);
  return visibleTo(account, found).work;
}

/** The condition for orders that wait for their customer to pay, answer, approve or read a message. */
const waitsForCustomer = sql`(${orders.paymentStatus} = 'UnPaid'
  OR (${orders.paymentStatus} = 'Paid' AND ${orders.orderStatus} = 'Pending' AND
    EXISTS (SELECT 1 FROM ${orderSteps} WHERE ${orderSteps.orderId} = ${orders._id} AND ${orderSteps.state} = 'waiting'))
  OR (${orders.paymentStatus} = 'Paid' AND (${orders.orderStatus} = 'Pending' OR ${isBriefReopened})
    AND ${isBriefAwaited(orders._id, orders.packageName)} AND ${wholeRefund} IS NULL)
  OR EXISTS (
    SELECT 1 FROM ${conversations} WHERE ${conversations.orderId} = ${orders._id} AND ${conversations.fromStaff} > ${conversations.readByCustomer}))`;

const maxWaiting = 20;

/** A customer's orders that wait for them, however old, and their newest orders, with the work on each. */
export async function readOwnWork(db: Database, env: Env, accountId: string): Promise<OwnWork[]> {
  const newest = (most: number, condition: SQL) =>
    sql`SELECT * FROM (SELECT ${orders._id} FROM ${orders} WHERE ${orders.accountId} = ${accountId} AND ${condition} ORDER BY ${orders._id} DESC LIMIT ${most})`;
  const ids = sql`(${newest(maxWaiting, waitsForCustomer)} UNION ${newest(pageSizes.customerOrders, sql`1`)})`;
  const found = await readWork(db, env, ids);
  return found.map(({ order, work }) => ({ order: wholeOrder(order), work }));
}
