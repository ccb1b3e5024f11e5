/** Briefs that we are waiting for. We remind the customer once and alert the staff later. */
import { and, asc, eq, gt, isNull, lt, sql } from 'drizzle-orm';
import { counted } from '#contract/counted.ts';
import { displayOrderNumber } from '#contract/orders.ts';
import { displayNameOf } from '#contract/packages.ts';
import { attentionQueries } from '../operations/attention-line.ts';
import type { Database } from '../db/client.ts';
import type { Env } from '../env.ts';
import { dayMs } from '../http/clock.ts';
import { changeOrder, systemActor } from '../orders/changes.ts';
import { notifyCustomer } from '../orders/notify.ts';
import { orders } from '../orders/schema.ts';
import { briefReminderMail } from './plan-mails.ts';
import { briefHasQuestions, isBriefReopened, wholeRefund } from './questions.ts';
import { orderBriefs } from './plan-schema.ts';

const remindAfterMs = 2 * dayMs;
const alertAfterMs = 4 * dayMs;
/** The maximum number of reminders that one run sends. */
const runLength = 25;

const ofBrief = eq(orders._id, orderBriefs.orderId);

/** The condition for a brief on an order in progress that we have awaited since before a time, in ms. */
export const isAwaited = (before: number) =>
  and(
    isNull(orderBriefs.sentAt),
    // Repeats the partial index's condition so that SQLite uses the index.
    sql`${orderBriefs.isOver} = 0`,
    lt(orderBriefs.awaitedSince, before),
    // The unary plus keeps SQLite from searching an index of the orders for each brief.
    sql`+${orders.paymentStatus} = 'Paid'`,
    sql`+${orders.orderStatus} = 'Pending'`,
    briefHasQuestions(orders.packageName),
    isNull(wholeRefund),
  );

/**
 * Sends a reminder for each brief that is due for one.
 * @param now time in ms
 */
export async function remindOfBriefs(env: Env, db: Database, now: number = Date.now()): Promise<void> {
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

/** @param now time in ms */
export function missingBriefs(db: Database, now: number) {
  const isMissing = and(isAwaited(now - alertAfterMs), gt(orderBriefs.awaitedSince, 0));
  return attentionQueries(db, {
    rows: () =>
      db
        .select({ order: orders, awaitedSince: orderBriefs.awaitedSince })
        .from(orderBriefs)
        .innerJoin(orders, ofBrief)
        .where(isMissing),
    since: orderBriefs.awaitedSince,
    toLine({ order, awaitedSince }) {
      const since = awaitedSince ?? now;
      return {
        _id: order._id,
        text: `The questions of order ${displayOrderNumber(order.number)} (${displayNameOf(order)}) have been waiting for answers for ${counted(Math.floor((now - since) / dayMs), 'day')}. We have reminded the customer by email; call or write to them.`,
        orderId: order._id,
        time: since + alertAfterMs,
      };
    },
  });
}
