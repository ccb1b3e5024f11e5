/** Lines of the attention list. Each feature creates its own. */
import { count, type SQL } from 'drizzle-orm';
import type { SQLiteColumn, SQLiteSelect } from 'drizzle-orm/sqlite-core';
import { displayOrderNumber } from '#contract/orders.ts';
import type { AttentionItem } from '#contract/attention.calls.ts';
import type { Database } from '../db/client.ts';
import type { Slice } from '../db/paging.ts';

/** A line of the attention list. */
export interface AttentionLine extends Omit<AttentionItem, 'at'> {
  /** When it began to wait, in ms. The list is sorted by this time. */
  readonly time: number;
  /** The time to show, if it differs from `time`. */
  readonly at?: string;
}

/**
 * The queries for the lines of one kind: how many there are, and the first of them.
 * @param rows makes the query for their rows, which `$dynamic` lets us extend
 * @param since the column that the list is sorted by
 */
export const lineQueries = <Rows extends SQLiteSelect>(
  db: Database,
  rows: () => Rows,
  since: SQLiteColumn | SQL,
) => ({
  count: db.select({ count: count() }).from(rows().as('lines')),
  first: ({ order, limit }: Slice) => rows().orderBy(order(since)).limit(limit),
});

/** The end of a phrase that names an order; empty if the order is unknown. */
export const ofOrder = (number: number | null): string =>
  number === null ? '' : ` for order ${displayOrderNumber(number)}`;
