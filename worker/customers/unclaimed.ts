/**
 * Customers without an account: people for whose email an administrator has placed orders. They are known by their first
 * such order until they have verified the email in an account of theirs. There are few, and an index of their own, which
 * the queries must name, covers what lists read of them.
 */
import { and, desc, sql, type SQL } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { Customer } from '#contract/customers.ts';
import { timeOfId } from '#contract/ids.ts';
import type { Database } from '../db/client.ts';
import { wordsOf } from '../orders/customers.ts';
import { orders } from '../orders/schema.ts';

const unclaimedOrders = sql`${orders} INDEXED BY "orders_unclaimed"`;
/** In the words of the partial index. */
const isUnclaimed = sql`${orders.accountId} = '' AND ${orders.customerEmail} <> ''`;

const idLength = 36;

/** The query for all of them, the newest first. */
export const unclaimedCustomers = (db: Database) =>
  db
    .select({
      _id: sql<string>`min(${orders._id})`.as('firstOrder'),
      email: sql<string>`${orders.customerEmail}`,
      /** As the last order has it. */
      name: sql<string>`substr(max(${orders._id} || ${orders.customerName}), ${idLength + 1})`,
      orders: sql<number>`count(*)`,
    })
    .from(unclaimedOrders)
    .where(isUnclaimed)
    .groupBy(orders.customerEmail)
    .orderBy(sql`"firstOrder" DESC`);

export type UnclaimedCustomer = Awaited<ReturnType<typeof unclaimedCustomers>>[number];

/** The query for the orders of one of them, newest first; none for the id of anything else. */
export const ordersOfUnclaimed = (db: Database, id: string) =>
  db
    .select()
    .from(orders)
    .where(
      and(
        isUnclaimed,
        sql`${orders.customerEmail} = (SELECT "customerEmail" FROM ${orders} WHERE ${orders._id} = ${id})`,
        isUnclaimedCustomer(id),
      ),
    )
    .orderBy(desc(orders._id));

/** The id by which the customer of an order is known; null where they have an account. */
const firstUnclaimed = (id: string | SQLiteColumn): SQL<string | null> =>
  sql<string | null>`(SELECT min(ours."_id") FROM ${orders} AS ours
    JOIN ${orders} AS asked ON asked."customerEmail" = ours."customerEmail" AND asked."accountId" = ''
    WHERE asked."_id" = ${id} AND ours."accountId" = '' AND ours."customerEmail" <> '')`;

/** The id of an order's customer among the customers: of their account, or else by which they are known without one. */
export const customerIdOf = sql<
  string | null
>`coalesce(nullif(${orders.accountId}, ''), ${firstUnclaimed(orders._id)})`;

/** The condition that an id is that of one of them. */
export const isUnclaimedCustomer = (id: string): SQL => sql`${firstUnclaimed(id)} = ${id}`;

/** The query for what each of these has paid and not got back, in cents, by email. */
export const spentByUnclaimed = (db: Database, emails: readonly string[]) =>
  db
    .select({
      email: sql<string>`${orders.customerEmail}`,
      cents: sql<number>`sum(CASE WHEN ${orders.paymentStatus} = 'Paid' THEN ${orders.priceCents} - ${orders.refundedCents} ELSE 0 END)`,
    })
    .from(unclaimedOrders)
    .where(
      sql`${isUnclaimed} AND ${orders.customerEmail} IN (SELECT value FROM json_each(${JSON.stringify(emails)}))`,
    )
    .groupBy(orders.customerEmail);

/** One of them as a customer. */
export const shownUnclaimed = (customer: UnclaimedCustomer, spentCents: number): Customer => ({
  ...customer,
  hasAccount: false,
  emailVerified: false,
  since: new Date(timeOfId(customer._id)).toISOString(),
  spentCents,
});

/** Whether a search finds one of them: by the beginning of the email, or of each word in the name. */
export function isFound({ email, name }: UnclaimedCustomer, q: string): boolean {
  const asked = wordsOf(q);
  const words = wordsOf(name);
  return (
    email.startsWith(q.toLowerCase()) ||
    (!q.includes('@') &&
      asked.length > 0 &&
      asked.every((word) => words.some((known) => known.startsWith(word))))
  );
}
