/**
 * Pagination for lists that grow. The cost of `OFFSET` grows with the page number, so pages in the second half are read
 * from the end of the list.
 */
import { asc, desc, type SQL, type SQLWrapper } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { PageQuery } from '#contract/schemas.ts';
import { readTogether, type Database } from './client.ts';

export interface PageWindow {
  readonly offset: number;
  readonly limit: number;
  /** Whether to read in reverse order, and to reverse the rows afterward. */
  readonly isFromEnd: boolean;
}

/** The position of a page in a list of `total` records. @returns undefined for a page beyond the end */
export function pageWindow(total: number, { page, pageSize }: PageQuery): PageWindow | undefined {
  const skipped = (page - 1) * pageSize;
  const limit = Math.min(pageSize, total - skipped);
  if (limit <= 0) return undefined;
  const isFromEnd = skipped > total / 2;
  return { limit, isFromEnd, offset: isFromEnd ? total - skipped - limit : skipped };
}

/** Up to this many skipped rows, reading a page is cheaper without first counting the list. */
const maxSkipped = 1_000;

/** The number of rows per read of a whole list. */
const chunkLength = 500;

/**
 * Reads a whole list in chunks, by keyset pagination.
 * @param readAfter the query for the rows that follow `last`, or for the first rows without it
 * @param show converts a row
 */
export async function* readInChunks<Row, Shown>(
  readAfter: (last: Row | undefined, limit: number) => PromiseLike<Row[]>,
  show: (row: Row) => Shown,
): AsyncGenerator<Shown[], void> {
  let chunk: Row[] = [];
  do {
    chunk = await readAfter(chunk.at(-1), chunkLength);
    if (chunk.length > 0) yield chunk.map(show);
  } while (chunk.length === chunkLength);
}

export async function collect<T>(chunks: AsyncIterable<readonly T[]>): Promise<T[]> {
  const all: T[] = [];
  for await (const chunk of chunks) all.push(...chunk);
  return all;
}

/**
 * The query for the ids of a page's rows. An index can answer it without reading the skipped rows.
 * @param order the columns that the list is sorted by
 */
export const idsOnPage = (
  db: Database,
  id: SQLiteColumn,
  { offset, limit, isFromEnd }: PageWindow,
  where?: SQL,
  order: readonly SQLiteColumn[] = [id],
): SQLWrapper =>
  db
    .select({ id })
    .from(id.table)
    .where(where)
    .orderBy(...order.map((column) => (isFromEnd ? asc(column) : desc(column))))
    .limit(limit)
    .offset(offset);

/** A page of a list, and the number of rows in the whole list. */
export interface Page<Row> {
  readonly total: number;
  readonly rows: Row[];
}

type Count = BatchItem<'sqlite'> & PromiseLike<{ readonly count: number }[]>;

/**
 * Reads one page of a list and the total. Pages near the beginning do not depend on the total, so both take one round
 * trip.
 * @param rowsAt the query for the rows of a page
 */
export async function readPage<Row>(
  db: Database,
  { page, pageSize }: PageQuery,
  count: Count,
  rowsAt: (window: PageWindow) => BatchItem<'sqlite'> & PromiseLike<Row[]>,
): Promise<Page<Row>> {
  const offset = (page - 1) * pageSize;
  if (offset <= maxSkipped) {
    const [[counted], rows] = (await readTogether(db, [
      count,
      rowsAt({ offset, limit: pageSize, isFromEnd: false }),
    ])) as [{ readonly count: number }[], Row[]];
    return { total: counted?.count ?? 0, rows };
  }
  const [counted] = await count;
  const total = counted?.count ?? 0;
  const window = pageWindow(total, { page, pageSize });
  return { total, rows: window ? await rowsAt(window) : [] };
}

/** The part to read of a list of items that wait for a person. */
export interface Slice {
  /** `asc`: the longest waiting first. `desc`: the newest first. */
  readonly order: typeof asc;
  readonly limit: number;
}
