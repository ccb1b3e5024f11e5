/**
 * Lists of orders. A page first reads its ids from one index that covers the filter, and then the rows. Pages in the
 * second half are read from the end of the list. The first pages therefore cost the same for any number of orders, and
 * the deepest page of a million orders takes milliseconds.
 */
import { and, asc, count, desc, gte, lt, lte, sql, type SQL } from 'drizzle-orm';
import { normalizeEmail } from '#contract/account-rules.ts';
import { parseOrderNumber, type OrderSort } from '#contract/orders.ts';
import type { Order } from '#contract/orders.calls.ts';
import type { PageQuery } from '#contract/schemas.ts';
import { isId } from '#contract/ids.ts';
import { readTogether, type Database } from '../db/client.ts';
import { pageWindow, readPage, readInChunks, type PageWindow, type Page } from '../db/paging.ts';
import { assignedTo } from '../notes/assignments.ts';
import { everybody, orders, type OrderRecord } from './schema.ts';
import { countQuery, openCondition, type CountFilter } from './totals.ts';
import { wholeOrder } from './read.ts';
import { containsText } from '../db/like.ts';

interface OrderFilter extends CountFilter {
  readonly accountId?: string | undefined;
  /** Part of a customer's name or email, or the number or id of an order. */
  readonly q?: string | undefined;
  readonly assigneeId?: string | undefined;
}

interface Sorting {
  /** The sort key before the id. Without it, orders are sorted by creation time. */
  readonly key?: SQL;
  readonly isDescending: boolean;
}

const sortings: Readonly<Record<OrderSort, Sorting>> = {
  newest: { isDescending: true },
  oldest: { isDescending: false },
  highest: { key: sql`${orders.priceCents}`, isDescending: true },
  lowest: { key: sql`${orders.priceCents}`, isDescending: false },
  customer: { key: sql`${orders.customerName} COLLATE NOCASE`, isDescending: false },
};

/** Up to this many matches, sorting them all is cheaper than scanning the index of the sort key. */
const fewMatches = 50_000;

/** The condition for a part of a customer's name or email, or the number or id of an order. */
export function searchCondition(q: string): SQL {
  const number = parseOrderNumber(q);
  if (number !== undefined) return sql`${orders.number} = ${number}`;
  if (isId(q.toLowerCase())) return sql`${orders._id} = ${q.toLowerCase()}`;
  return sql`(${containsText(orders.customerName, q)} OR ${containsText(orders.customerEmail, normalizeEmail(q))})`;
}

interface IdRange {
  readonly first: string;
  readonly last: string;
}

const hasDays = ({ from, to }: OrderFilter): boolean => from !== undefined || to !== undefined;

/** The range of ids in the days of a filter, because ids sort by creation time; undefined if the filter has no days. */
async function findIdRange(db: Database, filter: OrderFilter): Promise<IdRange | undefined> {
  if (!hasDays(filter)) return undefined;
  const { from = '', to = '9999' } = filter;
  const end = (direction: typeof asc, days: SQL) =>
    db
      .select({ _id: orders._id })
      .from(orders)
      .where(days)
      .orderBy(direction(orders.orderDay), direction(orders._id))
      .limit(1);
  const [[first], [last]] = await readTogether(db, [
    end(asc, gte(orders.orderDay, from)),
    end(desc, lte(orders.orderDay, to)),
  ]);
  return { first: first?._id ?? 'z', last: last?._id ?? '' };
}

/**
 * The conditions of a filter.
 * @param range the ids in its days, as values; subqueries would be evaluated for every row
 * @param chooseIndex whether SQLite may choose an index for these conditions. If not, a unary plus makes it scan the
 *   index of the sort key, which also contains the statuses.
 */
function conditionsOf(
  db: Database,
  { accountId, paymentStatus, orderStatus, isOpen, q, assigneeId }: OrderFilter,
  range: IdRange | undefined,
  chooseIndex = true,
): SQL | undefined {
  const column = (name: SQL) => (chooseIndex ? name : sql`+${name}`);
  return and(
    accountId === undefined ? undefined : sql`${orders.accountId} = ${accountId}`,
    paymentStatus && sql`${column(sql`${orders.paymentStatus}`)} = ${paymentStatus}`,
    orderStatus && sql`${column(sql`${orders.orderStatus}`)} = ${orderStatus}`,
    isOpen ? openCondition(orders) : undefined,
    range && sql`${column(sql`${orders._id}`)} BETWEEN ${range.first} AND ${range.last}`,
    q ? searchCondition(q) : undefined,
    assigneeId === undefined ? undefined : sql`${orders._id} IN ${assignedTo(db, 'order', assigneeId)}`,
  );
}

/** The query for the number of matching orders. The running totals cannot answer this for a search or an assignee. */
const matchesQuery = (db: Database, filter: OrderFilter, range: IdRange | undefined) =>
  filter.q || filter.assigneeId !== undefined
    ? db
        .select({ count: count() })
        .from(orders)
        .where(conditionsOf(db, filter, range))
    : countQuery(db, filter, filter.accountId ?? everybody);

interface Place {
  readonly sort: OrderSort;
  readonly window: PageWindow;
  readonly range?: IdRange | undefined;
  readonly total?: number;
}

function rowsQuery(db: Database, filter: OrderFilter, { sort, window, range, total = 0 }: Place) {
  const { key, isDescending } = sortings[sort];
  const isWalk = key !== undefined && total > fewMatches;
  const orderBy = (descending: boolean, sortKey = key): SQL[] =>
    [...(sortKey ? [sortKey] : []), sql`${orders._id}`].map((part) => (descending ? desc(part) : asc(part)));
  const ids = db
    .select({ _id: orders._id })
    .from(orders)
    .where(conditionsOf(db, filter, range, !isWalk))
    .orderBy(...orderBy(isDescending !== window.isFromEnd, isWalk || !key ? key : sql`+${key}`))
    .limit(window.limit)
    .offset(window.offset);
  return db
    .select()
    .from(orders)
    .where(sql`${orders._id} IN ${ids}`)
    .orderBy(...orderBy(isDescending));
}

/** Reads one page of the matching orders, with their number. */
export async function listOrders(
  db: Database,
  query: OrderFilter & PageQuery & { readonly sort: OrderSort },
): Promise<Page<OrderRecord>> {
  const { sort } = query;
  // Otherwise, the page depends on the range of ids, or on the number of matches.
  if (!hasDays(query) && !sortings[sort].key)
    return readPage(db, query, matchesQuery(db, query, undefined), (window) =>
      rowsQuery(db, query, { sort, window }),
    );
  const range = await findIdRange(db, query);
  const [counted] = await matchesQuery(db, query, range);
  const total = counted?.count ?? 0;
  const window = pageWindow(total, query);
  return { total, rows: window ? await rowsQuery(db, query, { sort, window, range, total }) : [] };
}

/** Reads all matching orders, newest first. */
export async function* readAllOrders(db: Database, filter: OrderFilter): AsyncGenerator<Order[], void> {
  const range = await findIdRange(db, filter);
  yield* readInChunks(
    (last: OrderRecord | undefined, limit) =>
      db
        .select()
        .from(orders)
        .where(and(conditionsOf(db, filter, range), last && lt(orders._id, last._id)))
        .orderBy(desc(orders._id))
        .limit(limit),
    wholeOrder,
  );
}
