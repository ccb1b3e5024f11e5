/**
 * Counts anew what a restored database keeps as running totals: a backup holds them as they were at another moment than
 * what they count.
 */
import { eq, gt, notExists, sql } from 'drizzle-orm';
import type { LibSQLDatabase } from 'drizzle-orm/libsql';
import { sourceName } from '#contract/source.ts';
import { accounts } from '#worker/accounts/schema.ts';
import { inboxCounts, messages, subscribers } from '#worker/inbox/schema.ts';
import {
  customerCounts,
  customers,
  customerWords,
  orders,
  orderTotals,
  sourceTotals,
} from '#worker/orders/schema.ts';

async function countOrders(db: LibSQLDatabase): Promise<void> {
  await db.delete(orderTotals);
  for (const [scope, day] of [
    [sql`'all'`, sql`''`],
    [sql`'all'`, sql`"orderDay"`],
    [sql`nullif("accountId", '')`, sql`''`],
  ])
    await db.run(sql`
      INSERT INTO ${orderTotals} ("scope", "day", "paymentStatus", "orderStatus", "orders", "cents", "refundedCents")
      SELECT ${scope}, ${day}, "paymentStatus", "orderStatus", count(*), sum("priceCents"), sum("refundedCents")
      FROM ${orders} WHERE ${scope} IS NOT NULL GROUP BY 1, 2, 3, 4`);
}

/** Messages of one read. */
const chunkLength = 500;

/** How many messages there are of each source. */
async function countMessages(db: LibSQLDatabase): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  let last = '';
  for (;;) {
    const { _id, source } = messages;
    const chunk = await db
      .select({ _id, source })
      .from(messages)
      .where(gt(_id, last))
      .orderBy(_id)
      .limit(chunkLength);
    for (const message of chunk) {
      const name = sourceName(message.source);
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    last = chunk.at(-1)?._id ?? last;
    if (chunk.length < chunkLength) return counts;
  }
}

/** Orders and sales by source are those of the orders. A message may have been deleted since it was counted, so its count only grows. */
async function countSources(db: LibSQLDatabase): Promise<void> {
  await db.update(sourceTotals).set({ orders: 0, paidOrders: 0, cents: 0 });
  await db.run(sql`
    INSERT INTO ${sourceTotals} ("source", "messages", "orders", "paidOrders", "cents")
    SELECT "sourceName", 0, count(*), sum("paymentStatus" = 'Paid'),
      sum(iif("paymentStatus" = 'Paid', "priceCents" - "refundedCents", 0))
    FROM ${orders} WHERE true GROUP BY "sourceName"
    ON CONFLICT ("source") DO UPDATE SET "orders" = excluded."orders", "paidOrders" = excluded."paidOrders", "cents" = excluded."cents"`);
  for (const [source, count] of await countMessages(db))
    await db
      .insert(sourceTotals)
      .values({ source, messages: count, orders: 0, paidOrders: 0, cents: 0 })
      .onConflictDoUpdate({
        target: sourceTotals.source,
        set: { messages: sql`max(${sourceTotals.messages}, ${count})` },
      });
}

/** Forgets customers whose account the backup does not have, and counts the others. */
async function countCustomers(db: LibSQLDatabase): Promise<void> {
  for (const table of [customers, customerWords])
    await db
      .delete(table)
      .where(
        notExists(db.select({ id: accounts.id }).from(accounts).where(eq(accounts.id, table.accountId))),
      );
  await db.delete(customerCounts);
  await db.run(
    sql`INSERT INTO ${customerCounts} ("scope", "count") SELECT 'all', count(*) FROM ${customers}`,
  );
}

async function countInbox(db: LibSQLDatabase): Promise<void> {
  await db.delete(inboxCounts);
  await db.run(
    sql`INSERT INTO ${inboxCounts} ("name", "count") SELECT "messageStatus", count(*) FROM ${messages} GROUP BY 1
      UNION ALL SELECT 'subscribers', count(*) FROM ${subscribers}`,
  );
}

/** Counts everything anew. It may be repeated. */
export async function countAnew(db: LibSQLDatabase): Promise<void> {
  await countOrders(db);
  await countSources(db);
  await countCustomers(db);
  await countInbox(db);
}
