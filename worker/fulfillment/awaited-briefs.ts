/** Briefs that we wait for: their customers are reminded once, and later a person is told. */
import { and, asc, count, eq, gt, isNull, lt, sql } from 'drizzle-orm';
import { counted } from '#contract/counted.ts';
import { displayOrderNumber } from '#contract/orders.ts';
import type { AttentionLine } from '../operations/attention-line.ts';
import type { Slice } from '../db/paging.ts';
import { openDatabase, type Database } from '../db/client.ts';
import type { Env } from '../env.ts';
import { changeOrder, systemActor } from '../orders/changes.ts';
import { notifyCustomer } from '../orders/notify.ts';
import { orders } from '../orders/schema.ts';
import { briefReminderMail } from './plan-mails.ts';
import { briefAsks, isBriefReopened } from './questions.ts';
import { orderBriefs } from './plan-schema.ts';

const dayMs = 24 * 3_600_000;
const remindAfterMs = 2 * dayMs;
const tellAfterMs = 4 * dayMs;
/** Most reminders of one run. */
const runLength = 25;

const ofBrief = eq(orders._id, orderBriefs.orderId);

/** A brief that has been awaited since before a time, of an order in progress. */
const isAwaited = (before: number) =>
  and(
    isNull(orderBriefs.sentAt),
    // In the words of the partial index, so that SQLite uses it.
    sql`${orderBriefs.isOver} = 0`,
    lt(orderBriefs.awaitedSince, before),
    // The unary plus keeps SQLite from searching an index on the orders for each of them.
    sql`+${orders.paymentStatus} = 'Paid'`,
    sql`+${orders.orderStatus} = 'Pending'`,
    briefAsks(orders.packageName),
  );

/** Reminds of briefs, once each. @param now time in ms */
export async function remindOfBriefs(
  env: Env,
  db: Database = openDatabase(env),
  now: number = Date.now(),
): Promise<void> {
  const due = await db
    .select({ order: orders, isReopened: isBriefReopened })
    .from(orderBriefs)
    .innerJoin(orders, ofBrief)
    .where(and(isAwaited(now - remindAfterMs), isNull(orderBriefs.remindedAt)))
    .orderBy(asc(orderBriefs.awaitedSince))
    .limit(runLength);
  for (const { order, isReopened } of due)
    await changeOrder(db, order, { kind: 'reminded', by: systemActor, set: {} }, [
      db.update(orderBriefs).set({ remindedAt: now }).where(eq(orderBriefs.orderId, order._id)),
      ...notifyCustomer({ db, env }, order, 'brief-reminder', (siteUrl, mailed) =>
        briefReminderMail(siteUrl, mailed, Boolean(isReopened)),
      ),
    ]);
}

/** The queries for briefs that need a person. @param now time in ms */
export function missingBriefs(db: Database, now: number) {
  const isMissing = and(isAwaited(now - tellAfterMs), gt(orderBriefs.awaitedSince, 0));
  return {
    count: db.select({ count: count() }).from(orderBriefs).innerJoin(orders, ofBrief).where(isMissing),
    first: ({ order, limit }: Slice) =>
      db
        .select({ order: orders, awaitedSince: orderBriefs.awaitedSince })
        .from(orderBriefs)
        .innerJoin(orders, ofBrief)
        .where(isMissing)
        .orderBy(order(orderBriefs.awaitedSince))
        .limit(limit),
  };
}

type MissingBrief = Awaited<ReturnType<ReturnType<typeof missingBriefs>['first']>>[number];

/** A brief as a line of what needs a person. */
export function missingBrief({ order, awaitedSince }: MissingBrief, now: number): AttentionLine {
  const since = awaitedSince ?? now;
  return {
    _id: order._id,
    kind: 'missingBrief',
    text: `The questions of order ${displayOrderNumber(order.number)} (${order.packageName}) have waited for their answers for ${counted(Math.floor((now - since) / dayMs), 'day')}. We have reminded the customer by email; call or write to them.`,
    orderId: order._id,
    time: since + tellAfterMs,
  };
}
