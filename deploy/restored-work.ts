/**
 * Makes the work of a restored database agree with its orders. A backup that is made while they change may have an order as
 * Paid without the plan and the brief that began with its payment, work that is over as running, and a conversation as read
 * further than it goes (`worker/operations/dump.ts`).
 */
import type { Client } from '@libsql/client';
import { and, eq, gt, isNotNull, ne, notExists, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/libsql';
import { conversationMessages, conversations } from '#worker/conversations/schema.ts';
import { writeBatch, type Database } from '#worker/db/client.ts';
import { orderEvents, orders } from '#worker/orders/schema.ts';
import { awaitBrief } from '#worker/work/brief.ts';
import { copyPlan } from '#worker/work/plan.ts';
import { orderBriefs, orderSteps } from '#worker/work/schema.ts';

/** By what the days of a plan are counted. */
export type PlanSettings = Parameters<typeof copyPlan>[1];

/** Begins the work on orders that were paid while the backup was made: neither their last event nor what began with it is in it. */
async function beginWork(db: Database, settings: PlanSettings): Promise<void> {
  const known = sql`(SELECT max(${orderEvents.version}) FROM ${orderEvents} WHERE ${orderEvents.orderId} = ${orders._id})`;
  const isUnseen = and(
    eq(orders.paymentStatus, 'Paid'),
    // Nobody is left to ask anything of, once the account was deleted.
    ne(orders.customerEmail, ''),
    gt(orders.version, known),
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
    .where(and(isUnseen, notExists(plan))))
    await writeBatch(db, copyPlan(db, settings, order, now));
  for (const order of await db
    .select()
    .from(orders)
    .where(and(isUnseen, notExists(brief))))
    await writeBatch(db, [awaitBrief(db, order, now)]);
}

/** Makes the work of a restored database agree with its orders. It may be repeated. */
export async function mendWork(client: Client, settings: PlanSettings): Promise<void> {
  const db = drizzle(client);
  await beginWork(db, settings);
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
