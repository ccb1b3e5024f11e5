/**
 * Follows up on unpaid orders. The customer gets a reminder after a day. After some weeks we cancel the order, in
 * the same way that a customer would. For a delivered order the reminder comes a day after delivery, and we never
 * cancel it. Each cron run handles a few orders and retries failures in the next run.
 */
import { and, asc, eq, gt, gte, inArray, isNull, lt, ne, not, or, sql, type SQL } from 'drizzle-orm';
import { unpaidOrderDays } from '#contract/orders.ts';
import { firstIdAt } from '#contract/ids.ts';
import { hasRow } from '../db/has-row.ts';
import { dayMs } from '../http/clock.ts';
import { describeError } from '../http/log.ts';
import { changeOrder, systemActor } from '../orders/changes.ts';
import { orderReminderMail } from '../orders/mails.ts';
import { reminderTopic, notifyCustomer } from '../orders/notify.ts';
import { orderEvents, orders, type OrderRecord } from '../orders/schema.ts';
import { cancelOrder } from './cancel.ts';
import type { PaymentContext } from './context.ts';

const remindAfterMs = dayMs;
const cancelAfterMs = unpaidOrderDays * dayMs;
const runLength = 25;

/** Unpaid orders, oldest first. */
const findWaiting = (
  { db }: PaymentContext,
  orderStatus: OrderRecord['orderStatus'],
  condition: SQL | undefined,
): Promise<OrderRecord[]> =>
  db
    .select()
    .from(orders)
    .where(and(eq(orders.paymentStatus, 'UnPaid'), eq(orders.orderStatus, orderStatus), condition))
    .orderBy(asc(orders._id))
    .limit(runLength);

/** The condition that an order has an event to which other conditions apply. */
const hasEvent = (...conditions: readonly SQL[]): SQL =>
  hasRow(orderEvents, and(eq(orderEvents.orderId, orders._id), ...conditions));

/**
 * The condition that an order was delivered at least a day ago and its customer got no reminder since. Its work is
 * done, so it is never cancelled automatically.
 */
const isDeliveredSince = (now: number): SQL =>
  hasEvent(
    eq(orderEvents.kind, 'delivered'),
    lt(orderEvents.at, now - remindAfterMs),
    gt(orderEvents.at, sql`coalesce(${orders.remindedAt}, 0)`),
  );

async function remind(context: PaymentContext, now: number): Promise<void> {
  const { db } = context;
  const [waiting, delivered] = await Promise.all([
    findWaiting(
      context,
      'Pending',
      and(
        isNull(orders.remindedAt),
        lt(orders._id, firstIdAt(now - remindAfterMs)),
        gte(orders._id, firstIdAt(now - cancelAfterMs)),
      ),
    ),
    findWaiting(context, 'Delivered', and(ne(orders.customerEmail, ''), isDeliveredSince(now))),
  ]);
  for (const order of [...waiting, ...delivered])
    await changeOrder(db, order, { kind: 'reminded', by: systemActor, set: {} }, [
      db.update(orders).set({ remindedAt: now }).where(eq(orders._id, order._id)),
      ...notifyCustomer(context, order, 'order-reminder', orderReminderMail, {
        topic: reminderTopic(order._id),
      }),
    ]);
}

async function cancelExpired(context: PaymentContext, now: number): Promise<void> {
  const since = now - cancelAfterMs;
  // The wait restarts if a payment was withdrawn, or if work resumed after delivery.
  const isWaitingAnew = hasEvent(
    inArray(orderEvents.kind, ['paymentWithdrawn', 'reopened']),
    gt(orderEvents.at, since),
  );
  // An order placed while its customer's account was being deleted has no customer to wait for.
  const isAbandoned = eq(orders.customerEmail, '');
  const isOld = lt(orders._id, firstIdAt(since));
  const due = await findWaiting(context, 'Pending', and(or(isAbandoned, isOld), not(isWaitingAnew)));
  for (const { _id } of due) {
    try {
      await cancelOrder(context, _id, systemActor);
    } catch (error) {
      context.log('order.not-expired', { order: _id, ...describeError(error) });
    }
  }
}

/**
 * Sends reminders for unpaid orders and cancels those that are too old.
 * @param now time in ms
 */
export async function followUpUnpaidOrders(context: PaymentContext, now: number): Promise<void> {
  await remind(context, now);
  await cancelExpired(context, now);
}
