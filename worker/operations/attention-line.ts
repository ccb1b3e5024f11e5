/** Lines of the attention list. Each feature contributes its own kinds. */
import { count, type SQL } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import type { SQLiteColumn, SQLiteSelect } from 'drizzle-orm/sqlite-core';
import { displayOrderNumber } from '#contract/orders.ts';
import type { AttentionItem } from '#contract/attention.calls.ts';
import type { Database } from '../db/client.ts';
import type { Slice } from '../db/paging.ts';

interface AttentionLine extends Omit<AttentionItem, 'at' | 'kind'> {
  /** When the waiting began, in ms. The list is sorted by this time. */
  readonly time: number;
  /** The time to show, if it differs from `time`. */
  readonly at?: string;
}

/** The queries for a kind: the number of its lines and the first lines, and how to describe them. */
export interface AttentionQueries {
  readonly count: BatchItem<'sqlite'> & PromiseLike<readonly { readonly count: number }[]>;
  readonly first: (slice: Slice) => BatchItem<'sqlite'>;
  /** @param rows the result of `first` */
  readonly toLines: (rows: unknown) => AttentionLine[];
}

export const attentionQueries = <Rows extends SQLiteSelect>(
  db: Database,
  {
    rows,
    since,
    toLine,
  }: {
    /** Creates the query for the rows. */
    readonly rows: () => { $dynamic(): Rows };
    /** The column that the list is sorted by. */
    readonly since: SQLiteColumn | SQL;
    readonly toLine: (row: Awaited<Rows>[number]) => AttentionLine;
  },
) => ({
  count: db.select({ count: count() }).from(rows().$dynamic().as('lines')),
  first: ({ order, limit }: Slice) => rows().$dynamic().orderBy(order(since)).limit(limit),
  toLines: (found: unknown): AttentionLine[] => (found as Awaited<Rows>).map((row) => toLine(row)),
});

/** The end of a phrase, naming an order; empty if the order is unknown. */
export const ofOrder = (number: number | null): string =>
  number === null ? '' : ` for order ${displayOrderNumber(number)}`;
