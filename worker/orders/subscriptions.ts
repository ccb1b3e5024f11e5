/** The part of subscriptions that belongs to placing an order. `payments/` starts and renews them at Stripe. */
import { and, eq, isNull, ne, notExists, or, sql } from 'drizzle-orm';
import { assert } from '../db/assert.ts';
import type { Database, Statement } from '../db/client.ts';
import { conflict, type ApiError } from '../http/errors.ts';
import { orders, subscriptions, type NewOrderRecord, type OrderRecord } from './schema.ts';

/**
 * The query for a customer's subscription to a package, if they have one that has not ended. A customer is an account, or
 * an email for which staff placed the order.
 */
export const liveSubscriptionQuery = (
  db: Database,
  order: Pick<NewOrderRecord, 'accountId' | 'customerEmail' | 'packageName'>,
) =>
  db
    .select({ status: subscriptions.status })
    .from(subscriptions)
    .innerJoin(orders, eq(orders._id, subscriptions.firstOrderId))
    .where(
      and(
        or(
          and(eq(orders.accountId, order.accountId), ne(orders.accountId, '')),
          and(eq(orders.customerEmail, order.customerEmail), ne(orders.customerEmail, '')),
        ),
        eq(subscriptions.packageName, order.packageName),
        isNull(subscriptions.endedAt),
      ),
    );

/** The 409 for a second subscription to a package. It keeps customers from paying twice a month by mistake. */
export const subscribedAlready = ({ status }: { readonly status: string }): ApiError =>
  conflict(
    ['new', 'incomplete'].includes(status)
      ? 'You have already ordered this monthly package, and that order is not paid yet. Pay for it, or cancel it first.'
      : 'You already pay for this package every month. You can find it on your dashboard.',
  );

/**
 * The statements that create the subscription of a new order, for the batch that places it; none if the order is paid
 * once.
 * @param discountCents the coupon's discount on renewals, in cents
 */
export const insertSubscription = (
  db: Database,
  order: NewOrderRecord,
  discountCents: number,
): Statement[] =>
  order.subscriptionId === null
    ? []
    : [
        assert(db, notExists(liveSubscriptionQuery(db, order))),
        db.insert(subscriptions).values({
          _id: order.subscriptionId,
          firstOrderId: order._id,
          packageName: order.packageName,
          priceCents: order.priceCents + order.discountCents,
          discountCents,
        }),
      ];

/** The statement that ends a subscription whose first order is cancelled, for the batch that cancels it. */
export const endUnpaidSubscription = (db: Database, { _id }: Pick<OrderRecord, '_id'>): Statement =>
  db
    .update(subscriptions)
    // The new version keeps a concurrent sync, which read the subscription earlier, from reviving it.
    .set({ endedAt: Date.now(), checkAt: null, version: sql`${subscriptions.version} + 1` })
    .where(and(eq(subscriptions.firstOrderId, _id), isNull(subscriptions.startedAt)));
