/** Orders with customer messages that the staff has not read. */
import { and, eq, ne, sql } from 'drizzle-orm';
import { displayOrderNumber } from '#contract/orders.ts';
import type { Database } from '../db/client.ts';
import { orders } from '../orders/schema.ts';
import { attentionQueries } from '../operations/attention-line.ts';
import { conversations } from './conversation-schema.ts';

/** @param readerId the reader's account; people do not need to read their own messages */
export function unreadOrders(db: Database, readerId: string | undefined) {
  const isUnread = and(
    // Repeats the partial index's condition so that SQLite uses the index.
    sql`${conversations.fromCustomer} > ${conversations.readByStaff}`,
    readerId === undefined ? undefined : ne(orders.accountId, readerId),
  );
  return attentionQueries(db, {
    rows: () =>
      db
        .select({ orderId: orders._id, number: orders.number, lastAt: conversations.lastAt })
        .from(conversations)
        .innerJoin(orders, eq(orders._id, conversations.orderId))
        .where(isUnread)
        .$dynamic(),
    since: conversations.lastAt,
    toLine: ({ orderId, number, lastAt }) => ({
      _id: orderId,
      text: `The customer of order ${displayOrderNumber(number)} sent a message that nobody has read. Read it and reply on the order.`,
      orderId,
      time: lastAt,
    }),
  });
}
