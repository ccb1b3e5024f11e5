/**
 * Makes the work of a restored database agree with its orders. A backup that is made while they change may have an order as
 * Paid without the plan and the brief that began with its payment, work that is over as running, and a conversation as read
 * further than it goes (`worker/operations/dump.ts`).
 */
import type { Client } from '@libsql/client';
import { and, eq, exists, gt, gte, isNotNull, ne, notExists, or, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/libsql';
import { conversationMessages, conversations } from '#worker/conversations/schema.ts';
import { writeBatch, type Database } from '#worker/db/client.ts';
import { orderEvents, orders } from '#worker/orders/schema.ts';
import { awaitBrief } from '#worker/work/brief.ts';
import { copyPlan } from '#worker/work/plan.ts';
import { orderBriefs, orderSteps } from '#worker/work/schema.ts';

/** By what the days of a plan are counted. */
export type PlanSettings = Parameters<typeof copyPlan>[1];

/** What two isolates' clocks may differ by, in ms. */
const clockGapMs = 60_000;

/**
 * Begins the work on orders that were paid while the backup was made, of which it lacks the plan or the brief. Whether it
 * has the event of their payment depends on which table came first.
 */
async function beginWork(db: Database, settings: PlanSettings, begunAt: number): Promise<void> {
  const ofOrder = eq(orderEvents.orderId, orders._id);
  const known = sql`(SELECT max(${orderEvents.version}) FROM ${orderEvents} WHERE ${ofOrder})`;
  const since = db
    .select({ version: orderEvents.version })
    .from(orderEvents)
    .where(and(ofOrder, gte(orderEvents.at, begunAt - clockGapMs)));
  const isChanged = and(
    eq(orders.paymentStatus, 'Paid'),
    // Nobody is left to ask anything of, once the account was deleted.
    ne(orders.customerEmail, ''),
    or(gt(orders.version, known), exists(since)),
  );
  const plan = db.select({ _id: orderSteps._id }).from(orderSteps).where(eq(orderSteps.orderId, orders._id));
  const brief = db
    .select({ orderId: orderBriefs.orderId })
    .from(orderBriefs)
    .where(and(eq(orderBriefs.orderId, orders._id), isNotNull(orderBriefs.awaitedSince)));
  const now = Date.now();
  for (const order of await db
    .select()
    .from(orders)
    .where(and(isChanged, notExists(plan))))
    await writeBatch(db, copyPlan(db, settings, order, now));
  for (const order of await db
    .select()
    .from(orders)
    .where(and(isChanged, notExists(brief))))
    await writeBatch(db, [awaitBrief(db, order, now)]);
}

/** Makes the work of a restored database agree with its orders. It may be repeated. @param begunAt when its backup was begun, in ms */
export async function repairWork(client: Client, settings: PlanSettings, begunAt: number): Promise<void> {
  const db = drizzle(client);
  await beginWork(db, settings, begunAt);
  for (const table of [orderSteps, orderBriefs])
    await db.run(sql`
      UPDATE ${table} SET "isOver" = NOT EXISTS (
        SELECT 1 FROM ${orders} WHERE ${orders._id} = "orderId" AND "paymentStatus" = 'Paid' AND "orderStatus" = 'Pending')`);
  const last = (side: string) =>
    sql`coalesce((SELECT max("sequence") FROM ${conversationMessages} WHERE "orderId" = ${conversations.orderId} AND "side" IN (${sql.raw(side)})), 0)`;
  const anyone = last("'customer', 'staff'");
  await db.run(sql`
    UPDATE ${conversations} SET "fromCustomer" = ${last("'customer'")}, "fromStaff" = ${last("'staff'")},
      "readByCustomer" = min("readByCustomer", ${anyone}), "readByStaff" = min("readByStaff", ${anyone})`);
}
