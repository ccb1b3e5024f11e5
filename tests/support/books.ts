/**
 * Checks that ledger, payments, refunds, orders and running totals agree with each other and with Stripe, to the cent.
 */
import { sql, type SQL } from 'drizzle-orm';
import { SQLiteSyncDialect } from 'drizzle-orm/sqlite-core';
import type Stripe from 'stripe';
import type { Database } from '#worker/db/client.ts';
import { orders, orderTotals, sourceTotals } from '#worker/orders/schema.ts';
import { ledger, payments, refunds } from '#worker/payments/schema.ts';

/** Faults, each with a query that finds it. */
const rules: readonly (readonly [fault: string, query: SQL])[] = [
  [
    'A gap in the ledger, or a balance that is not the sum of what came before',
    sql`SELECT * FROM (
      SELECT "sequence", "balanceCents", sum("amountCents") OVER so_far AS added, row_number() OVER so_far AS place
      FROM ${ledger} WINDOW so_far AS (ORDER BY "sequence")
    ) WHERE "balanceCents" <> added OR "sequence" <> place`,
  ],
  [
    'An order whose payments and refunds are not those of the ledger',
    sql`SELECT "orderId", sum(cents) AS difference FROM (
      SELECT "orderId", "amountCents" AS cents FROM ${payments} WHERE "outcome" <> 'withdrawn'
      UNION ALL SELECT "orderId", -"amountCents" FROM ${refunds}
        WHERE "status" = 'succeeded' OR ("status" = 'pending' AND "refundId" IS NOT NULL)
      UNION ALL SELECT "orderId", -"amountCents" FROM ${ledger} WHERE "kind" NOT LIKE 'dispute%' AND "kind" <> 'fee'
    ) GROUP BY "orderId" HAVING difference <> 0`,
  ],
  [
    'An order that does not say what was paid and returned',
    sql`SELECT * FROM (
      SELECT "_id", "paymentStatus", "priceCents", "refundedCents",
        (SELECT count(*) FROM ${payments} WHERE "orderId" = ${orders._id} AND "outcome" = 'settled') AS paid,
        (SELECT coalesce(sum(r."amountCents"), 0) FROM ${refunds} r JOIN ${payments} p ON p."_id" = r."paymentId"
          WHERE p."orderId" = ${orders._id} AND p."outcome" = 'settled' AND r."status" = 'succeeded') AS returned
      FROM ${orders} WHERE "paymentStatus" IN ('Paid', 'Refunded') OR ${orders._id} IN (SELECT "orderId" FROM ${payments})
    ) WHERE "refundedCents" <> returned OR paid <> ("paymentStatus" IN ('Paid', 'Refunded'))
      OR ("paymentStatus" = 'Refunded') <> (paid AND returned >= "priceCents")`,
  ],
  [
    'A payment of which more was returned than came',
    sql`SELECT p."_id" FROM ${payments} p JOIN ${refunds} r ON r."paymentId" = p."_id"
      WHERE r."status" IN ('pending', 'succeeded') GROUP BY p."_id" HAVING sum(r."amountCents") > p."amountCents"`,
  ],
  [
    'Running totals that are not those of the orders',
    sql`SELECT scope, day, ps, os, sum(orders), sum(cents), sum(refunded) FROM (
      SELECT "scope" AS scope, "day" AS day, "paymentStatus" AS ps, "orderStatus" AS os, "orders" AS orders,
        "cents" AS cents, "refundedCents" AS refunded FROM ${orderTotals}
      UNION ALL SELECT 'all', '', "paymentStatus", "orderStatus", -1, -"priceCents", -"refundedCents" FROM ${orders}
      UNION ALL SELECT 'all', "orderDay", "paymentStatus", "orderStatus", -1, -"priceCents", -"refundedCents" FROM ${orders}
      UNION ALL SELECT "accountId", '', "paymentStatus", "orderStatus", -1, -"priceCents", -"refundedCents" FROM ${orders}
        WHERE "accountId" <> ''
    ) GROUP BY scope, day, ps, os HAVING sum(orders) <> 0 OR sum(cents) <> 0 OR sum(refunded) <> 0`,
  ],
  [
    'Sales by source that are not those of the orders',
    sql`SELECT source, sum(orders), sum(paid), sum(cents) FROM (
      SELECT "source" AS source, "orders" AS orders, "paidOrders" AS paid, "cents" AS cents FROM ${sourceTotals}
      UNION ALL SELECT "sourceName", -1, -("paymentStatus" = 'Paid'),
        -iif("paymentStatus" = 'Paid', "priceCents" - "refundedCents", 0) FROM ${orders}
    ) GROUP BY source HAVING sum(orders) <> 0 OR sum(paid) <> 0 OR sum(cents) <> 0`,
  ],
];

const dialect = new SQLiteSyncDialect();

/** Finds what does not add up in the database. Others may write at the same time. */
export async function findBookFaults(db: Database): Promise<string[]> {
  const results = await db.$client.batch(
    rules.map(([, query]) => dialect.sqlToQuery(query).sql),
    'read',
  );
  return results.flatMap(({ rows }, index) =>
    rows.map((row) => `${rules[index]?.[0] ?? ''}: ${JSON.stringify(row)}`),
  );
}

/** All items of a Stripe list. The client's own helper stops at 10,000. */
export async function listAll<T>(list: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of list) all.push(item);
  return all;
}

interface Booked {
  readonly amount: number;
  readonly fee: number;
}

/** What each intent, refund and dispute moved at Stripe, and what it cost, in cents, by its id in the ledger. */
async function readStripeBooks(
  stripe: Stripe,
  orderIds: ReadonlySet<string>,
  intentIds: ReadonlySet<string>,
): Promise<Map<string, Booked>> {
  const all = { limit: 100 };
  const [charges, refundsThere, disputes, entries] = await Promise.all([
    listAll(stripe.charges.list(all)),
    listAll(stripe.refunds.list(all)),
    listAll(stripe.disputes.list(all)),
    listAll(stripe.balanceTransactions.list(all)),
  ]);
  const idOf = (object: string | { readonly id: string } | null) =>
    (typeof object === 'string' ? object : object?.id) ?? '';
  // The payment of a subscription's renewal does not name its order.
  const own = charges.filter(
    ({ metadata, payment_intent }) =>
      orderIds.has(metadata['orderId'] ?? '') || intentIds.has(idOf(payment_intent)),
  );
  const ownIds = new Set(own.map(({ id }) => id));
  const names = new Map([
    ...own.map(({ id, payment_intent }) => [id, idOf(payment_intent)] as const),
    ...[...refundsThere, ...disputes]
      .filter(({ charge }) => ownIds.has(idOf(charge)))
      .map(({ id }) => [id, id] as const),
  ]);
  const books = new Map<string, Booked>();
  for (const { source, amount, fee } of entries) {
    const name = names.get(idOf(source));
    const before = books.get(name ?? '') ?? { amount: 0, fee: 0 };
    if (name !== undefined) books.set(name, { amount: before.amount + amount, fee: before.fee + fee });
  }
  return books;
}

/** Finds differences between the ledger and Stripe's books. Call it when nothing is in progress. */
export async function findStripeFaults(db: Database, stripe: Stripe): Promise<string[]> {
  const orderIds = new Set((await db.select({ _id: orders._id }).from(orders)).map(({ _id }) => _id));
  const paid = await db.select({ id: payments.paymentIntentId }).from(payments);
  const books = await readStripeBooks(stripe, orderIds, new Set(paid.map(({ id }) => id ?? '')));
  const kept = new Map<string, Booked>();
  for (const { orderId, stripeId, kind, amountCents } of await db.select().from(ledger)) {
    if (stripeId === '' || !orderIds.has(orderId)) continue;
    const { amount, fee } = kept.get(stripeId) ?? { amount: 0, fee: 0 };
    kept.set(
      stripeId,
      kind === 'fee' ? { amount, fee: fee - amountCents } : { amount: amount + amountCents, fee },
    );
  }
  const none: Booked = { amount: 0, fee: 0 };
  return [...new Set([...books.keys(), ...kept.keys()])].flatMap((id) => {
    const [ours, theirs] = [kept.get(id) ?? none, books.get(id) ?? none];
    // Some of Stripe's responses do not contain the fee.
    const isRight = ours.amount === theirs.amount && (ours.fee === 0 || ours.fee === theirs.fee);
    return isRight
      ? []
      : [`${id}: ${JSON.stringify(ours)} in the ledger, ${JSON.stringify(theirs)} at Stripe`];
  });
}
