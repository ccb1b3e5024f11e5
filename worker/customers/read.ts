/** Customers as the staff sees them: lists, searches and one whole. Nothing here walks the orders. */
import { and, asc, desc, eq, sql, type SQL } from 'drizzle-orm';
import {
  leastSearched,
  newestOfCustomer,
  type Customer,
  type CustomerRecord,
  type SearchResult,
} from '#contract/customers.ts';
import { isId } from '#contract/ids.ts';
import { parseOrderNumber } from '#contract/orders.ts';
import { maxPageSize, type PageQuery } from '#contract/paging.ts';
import { accounts } from '../accounts/schema.ts';
import { readTogether, type Database } from '../db/client.ts';
import { readPage } from '../db/paging.ts';
import { notFound } from '../http/errors.ts';
import { messageOf } from '../inbox/messages.ts';
import { sentBy } from '../inbox/personal-data.ts';
import { messages } from '../inbox/schema.ts';
import { wordsOf } from '../orders/customers.ts';
import { wholeOrder } from '../orders/read.ts';
import { customerCounts, customers, customerWords, orders, orderTotals } from '../orders/schema.ts';
import { customerNotes } from './schema.ts';

/** A sum over the running totals of an account. */
const totalOf = (what: SQL, condition: SQL = sql`1`) =>
  sql<number>`(SELECT coalesce(sum(${what}), 0) FROM ${orderTotals} WHERE ${orderTotals.scope} = ${accounts.id} AND ${orderTotals.day} = '' AND ${condition})`;

const customersQuery = (db: Database) =>
  db
    .select({
      _id: accounts.id,
      name: sql<string>`coalesce(${customers.name}, '')`,
      email: accounts.email,
      emailVerifiedAt: accounts.emailVerifiedAt,
      createdAt: accounts.createdAt,
      orders: totalOf(sql`${orderTotals.orders}`),
      spentCents: totalOf(
        sql`${orderTotals.cents} - ${orderTotals.refundedCents}`,
        sql`${orderTotals.paymentStatus} = 'Paid'`,
      ),
    })
    .from(accounts)
    .leftJoin(customers, eq(customers.accountId, accounts.id))
    .$dynamic();

type CustomerRow = Awaited<ReturnType<typeof customersQuery>>[number];

const customerOf = ({ emailVerifiedAt, createdAt, ...row }: CustomerRow): Customer => ({
  ...row,
  emailVerified: emailVerifiedAt !== null,
  since: new Date(createdAt).toISOString(),
});

/** Sorts after every text that begins with another. */
const lastLetter = '\u{10FFFF}';

/** A condition that an index answers, unlike `LIKE`. */
const begins = (column: SQL | typeof accounts.email, text: string): SQL =>
  sql`(${column} >= ${text} AND ${column} < ${text + lastLetter})`;

/** The customers whose email, or words of whose name, begin with what was typed. */
function matching(q: string): SQL {
  const byEmail = sql`SELECT ${accounts.id} FROM ${accounts} WHERE ${begins(accounts.email, q.toLowerCase())}`;
  const words = wordsOf(q);
  if (words.length === 0 || q.includes('@')) return sql`(${byEmail})`;
  const byWord = words.map(
    (word) =>
      sql`SELECT ${customerWords.accountId} FROM ${customerWords} WHERE ${begins(sql`${customerWords.word}`, word)}`,
  );
  return sql`(SELECT * FROM (${sql.join(byWord, sql` INTERSECT `)}) UNION ${byEmail})`;
}

/** The query for the customers that match, the newest account first. */
const foundQuery = (db: Database, q: string, limit: number) =>
  customersQuery(db)
    .where(sql`${customers.accountId} IN ${matching(q)}`)
    .orderBy(desc(customers.accountId))
    .limit(limit);

/** One page of the customers, and how many there are; of a search at most the newest 100. */
export async function listCustomers(
  db: Database,
  { q, ...query }: PageQuery & { readonly q?: string | undefined },
): Promise<{ total: number; customers: Customer[] }> {
  if (q) {
    const found = await foundQuery(db, q, maxPageSize);
    const from = (query.page - 1) * query.pageSize;
    return { total: found.length, customers: found.slice(from, from + query.pageSize).map(customerOf) };
  }
  const count = db
    .select({ count: sql<number>`coalesce(sum(${customerCounts.count}), 0)` })
    .from(customerCounts);
  const { total, rows } = await readPage(db, query, count, (window) => {
    const ids = db
      .select({ accountId: customers.accountId })
      .from(customers)
      .orderBy(window.isFromEnd ? asc(customers.accountId) : desc(customers.accountId))
      .limit(window.limit)
      .offset(window.offset);
    return customersQuery(db)
      .where(sql`${accounts.id} IN ${ids}`)
      .orderBy(desc(accounts.id));
  });
  return { total, customers: rows.map(customerOf) };
}

const notesQuery = (db: Database) =>
  db
    .select({ note: customerNotes, email: accounts.email })
    .from(customerNotes)
    .leftJoin(accounts, eq(accounts.id, customerNotes.accountId))
    .$dynamic();

/** @throws ApiError 404 */
export async function readCustomer(db: Database, id: string): Promise<CustomerRecord> {
  const email = sql`(SELECT ${accounts.email} FROM ${accounts} WHERE ${accounts.id} = ${id} AND ${accounts.emailVerifiedAt} IS NOT NULL)`;
  const [[found], newestOrders, sent, notes] = await readTogether(db, [
    customersQuery(db).where(eq(accounts.id, id)),
    db
      .select()
      .from(orders)
      .where(eq(orders.accountId, id))
      .orderBy(desc(orders._id))
      .limit(newestOfCustomer),
    db.select().from(messages).where(sentBy(email)).orderBy(desc(messages._id)).limit(newestOfCustomer),
    notesQuery(db)
      .where(eq(customerNotes.customerId, id))
      .orderBy(desc(customerNotes._id))
      .limit(maxPageSize),
  ]);
  if (!found) throw notFound('There is no such customer.');
  return {
    ...customerOf(found),
    newestOrders: newestOrders.map(wholeOrder),
    messages: sent.map(messageOf),
    notes: notes.map(({ note: { _id, text, at }, email: by }) => ({
      _id,
      text,
      at: new Date(at).toISOString(),
      by: by ?? '',
    })),
  };
}

/** Rows of each kind that a search shows. */
const mostShown = 8;

/** Orders that a search may name: by number or id, and of people without an account by their email or name. */
function foundOrders(db: Database, q: string) {
  const number = parseOrderNumber(q);
  const isUnclaimed = sql`${orders.accountId} = '' AND ${orders.customerEmail} <> ''`;
  const isSaid = sql`(${orders.customerEmail} LIKE ${`${q.replace(/[\\%_]/g, '\\$&')}%`} ESCAPE '\\' OR ${orders.customerName} LIKE ${`%${q.replace(/[\\%_]/g, '\\$&')}%`} ESCAPE '\\')`;
  const { _id, packageName, customerName } = orders;
  return db
    .select({ _id, number: orders.number, packageName, customerName })
    .from(orders)
    .where(
      number !== undefined
        ? eq(orders.number, number)
        : isId(q.toLowerCase())
          ? eq(orders._id, q.toLowerCase())
          : and(isUnclaimed, isSaid),
    )
    .orderBy(desc(orders._id))
    .limit(mostShown);
}

/** A few customers and orders for what somebody has typed. */
export async function search(db: Database, q: string): Promise<SearchResult> {
  if (q.length < leastSearched) return { customers: [], orders: [] };
  const [people, found] = await readTogether(db, [foundQuery(db, q, mostShown), foundOrders(db, q)]);
  return { customers: people.map(customerOf), orders: found };
}
