/** How much waits for the staff, in counts that cost the same at any number of orders: one batch. */
import { and, eq, inArray, sql, type SQL } from 'drizzle-orm';
import { may } from '#contract/audience.ts';
import type { Waiting } from '#contract/customers.ts';
import { conversations } from '../conversations/schema.ts';
import { readTogether, type Database } from '../db/client.ts';
import type { Env } from '../env.ts';
import { countQuery } from '../inbox/counts.ts';
import { everybody, orders } from '../orders/schema.ts';
import { totalsOf, totalsQuery } from '../orders/totals.ts';
import { attentionCounts, sumOf, type AttentionReader } from '../payments/attention.ts';

/** How many conversations have messages that the staff has not read. @param condition only those for which it holds */
const countUnread = (db: Database, condition?: SQL) =>
  db
    .select({ count: sql<number>`count(*)` })
    .from(conversations)
    .where(and(sql`${conversations.fromCustomer} > ${conversations.readByStaff}`, condition));

/** @param reader whose own messages on their own orders are never unread for themselves (`listUnread`) */
export async function readWaiting(db: Database, env: Env, reader: AttentionReader): Promise<Waiting> {
  const own = db.select({ _id: orders._id }).from(orders).where(eq(orders.accountId, reader.id));
  const [rows, [messages], [unread], [ownUnread], ...attention] = await readTogether(db, [
    totalsQuery(db, everybody),
    countQuery(db, ['UnRead']),
    countUnread(db),
    countUnread(db, inArray(conversations.orderId, own)),
    ...attentionCounts(db, env, Date.now(), reader),
  ]);
  const totals = totalsOf(rows);
  const seesOrders = may(reader, 'orders');
  const ifOrders = (count: number) => (seesOrders ? count : 0);
  return {
    attention: sumOf(attention, reader),
    messages: may(reader, 'messages') ? (messages?.count ?? 0) : 0,
    conversations: ifOrders((unread?.count ?? 0) - (ownUnread?.count ?? 0)),
    toDeliver: ifOrders(totals.awaitingDelivery),
    unpaid: ifOrders(totals.byPaymentStatus.UnPaid),
    orders: ifOrders(totals.orders),
  };
}
