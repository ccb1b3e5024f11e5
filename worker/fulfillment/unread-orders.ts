/** Orders whose customers have written what nobody has read: a person reads and answers it. */
import { and, count, eq, ne, sql } from 'drizzle-orm';
import { displayOrderNumber } from '#contract/orders.ts';
import type { Slice } from '../db/paging.ts';
import type { Database } from '../db/client.ts';
import { orders } from '../orders/schema.ts';
import type { AttentionLine } from '../operations/attention-line.ts';
import { conversations } from './conversation-schema.ts';

/** The queries for them. @param readerId the account of the reader, who need not read what they wrote themselves */
export function unreadOrders(db: Database, readerId: string | undefined) {
  const isUnread = and(
    // In the words of the partial index, so that SQLite uses it.
    sql`${conversations.fromCustomer} > ${conversations.readByStaff}`,
    readerId === undefined ? undefined : ne(orders.accountId, readerId),
  );
  const ofConversation = eq(orders._id, conversations.orderId);
  return {
    count: db
      .select({ count: count() })
      .from(conversations)
      .innerJoin(orders, ofConversation)
      .where(isUnread),
    first: ({ order, limit }: Slice) =>
      db
        .select({ orderId: orders._id, number: orders.number, lastAt: conversations.lastAt })
        .from(conversations)
        .innerJoin(orders, ofConversation)
        .where(isUnread)
        .orderBy(order(conversations.lastAt))
        .limit(limit),
  };
}

type UnreadOrder = Awaited<ReturnType<ReturnType<typeof unreadOrders>['first']>>[number];

/** One of them as a line of what needs a person. */
export const unreadOrder = ({ orderId, number, lastAt }: UnreadOrder): AttentionLine => ({
  _id: orderId,
  kind: 'unreadMessage',
  text: `The customer of order ${displayOrderNumber(number)} has written, and nobody has read it. Read and answer it on the order.`,
  orderId,
  time: lastAt,
});
