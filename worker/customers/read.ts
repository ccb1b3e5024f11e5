/** Reads customers for the staff: lists and single records. No query here scans the orders. */
import { and, desc, eq, inArray, or, sql, sum, type SQL } from 'drizzle-orm';
import type { Customer, CustomerRecord } from '#contract/customers.calls.ts';
import { timeOfId } from '#contract/ids.ts';
import { maxPageSize } from '#contract/paging.ts';
import type { PageQuery } from '#contract/schemas.ts';
import { accounts } from '../accounts/schema.ts';
import { readTogether, type Database } from '../db/client.ts';
import { idsOnPage, readPage, type Page } from '../db/paging.ts';
import { notFound } from '../http/errors.ts';
import { messageOf } from '../inbox/messages.ts';
import { sentBy } from '../inbox/personal-data.ts';
import { messages } from '../inbox/schema.ts';
import { isUnclaimed } from '../orders/customers.ts';
import { wholeOrder } from '../orders/read.ts';
import { customerCounts, customers, orders, orderTotals, subscriptions } from '../orders/schema.ts';
import { isRenewing, nextCents } from '../payments/subscriptions.ts';
import { fullTextQuery } from './search-terms.ts';

/** The maximum number of orders and of messages in a customer's record. The lists show the rest. */
const newestOfCustomer = 20;

/**
 * A sum over a customer's orders. For an account, it comes from the running totals. A customer without an account has
 * few orders, so it comes from the orders.
 * @param ofTotals what to sum over the totals
 * @param ofOrders what to sum over the orders
 */
const sumOf = (ofTotals: SQL, ofOrders: SQL) =>
  sql<number>`coalesce(iif(${customers.hasAccount},
    (SELECT sum(${ofTotals}) FROM ${orderTotals} WHERE ${orderTotals.scope} = ${customers._id} AND ${orderTotals.day} = ''),
    (SELECT sum(${ofOrders}) FROM ${orders} WHERE ${isUnclaimed(customers.email)})), 0)`;

/** What a customer has paid minus refunds, in cents. */
const spentOf = (table: typeof orderTotals | typeof orders, cents: SQL) =>
  sql`iif(${table.paymentStatus} = 'Paid', ${cents} - ${table.refundedCents}, 0)`;

const customersQuery = (db: Database) =>
  db
    .select({
      _id: customers._id,
      hasAccount: customers.hasAccount,
      firstOrderId: customers.firstOrderId,
      name: customers.name,
      email: customers.email,
      company: customers.company,
      emailVerifiedAt: accounts.emailVerifiedAt,
      orders: sumOf(sql`${orderTotals.orders}`, sql`1`),
      spentCents: sumOf(
        spentOf(orderTotals, sql`${orderTotals.cents}`),
        spentOf(orders, sql`${orders.priceCents}`),
      ),
    })
    .from(customers)
    .leftJoin(accounts, eq(accounts.id, customers._id))
    .orderBy(desc(customers.sequence))
    .$dynamic();

type CustomerRow = Awaited<ReturnType<typeof customersQuery>>[number];

export const customerOf = ({ firstOrderId, emailVerifiedAt, ...row }: CustomerRow): Customer => ({
  ...row,
  emailVerified: emailVerifiedAt !== null,
  since: new Date(timeOfId(firstOrderId)).toISOString(),
});

export const customerSearchQuery = (db: Database, q: string, limit: number) =>
  customersQuery(db).where(
    sql`${customers.sequence} IN (SELECT rowid FROM customer_search WHERE customer_search MATCH ${fullTextQuery(q)} ORDER BY rowid DESC LIMIT ${limit})`,
  );

/** Reads one page of customers with the total. A search returns at most 100. */
export async function listCustomers(
  db: Database,
  { q, ...query }: PageQuery & { readonly q?: string | undefined },
): Promise<Page<Customer>> {
  if (q) {
    const found = await customerSearchQuery(db, q, maxPageSize);
    const from = (query.page - 1) * query.pageSize;
    return { total: found.length, rows: found.slice(from, from + query.pageSize).map(customerOf) };
  }
  const counted = db.select({ count: customerCounts.count }).from(customerCounts);
  const { total, rows } = await readPage(db, query, counted, (window) =>
    customersQuery(db).where(inArray(customers.sequence, idsOnPage(db, customers.sequence, window))),
  );
  return { total, rows: rows.map(customerOf) };
}

/** @throws ApiError 404 */
export async function readCustomer(db: Database, id: string): Promise<CustomerRecord> {
  // The email must come without a column's affinity, or SQLite could not use the index on senders. Only a verified
  // email proves who sent these messages.
  const verified = sql`(SELECT lower(${accounts.email}) FROM ${accounts} WHERE ${accounts.id} = ${id} AND ${accounts.emailVerifiedAt} IS NOT NULL)`;
  const withoutAccount = sql`(SELECT ${customers.email} FROM ${customers} WHERE ${customers._id} = ${id} AND NOT ${customers.hasAccount})`;
  const { phone, website } = accounts;
  const newestOrders = (condition: SQL) =>
    db.select().from(orders).where(condition).orderBy(desc(orders._id)).limit(newestOfCustomer);
  const [[found], [profile], ofAccount, unclaimed, sent, [monthly]] = await readTogether(db, [
    customersQuery(db).where(eq(customers._id, id)),
    db.select({ phone, website }).from(accounts).where(eq(accounts.id, id)),
    newestOrders(eq(orders.accountId, id)),
    newestOrders(isUnclaimed(withoutAccount)),
    db.select().from(messages).where(sentBy(verified)).orderBy(desc(messages._id)).limit(newestOfCustomer),
    db
      .select({ cents: sum(nextCents).mapWith(Number) })
      .from(subscriptions)
      .innerJoin(orders, eq(orders._id, subscriptions.firstOrderId))
      .where(and(or(eq(orders.accountId, id), isUnclaimed(withoutAccount)), isRenewing)),
  ]);
  if (!found) throw notFound('We could not find this customer.');
  return {
    ...customerOf(found),
    ...(profile ?? { phone: '', website: '' }),
    monthlyCents: monthly?.cents ?? 0,
    newestOrders: [...ofAccount, ...unclaimed].map(wholeOrder),
    messages: sent.map(messageOf),
  };
}
