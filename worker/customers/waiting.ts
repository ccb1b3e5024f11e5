/** How much waits for the staff, in counts that cost the same at any number of orders: one batch. */
import { sql } from 'drizzle-orm';
import type { Waiting } from '#contract/customers.ts';
import { conversations } from '../conversations/schema.ts';
import { readTogether, type Database } from '../db/client.ts';
import type { Env } from '../env.ts';
import { countQuery } from '../inbox/counts.ts';
import { everybody } from '../orders/schema.ts';
import { totalsOf, totalsQuery } from '../orders/totals.ts';
import { attentionCounts, sumOf } from '../payments/attention.ts';

export async function readWaiting(db: Database, env: Env): Promise<Waiting> {
  const [rows, [messages], [unread], ...attention] = await readTogether(db, [
    totalsQuery(db, everybody),
    countQuery(db, ['UnRead']),
    db
      .select({ count: sql<number>`count(*)` })
      .from(conversations)
      .where(sql`${conversations.fromCustomer} > ${conversations.readByStaff}`),
    ...attentionCounts(db, env, Date.now()),
  ]);
  const totals = totalsOf(rows);
  return {
    attention: sumOf(attention),
    messages: messages?.count ?? 0,
    conversations: unread?.count ?? 0,
    toDeliver: totals.awaitingDelivery,
    unpaid: totals.byPaymentStatus.UnPaid,
    orders: totals.orders,
  };
}
