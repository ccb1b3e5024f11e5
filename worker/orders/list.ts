/**
 * Lists of orders. A page's ids are read off one index that holds all that the filter asks, and only then the rows
 * themselves; a page in the far half is read from the list's other end. So the first pages cost the same whatever the
 * number of orders, and the deepest of a million stays within milliseconds.
 */
import { and, asc, desc, lt, sql, type SQL } from 'drizzle-orm';
import type { OrderSort } from '../contract/orders.ts';
import type { PageQuery } from '../contract/paging.ts';
import { isId } from '../contract/ids.ts';
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

/**
 * The conditions of a filter.
 * @param chooseIndex false: a unary plus keeps the conditions from choosing the index, so that the one of the sort key
 *   is walked, which holds the statuses too
 */
function conditionsOf(
  { accountId, paymentStatus, orderStatus, from, to, q }: OrderFilter,
  chooseIndex = true,
): SQL | undefined {
  const column = (name: SQL) => (chooseIndex ? name : sql`+${name}`);
  const id = column(sql`${orders._id}`);
  // Ids sort by creation, as days do: the days' ends are two ids.
  const firstFrom = (day: string) =>
    sql`(SELECT o._id FROM ${orders} o WHERE o."orderDay" >= ${day} ORDER BY o."orderDay", o._id LIMIT 1)`;
  const firstAfter = (day: string) =>
    sql`(SELECT o._id FROM ${orders} o WHERE o."orderDay" > ${day} ORDER BY o."orderDay", o._id LIMIT 1)`;
  return and(
    accountId === undefined ? undefined : sql`${orders.accountId} = ${accountId}`,
    paymentStatus && sql`${column(sql`${orders.paymentStatus}`)} = ${paymentStatus}`,
    orderStatus && sql`${column(sql`${orders.orderStatus}`)} = ${orderStatus}`,
    from === undefined ? undefined : sql`${id} >= ${firstFrom(from)}`,
    to === undefined ? undefined : sql`${id} < coalesce(${firstAfter(to)}, 'z')`,
    q ? searchCondition(q) : undefined,
  );
}

async function countMatches(db: Database, filter: OrderFilter): Promise<number> {
  if (!filter.q) return countOrders(db, filter, filter.accountId ?? everybody);
  const [row] = await db
    .select({ count: sql<number>`count(*)` })
    .from(orders)
    .where(conditionsOf(filter));
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
  const total = await countMatches(db, filter);
  const window = pageWindow(total, query);
  if (!window) return { total, orders: [] };

  const { key, isDescending } = sortings[sort];
  const isWalk = key !== undefined && total > fewMatches;
  const orderBy = (descending: boolean, sortKey = key): SQL[] =>
    [...(sortKey ? [sortKey] : []), sql`${orders._id}`].map((part) => (descending ? desc(part) : asc(part)));
  const ids = db
    .select({ _id: orders._id })
    .from(orders)
    .where(conditionsOf(filter, !isWalk))
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
  let last: string | undefined;
  do {
    const chunk: OrderRecord[] = await db
      .select()
      .from(orders)
      .where(and(conditionsOf(filter), last === undefined ? undefined : lt(orders._id, last)))
      .orderBy(desc(orders._id))
      .limit(chunkLength);
    if (chunk.length > 0) yield chunk;
    last = chunk.length < chunkLength ? undefined : chunk.at(-1)?._id;
  } while (last !== undefined);
}
