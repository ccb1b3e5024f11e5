/** Running counts of the inbox. */
import { inArray, sql, type SQL } from 'drizzle-orm';
import type { Database, Statement } from '../db/client.ts';
import { inboxCounts, type InboxCountName } from './schema.ts';
import { insertIf } from '../db/insert-if.ts';

/** The query for how many there are of the named kinds together. */
export const countQuery = (db: Database, names: readonly InboxCountName[]) =>
  db
    .select({ count: sql<number>`coalesce(sum(${inboxCounts.count}), 0)` })
    .from(inboxCounts)
    .where(inArray(inboxCounts.name, [...names]));

/**
 * The statement that moves a count. It stands before the change that `by` or `condition` asks about.
 * @param by how far, or a query that says so
 * @param condition counted only if it holds
 */
export function moveCount(
  db: Database,
  name: InboxCountName,
  by: 1 | -1 | SQL,
  condition: SQL = sql`1`,
): Statement {
  return insertIf(db, inboxCounts, { name, count: by }, condition).onConflictDoUpdate({
    target: inboxCounts.name,
    set: { count: sql`${inboxCounts.count} + excluded.count` },
  });
}
