/** Counts everything that waits for the staff, in one batch. The cost does not grow with the number of orders. */
import { count, isNotNull } from 'drizzle-orm';
import { may } from '#contract/audience.ts';
import type { InboxCounts } from '#contract/customers.calls.ts';
import { readTogether, type Database } from '../db/client.ts';
import type { Env } from '../env.ts';
import { countQuery } from '../inbox/counts.ts';
import { messages } from '../inbox/schema.ts';
import { everybody } from '../orders/schema.ts';
import { totalsOf, totalsQuery } from '../orders/totals.ts';
import { attentionFor, countByKind, sumOf, type AttentionReader } from '../attention/attention.ts';

/** @param reader their own orders never count as unread for them (`listUnread`) */
export async function readInboxCounts(db: Database, env: Env, reader: AttentionReader): Promise<InboxCounts> {
  const kinds = attentionFor(db, env, Date.now(), { reader });
  const [rows, [unread], [answered], ...found] = await readTogether(db, [
    totalsQuery(db, everybody),
    countQuery(db, ['UnRead']),
    db.select({ count: count() }).from(messages).where(isNotNull(messages.newReplyAt)),
    ...kinds.map(({ count }) => count),
  ]);
  const totals = totalsOf(rows);
  const attention = countByKind(kinds, found);
  const seesOrders = may(reader, 'orders');
  const ifOrders = (total: number) => (seesOrders ? total : 0);
  return {
    attention: sumOf(attention),
    messages: may(reader, 'messages') ? (unread?.count ?? 0) + (answered?.count ?? 0) : 0,
    conversations: attention.get('unreadMessage') ?? 0,
    toDeliver: ifOrders(totals.awaitingDelivery),
    unpaid: ifOrders(totals.byPaymentStatus.UnPaid),
    orders: ifOrders(totals.orders),
  };
}
