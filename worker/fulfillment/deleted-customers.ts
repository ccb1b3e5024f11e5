/** Paid orders whose customer deleted their account before the delivery. Nobody can receive the work anymore. */
import { and, eq, sql } from 'drizzle-orm';
import { displayPrice } from '#contract/money.ts';
import { displayOrderNumber } from '#contract/orders.ts';
import { displayNameOf } from '#contract/packages.ts';
import type { Database } from '../db/client.ts';
import { attentionQueries } from '../operations/attention-line.ts';
import { orderEvents, orders } from '../orders/schema.ts';

export const ordersOfDeletedCustomers = (db: Database) =>
  attentionQueries(db, {
    rows: () =>
      db
        .select({ order: orders, at: orderEvents.at })
        .from(orders)
        .innerJoin(orderEvents, and(eq(orderEvents.orderId, orders._id), eq(orderEvents.kind, 'anonymized')))
        .where(
          and(
            // Repeats the partial index's condition so that SQLite uses the index.
            sql`${orders.customerEmail} = ''`,
            eq(orders.paymentStatus, 'Paid'),
            eq(orders.orderStatus, 'Pending'),
          ),
        )
        .$dynamic(),
    since: orderEvents.at,
    toLine: ({ order, at }) => ({
      _id: order._id,
      text: `The customer of order ${displayOrderNumber(order.number)} (${displayNameOf(order)}, ${displayPrice(order.priceCents - order.refundedCents)} paid) deleted their account before the order was delivered. Refund it, or mark it as delivered to close it.`,
      orderId: order._id,
      time: at,
    }),
  });
