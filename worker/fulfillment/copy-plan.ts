/**
 * Creates the plan of an order. The batch that makes an order Paid copies its steps from the content, so changes to the
 * template never affect orders in progress.
 */
import { and, eq, ne, notExists, or, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { newId } from '#contract/ids.ts';
import { contentTables } from '../db/content-tables.ts';
import type { Database, Statement } from '../db/client.ts';
import { withName } from '../db/firm-name.ts';
import { dayOf, type Env } from '../env.ts';
import { orders, type OrderRecord } from '../orders/schema.ts';
import { dueDay } from './due-day.ts';
import { orderSteps } from './plan-schema.ts';
import { isForPackage } from './questions.ts';

const template = contentTables.planStep;

/** Whether an order is already delivered when it is paid. Its work is then over from the start. */
export const isDelivered = (orderId: string) =>
  sql<boolean>`EXISTS (SELECT 1 FROM ${orders} WHERE ${orders._id} = ${orderId} AND ${orders.orderStatus} = 'Delivered')`;

/**
 * The statements that create the plan of a newly paid order. They replace a plan that was never started, from an
 * earlier payment that was withdrawn.
 * @param now time in ms
 */
export function copyPlan(
  db: Database,
  env: Pick<Env, 'SITE_TIMEZONE' | 'PLAN_DAYS' | 'PLAN_HOLIDAYS'>,
  { _id, packageName }: Pick<OrderRecord, '_id' | 'packageName'>,
  now: number,
): Statement[] {
  const begun = alias(orderSteps, 'begun');
  const isBegun = db
    .select({ _id: begun._id })
    .from(begun)
    .where(
      and(
        eq(begun.orderId, _id),
        or(ne(begun.state, 'open'), ne(begun.request, ''), ne(begun.note, ''), ne(begun.plannedDay, '')),
      ),
    );
  const days = sql`CAST(${template.dueDays} AS INTEGER)`;
  return [
    db.delete(orderSteps).where(and(eq(orderSteps.orderId, _id), notExists(isBegun))),
    db.insert(orderSteps).select(
      db
        .select({
          // A UUIDv7 in the format of newId, with random last bits for each row.
          _id: sql<string>`${newId(now).slice(0, 24)} || lower(hex(randomblob(6)))`.as('_id'),
          orderId: sql<string>`${_id}`.as('orderId'),
          position: sql<number>`row_number() OVER (ORDER BY ${template.position}, ${template._id})`.as(
            'position',
          ),
          title: withName(template.title).as('title'),
          details: withName(template.details).as('details'),
          dueDay: dueDay(env, dayOf(env, now), days).as('dueDay'),
          plannedDay: sql<string>`''`.as('plannedDay'),
          wantsApproval: sql<boolean>`${template.approval} = 'yes'`.as('wantsApproval'),
          state: sql<'open'>`'open'`.as('state'),
          note: sql<string>`''`.as('note'),
          request: sql<string>`''`.as('request'),
          requestedAt: sql<null>`NULL`.as('requestedAt'),
          messageId: sql<string>`''`.as('messageId'),
          doneAt: sql<null>`NULL`.as('doneAt'),
          doneBy: sql<string>`''`.as('doneBy'),
          isOver: isDelivered(_id).as('isOver'),
        })
        .from(template)
        .where(
          and(
            isForPackage(template.packages, packageName),
            sql`NOT EXISTS (SELECT 1 FROM ${orderSteps} WHERE ${orderSteps.orderId} = ${_id})`,
          ),
        ),
    ),
  ];
}
