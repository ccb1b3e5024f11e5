/**
 * Creates the plan of an order. The batch that makes an order Paid copies its steps from the content, so changes to the
 * template never affect orders in progress.
 */
import { and, eq, ne, not, or, sql } from 'drizzle-orm';
import { newId } from '#contract/ids.ts';
import { contentTables } from '../db/content-tables.ts';
import type { Database, Statement } from '../db/client.ts';
import { withName } from '../db/firm-name.ts';
import { hasRow } from '../db/has-row.ts';
import { dayOf, type Env } from '../env.ts';
import { orders, type OrderRecord } from '../orders/schema.ts';
import { dueDay } from './due-day.ts';
import { orderSteps } from './plan-schema.ts';
import { isForPackage } from './questions.ts';

const template = contentTables.planStep;

/** Whether an order is already delivered when it is paid. Its work is then over from the start. */
export const isDelivered = (orderId: string) =>
  hasRow(orders, and(eq(orders._id, orderId), eq(orders.orderStatus, 'Delivered'))).mapWith(Boolean);

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
  const { state, request, note, plannedDay } = orderSteps;
  const ofOrder = eq(orderSteps.orderId, _id);
  const isBegun = or(ne(state, 'open'), ne(request, ''), ne(note, ''), ne(plannedDay, ''));
  const days = sql`CAST(${template.dueDays} AS INTEGER)`;
  return [
    db.delete(orderSteps).where(and(ofOrder, not(hasRow(orderSteps, and(ofOrder, isBegun))))),
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
        .where(and(isForPackage(template.packages, packageName), not(hasRow(orderSteps, ofOrder)))),
    ),
  ];
}
