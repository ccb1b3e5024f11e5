/**
 * Lists of orders. A page's ids are read off one index that holds all that the filter asks, and only then the rows
 * themselves; a page in the far half is read from the list's other end. So the first pages cost the same for any
 * number of orders, and the deepest of a million stays within milliseconds.
 */
import { and, asc, desc, gte, lt, lte, sql, type SQL } from 'drizzle-orm';
import type { OrderSort } from '#contract/orders.ts';
import type { PageQuery } from '#contract/paging.ts';
import { isId } from '#contract/ids.ts';
import type { Database } from '../db/client.ts';
import { pageWindow } from '../db/paging.ts';
import { everybody, orders, type OrderRecord } from './schema.ts';
import { countOrders, type CountFilter } from './totals.ts';

export interface OrderFilter extends CountFilter {
  /** Only this account's orders. */
  readonly accountId?: string | undefined;
  /** Part of a customer's name or email, or an order's id. */
  readonly q?: string | undefined;
}

interface Sorting {
  /** What comes before the id; ids alone sort by creation. */
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

/** Matches up to which finding them all and sorting them costs less than walking the index of the sort key. */
const fewMatches = 50_000;

const containing = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

const searchCondition = (q: string): SQL =>
  isId(q.toLowerCase())
    ? sql`${orders._id} = ${q.toLowerCase()}`
    : sql`(${orders.customerName} LIKE ${containing(q)} ESCAPE '\\' OR ${orders.customerEmail} LIKE ${containing(q)} ESCAPE '\\')`;

/** The first and the last id that a filter's days allow. */
interface IdRange {
  readonly first: string;
  readonly last: string;
}

/** Ids sort by creation, as days do, so that a filter's days are two ids; undefined when it names no day. */
async function findIdRange(db: Database, { from, to }: OrderFilter): Promise<IdRange | undefined> {
  if (from === undefined && to === undefined) return undefined;
  const order = (direction: typeof asc) => [direction(orders.orderDay), direction(orders._id)];
  const [first, last] = await Promise.all([
    from === undefined
      ? { _id: '' }
      : db
          .select({ _id: orders._id })
          .from(orders)
          .where(gte(orders.orderDay, from))
          .orderBy(...order(asc))
          .limit(1)
          .get(),
    to === undefined
      ? { _id: 'z' }
      : db
          .select({ _id: orders._id })
          .from(orders)
          .where(lte(orders.orderDay, to))
          .orderBy(...order(desc))
          .limit(1)
          .get(),
  ]);
  return { first: first?._id ?? 'z', last: last?._id ?? '' };
}

/**
 * The conditions of a filter.
 * @param range the ids of its days; two values, because a walk would work out two subqueries at every row
 * @param chooseIndex false: a unary plus keeps the conditions from choosing the index, so that the one of the sort key
 *   is walked, which holds the statuses too
 */
function conditionsOf(
  { accountId, paymentStatus, orderStatus, q }: OrderFilter,
  range: IdRange | undefined,
  chooseIndex = true,
): SQL | undefined {
  const column = (name: SQL) => (chooseIndex ? name : sql`+${name}`);
  return and(
    accountId === undefined ? undefined : sql`${orders.accountId} = ${accountId}`,
    paymentStatus && sql`${column(sql`${orders.paymentStatus}`)} = ${paymentStatus}`,
    orderStatus && sql`${column(sql`${orders.orderStatus}`)} = ${orderStatus}`,
    range && sql`${column(sql`${orders._id}`)} BETWEEN ${range.first} AND ${range.last}`,
    q ? searchCondition(q) : undefined,
  );
}

async function countMatches(
  db: Database,
  filter: OrderFilter,
  range: Promise<IdRange | undefined>,
): Promise<number> {
  if (!filter.q) return countOrders(db, filter, filter.accountId ?? everybody);
  const [row] = await db
    .select({ count: sql<number>`count(*)` })
    .from(orders)
    .where(conditionsOf(filter, await range));
  return row?.count ?? 0;
}

export interface OrderPage {
  readonly total: number;
  readonly orders: OrderRecord[];
}

/** One page of the orders that match, and how many match in all. */
export async function listOrders(
  db: Database,
  filter: OrderFilter,
  query: PageQuery,
  sort: OrderSort = 'newest',
): Promise<OrderPage> {
  const finding = findIdRange(db, filter);
  const [range, total] = await Promise.all([finding, countMatches(db, filter, finding)]);
  const window = pageWindow(total, query);
  if (!window) return { total, orders: [] };

  const { key, isDescending } = sortings[sort];
  const isWalk = key !== undefined && total > fewMatches;
  const orderBy = (descending: boolean, sortKey = key): SQL[] =>
    [...(sortKey ? [sortKey] : []), sql`${orders._id}`].map((part) => (descending ? desc(part) : asc(part)));
  const ids = db
    .select({ _id: orders._id })
    .from(orders)
    .where(conditionsOf(filter, range, !isWalk))
    .orderBy(...orderBy(isDescending !== window.isFromEnd, isWalk || !key ? key : sql`+${key}`))
    .limit(window.limit)
    .offset(window.offset);
  const rows = await db
    .select()
    .from(orders)
    .where(sql`${orders._id} IN ${ids}`)
    .orderBy(...orderBy(isDescending));
  return { total, orders: rows };
}

/** Rows of one read of an export. */
const chunkLength = 500;

/** All orders that match, newest first, read by key in chunks. */
export async function* readAllOrders(db: Database, filter: OrderFilter): AsyncGenerator<OrderRecord[], void> {
  const range = await findIdRange(db, filter);
  let last: string | undefined;
  do {
    const chunk: OrderRecord[] = await db
      .select()
      .from(orders)
      .where(and(conditionsOf(filter, range), last === undefined ? undefined : lt(orders._id, last)))
      .orderBy(desc(orders._id))
      .limit(chunkLength);
    if (chunk.length > 0) yield chunk;
    last = chunk.length < chunkLength ? undefined : chunk.at(-1)?._id;
  } while (last !== undefined);
}
