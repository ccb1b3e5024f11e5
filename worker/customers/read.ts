/** Customers for the staff: lists, searches and single records. No query here scans the orders. */
import { desc, eq, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
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
import { idsOnPage, type Page, type PageWindow } from '../db/paging.ts';
import { notFound } from '../http/errors.ts';
import { messageOf } from '../inbox/messages.ts';
import { sentBy } from '../inbox/personal-data.ts';
import { messages } from '../inbox/schema.ts';
import { phraseOf, wordsOf } from '../orders/customers.ts';
import { wholeOrder } from '../orders/read.ts';
import {
  customerCounts,
  customers,
  customerWords,
  orders,
  orderTotals,
  type OrderRecord,
} from '../orders/schema.ts';
import {
  isFound,
  ordersOfUnclaimed,
  shownUnclaimed,
  spentByUnclaimed,
  unclaimedCustomers,
  type UnclaimedCustomer,
} from './unclaimed.ts';
import { beginsWith, holdsText } from '../db/like.ts';

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
  hasAccount: true,
  emailVerified: emailVerifiedAt !== null,
  since: new Date(createdAt).toISOString(),
});

/** Sorts after every text that begins with another. */
const lastLetter = '\u{10FFFF}';

/** A condition that an index answers, unlike `LIKE`. */
const begins = (column: SQLWrapper, text: string): SQL =>
  sql`(${column} >= ${text} AND ${column} < ${text + lastLetter})`;

const { word: wordColumn, accountId: accountColumn } = customerWords;

/**
 * A first pass reads only the newest `limit / sampledFor` customers of each matching word, to learn how far back the
 * result can reach at most.
 */
const sampledFor = 25;

/**
 * The newest customers with a word in their name that begins with the text. Many people share a word, so the matching
 * words are visited one by one, each by an index look-up for its newest customers: the cost grows with the number of
 * words, not of people. If the newest of all words are already enough, older customers are not examined.
 */
function ofOneWord(word: string, limit: number): SQL {
  const first = sql`(SELECT min(${wordColumn}) FROM ${customerWords} WHERE ${begins(wordColumn, word)})`;
  // A single lower bound: given two, SQLite might use the weaker one.
  const next = sql`(SELECT min(${wordColumn}) FROM ${customerWords} WHERE ${wordColumn} > walked.word AND ${wordColumn} < ${word + lastLetter})`;
  const newest = (most: number, condition: SQL) =>
    sql`FROM walked CROSS JOIN ${customerWords} WHERE ${wordColumn} = walked.word AND ${accountColumn} IN
      (SELECT ${accountColumn} FROM ${customerWords} WHERE ${wordColumn} = walked.word AND ${condition} ORDER BY ${accountColumn} DESC LIMIT ${most})`;
  return sql`
    WITH RECURSIVE walked(word) AS MATERIALIZED (
      SELECT ${first} UNION ALL SELECT ${next} FROM walked WHERE walked.word IS NOT NULL
    ), sampled(id) AS MATERIALIZED (
      SELECT DISTINCT ${accountColumn} ${newest(Math.ceil(limit / sampledFor), sql`1`)}
    ), oldest(id) AS MATERIALIZED (
      SELECT coalesce((SELECT id FROM sampled ORDER BY id DESC LIMIT 1 OFFSET ${limit - 1}), '')
    ) SELECT ${accountColumn} ${newest(limit, sql`${accountColumn} >= (SELECT id FROM oldest)`)}`;
}

/** Up to how many names with a matching word are examined one by one. */
const fewNames = 1_000;
/** How many words of a search are looked up: each of them is compared with all others. */
const mostWords = 6;
/** How many of the newest customers are examined if every word is common. */
const mostWalked = 20_000;

/**
 * Customers whose names match all of these words. If one word is rare, its customers are examined; if all are common,
 * the result is the customers whose whole name begins with the text, and matches among the newest customers.
 */
function ofSeveralWords(words: readonly string[], limit: number): SQL {
  const isRare = (word: string) =>
    sql`(SELECT count(*) FROM (SELECT 1 FROM ${customerWords} WHERE ${begins(wordColumn, word)} LIMIT ${fewNames})) < ${fewNames}`;
  const hasAll = (accountId: SQLWrapper, asked: readonly string[]) =>
    sql.join(
      asked.map(
        (word) =>
          sql`EXISTS (SELECT 1 FROM ${customerWords} AS other INDEXED BY "customer_words_account" WHERE other."accountId" = ${accountId} AND ${begins(sql`other."word"`, word)})`,
      ),
      sql` AND `,
    );
  const ofRare = words.map((word) => {
    const others = words.filter((other) => other !== word);
    return sql`SELECT ${accountColumn} FROM ${customerWords} WHERE ${isRare(word)} AND ${begins(wordColumn, word)} AND ${hasAll(accountColumn, others)}`;
  });
  const newest = sql`(SELECT ${customers.accountId} FROM ${customers} ORDER BY ${customers.accountId} DESC LIMIT ${mostWalked}) AS newest`;
  const areCommon = sql`NOT (${sql.join(words.map(isRare), sql` OR `)})`;
  const ofCommon = sql`SELECT * FROM (SELECT newest."accountId" FROM ${newest} WHERE ${areCommon} AND ${hasAll(sql`newest."accountId"`, words)} LIMIT ${limit})`;
  const ofWhole = sql`SELECT * FROM (${ofOneWord(phraseOf(words), limit)})`;
  return sql.join([...ofRare, ofWhole, ofCommon], sql` UNION `);
}

/**
 * The ids of customers whose email, or words of whose name, begin with the text; if there are many, the newest by name
 * and the newest by email.
 */
function matching(q: string, limit: number): SQL {
  const email = q.toLowerCase();
  const byEmail = sql`SELECT ${customers.accountId} FROM ${accounts} CROSS JOIN ${customers} ON ${customers.accountId} = ${accounts.id} WHERE ${begins(accounts.email, email)} LIMIT ${limit}`;
  const words = q.includes('@') ? [] : wordsOf(q).slice(0, mostWords);
  const [first, second] = words;
  const byName =
    first === undefined
      ? undefined
      : second === undefined
        ? ofOneWord(first, limit)
        : ofSeveralWords(words, limit);
  const all = byName
    ? sql`SELECT * FROM (${byName}) UNION SELECT * FROM (${byEmail})`
    : sql`SELECT * FROM (${byEmail})`;
  return sql`(SELECT "accountId" FROM (${all}) ORDER BY 1 DESC LIMIT ${limit})`;
}

/** The query for customers that match, the newest account first. */
const foundQuery = (db: Database, q: string, limit: number) =>
  customersQuery(db)
    .where(sql`${accounts.id} IN ${matching(q, limit)}`)
    .orderBy(desc(accounts.id));

/** These customers without an account, with what they have spent. */
async function withSpent(db: Database, found: readonly UnclaimedCustomer[]): Promise<Customer[]> {
  if (found.length === 0) return [];
  const spent = await spentByUnclaimed(
    db,
    found.map(({ email }) => email),
  );
  const centsOf = new Map(spent.map(({ email, cents }) => [email, cents]));
  return found.map((customer) => shownUnclaimed(customer, centsOf.get(customer.email) ?? 0));
}

/** How many rows a page may skip before it pays to ask first how long the list is. */
const mostSkipped = 1_000;

/** The query for customers with an account on a page. */
const pageOfAccounts = (db: Database, window: PageWindow) =>
  customersQuery(db)
    .where(sql`${accounts.id} IN ${idsOnPage(db, customers.accountId, window)}`)
    .orderBy(desc(accounts.id));

const newestFirst = (customers: readonly Customer[]): Customer[] =>
  [...customers].sort((one, other) => (one._id < other._id ? 1 : -1));

/**
 * A page of those with an account and those without. The few without push the others back by their number at most, so
 * no more than that many rows before the page are read.
 * @param counted how many have an account
 */
async function readMerged(
  db: Database,
  { page, pageSize }: PageQuery,
  counted: number,
  unclaimed: readonly UnclaimedCustomer[],
): Promise<Customer[]> {
  const offset = (page - 1) * pageSize;
  const from = Math.max(0, offset - unclaimed.length);
  const limit = Math.min(offset + pageSize, counted) - from;
  const isFromEnd = from > counted / 2;
  const window = { limit, isFromEnd, offset: isFromEnd ? counted - from - limit : from };
  const rows = limit <= 0 ? [] : await pageOfAccounts(db, window);
  const first = rows[0]?._id;
  // Those before the first row that was read are on earlier pages, as are the rows that were skipped.
  const before = from === 0 || first === undefined ? [] : unclaimed.filter(({ _id }) => _id > first);
  const others = unclaimed.slice(before.length);
  const skipped = offset - (rows.length === 0 ? counted : from) - before.length;
  const ids = newestFirst([...rows.map(customerOf), ...others.map((one) => shownUnclaimed(one, 0))]);
  const shown = ids.slice(Math.max(0, skipped), Math.max(0, skipped) + pageSize);
  const spent = await withSpent(
    db,
    others.filter(({ _id }) => shown.some((one) => one._id === _id)),
  );
  return shown.map((one) => spent.find(({ _id }) => _id === one._id) ?? one);
}

/** One page of the customers, and how many there are; of a search at most 100. */
export async function listCustomers(
  db: Database,
  { q, ...query }: PageQuery & { readonly q?: string | undefined },
): Promise<Page<Customer>> {
  if (q) {
    const [found, without] = await readTogether(db, [foundQuery(db, q, maxPageSize), unclaimedCustomers(db)]);
    const others = without.filter((customer) => isFound(customer, q)).slice(0, maxPageSize);
    const all = newestFirst([...found.map(customerOf), ...(await withSpent(db, others))]);
    const most = all.slice(0, maxPageSize);
    const from = (query.page - 1) * query.pageSize;
    return { total: most.length, rows: most.slice(from, from + query.pageSize) };
  }
  const offset = (query.page - 1) * query.pageSize;
  const isNear = offset <= mostSkipped;
  const first = { offset, limit: isNear ? query.pageSize : 0, isFromEnd: false };
  const [[counted], unclaimed, rows] = await readTogether(db, [
    db.select({ count: sql<number>`coalesce(sum(${customerCounts.count}), 0)` }).from(customerCounts),
    unclaimedCustomers(db),
    pageOfAccounts(db, first),
  ]);
  const total = counted?.count ?? 0;
  return {
    total: total + unclaimed.length,
    rows:
      isNear && unclaimed.length === 0 ? rows.map(customerOf) : await readMerged(db, query, total, unclaimed),
  };
}

/** @throws ApiError 404 */
export async function readCustomer(db: Database, id: string): Promise<CustomerRecord> {
  // The affinity of a column would prevent the use of the index on the senders.
  const email = sql`(SELECT lower(${accounts.email}) FROM ${accounts} WHERE ${accounts.id} = ${id} AND ${accounts.emailVerifiedAt} IS NOT NULL)`;
  const { company, phone, website } = accounts;
  const [[found], [profile], newestOrders, sent, unclaimed] = await readTogether(db, [
    customersQuery(db).where(eq(accounts.id, id)),
    db.select({ company, phone, website }).from(accounts).where(eq(accounts.id, id)),
    db
      .select()
      .from(orders)
      .where(eq(orders.accountId, id))
      .orderBy(desc(orders._id))
      .limit(newestOfCustomer),
    db.select().from(messages).where(sentBy(email)).orderBy(desc(messages._id)).limit(newestOfCustomer),
    ordersOfUnclaimed(db, id),
  ]);
  if (!found || !profile) return readUnclaimed(id, unclaimed);
  return {
    ...customerOf(found),
    ...profile,
    newestOrders: newestOrders.map(wholeOrder),
    messages: sent.map(messageOf),
  };
}

/** Somebody without an account. @param theirs all of their orders, newest first @throws ApiError 404 there are none */
function readUnclaimed(id: string, theirs: readonly OrderRecord[]): CustomerRecord {
  const [last] = theirs;
  if (!last) throw notFound('There is no such customer.');
  const { customerEmail: email, customerName: name } = last;
  const paid = theirs.filter(({ paymentStatus }) => paymentStatus === 'Paid');
  const spentCents = paid.reduce((sum, { priceCents, refundedCents }) => sum + priceCents - refundedCents, 0);
  return {
    ...shownUnclaimed({ _id: id, email, name, orders: theirs.length }, spentCents),
    company: last.customerCompany,
    phone: '',
    website: '',
    newestOrders: theirs.slice(0, newestOfCustomer).map(wholeOrder),
    // Nobody has verified the email, so nobody knows whose messages they are.
    messages: [],
  };
}

/** Rows of each kind that a search shows. */
const mostShown = 8;

/**
 * The ids of orders of people without an account, by their email or name. There are few, and they have an index of
 * their own, which the query must name: SQLite would prefer the index on an account's orders.
 */
const unclaimed = (q: string): SQL =>
  sql`(SELECT ${orders._id} FROM ${orders} INDEXED BY "orders_unclaimed"
    WHERE ${orders.accountId} = '' AND ${orders.customerEmail} <> ''
      AND (${beginsWith(orders.customerEmail, q)} OR ${holdsText(orders.customerName, q)})
    ORDER BY ${orders._id} DESC LIMIT ${mostShown})`;

/** Orders that a search may name: by number or id, and of people without an account by their email or name. */
function foundOrders(db: Database, q: string) {
  const number = parseOrderNumber(q);
  const { _id, packageName, customerName } = orders;
  return db
    .select({ _id, number: orders.number, packageName, customerName })
    .from(orders)
    .where(
      number !== undefined
        ? eq(orders.number, number)
        : isId(q.toLowerCase())
          ? eq(orders._id, q.toLowerCase())
          : sql`${orders._id} IN ${unclaimed(q)}`,
    )
    .orderBy(desc(orders._id));
}

/** A few customers and orders for what somebody has typed. */
export async function search(db: Database, q: string): Promise<SearchResult> {
  if (q.length < leastSearched) return { customers: [], orders: [] };
  const [people, found] = await readTogether(db, [foundQuery(db, q, mostShown), foundOrders(db, q)]);
  return { customers: people.map(customerOf), orders: found };
}
