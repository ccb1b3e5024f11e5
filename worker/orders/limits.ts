/**
 * Limits on how many orders an account may place. They count the orders themselves, so repeated and failed submits do
 * not count. Neither do orders that staff placed for a customer.
 */
import { sql, type SQL } from 'drizzle-orm';
import { firstIdAt, timeOfId } from '#contract/ids.ts';
import type { Database } from '../db/client.ts';
import type { Env } from '../env.ts';
import { tooManyRequests } from '../http/errors.ts';
import { rateLimitFor, describeWait, type RateLimit } from '../limits/rate-limits.ts';
import { orderEvents, orders } from './schema.ts';

const placedThemselves = (accountId: string) => sql`
  SELECT ${orders._id} FROM ${orders} WHERE ${orders.accountId} = ${accountId} AND EXISTS (
    SELECT 1 FROM ${orderEvents} WHERE ${orderEvents.orderId} = ${orders._id}
    AND ${orderEvents.version} = 1 AND ${orderEvents.role} = 'customer')`;

/**
 * A query for the order that uses up a rate limit: the `max`th newest one. It finds none if the limit is not used up.
 */
const limitingOrder = (matching: SQL, { max }: RateLimit) =>
  sql`${matching} ORDER BY ${orders._id} DESC LIMIT 1 OFFSET ${max - 1}`;

/**
 * The limits on an account's orders.
 * @returns `isWithin` is the condition for the batch that places an order. `refuse` takes the result of
 *   `limitingOrdersQuery` and says in advance why the batch would fail.
 */
export function orderLimits(db: Database, env: Env, accountId: string, now: number) {
  const unpaid = rateLimitFor(env, 'unpaidOrders', accountId);
  const hourly = rateLimitFor(env, 'ordersAccount', accountId);
  const own = placedThemselves(accountId);
  const lastUnpaid = limitingOrder(sql`${own} AND ${orders.paymentStatus} = 'UnPaid'`, unpaid);
  const lastOfHour = limitingOrder(
    sql`${own} AND ${orders._id} >= ${firstIdAt(now - hourly.windowMs)}`,
    hourly,
  );
  const secondsUntil = (id: string, { windowMs }: RateLimit) =>
    Math.max(1, Math.ceil((timeOfId(id) + windowMs - now) / 1_000));

  return {
    isWithin: sql`NOT EXISTS (${lastUnpaid}) AND NOT EXISTS (${lastOfHour})`,

    limitingOrdersQuery: db
      .select({ unpaid: sql<string | null>`(${lastUnpaid})`, hourly: sql<string | null>`(${lastOfHour})` })
      .from(sql`(SELECT 1)`),

    /**
     * Rejects an order that is over a limit.
     * @param found the result of `limitingOrdersQuery`
     * @throws ApiError 429 with Retry-After
     */
    refuse(found: { readonly unpaid: string | null; readonly hourly: string | null }): void {
      if (found.unpaid !== null)
        throw tooManyRequests(
          `You have ${String(unpaid.max)} unpaid orders. Pay for one of them, or cancel one that you no longer want, then place this order.`,
          secondsUntil(found.unpaid, unpaid),
        );
      if (found.hourly === null) return;
      const seconds = secondsUntil(found.hourly, hourly);
      throw tooManyRequests(
        `You have placed ${String(hourly.max)} orders within an hour. Please wait ${describeWait(seconds)}, then place this order.`,
        seconds,
      );
    },
  };
}
