/**
 * Counts anew what a restored database keeps as running totals: a backup holds them as they were at another moment than
 * what they count.
 */
import { gt, sql } from 'drizzle-orm';
import type { LibSQLDatabase } from 'drizzle-orm/libsql';
import { sourceName } from '#contract/source.ts';
import { accounts } from '#worker/accounts/schema.ts';
import { inboxCounts, messages, subscribers } from '#worker/inbox/schema.ts';
import { customerCounts, customers, orders, orderTotals, sourceTotals } from '#worker/orders/schema.ts';

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

/** Makes the customers those of the orders, counts them, and indexes them for the search, which a backup leaves out. */
async function countCustomers(db: LibSQLDatabase): Promise<void> {
  const ofOrders = sql`
    SELECT iif("accountId" = '', min("_id"), "accountId") AS "_id", "accountId" <> '' AS "hasAccount",
      min("_id") AS "firstOrderId", "customerEmail" AS "email", substr(max("_id" || "customerName"), 37) AS "name"
    FROM ${orders}
    WHERE "customerEmail" <> '' AND ("accountId" = '' OR "accountId" IN (SELECT ${accounts.id} FROM ${accounts}))
    GROUP BY "accountId", "customerEmail" ORDER BY "firstOrderId"`;
  // Without this option the index would keep the words of deleted rows for a while (docs/decisions/customers.md).
  await db.run(sql`INSERT INTO customer_search (customer_search, rank) VALUES ('secure-delete', 1)`);
  await db.run(sql`INSERT INTO customer_search (customer_search) VALUES ('rebuild')`);
  await db.run(sql`DELETE FROM ${customers} WHERE "_id" NOT IN (SELECT "_id" FROM (${ofOrders}))`);
  await db.run(sql`
    INSERT INTO ${customers} ("_id", "hasAccount", "firstOrderId", "email", "name")
    SELECT * FROM (${ofOrders}) WHERE true ON CONFLICT ("_id") DO NOTHING`);
  await db.update(customerCounts).set({ count: sql`(SELECT count(*) FROM ${customers})` });
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
