import { inArray, sql, type SQL } from 'drizzle-orm';
import type { Database, Statement } from '../db/client.ts';
import { inboxCounts, type InboxCountName } from './schema.ts';
import { insertIf } from '../db/insert-if.ts';

export const countQuery = (db: Database, names: readonly InboxCountName[]) =>
  db
    .select({ count: sql<number>`coalesce(sum(${inboxCounts.count}), 0)` })
    .from(inboxCounts)
    .where(inArray(inboxCounts.name, [...names]));

/**
 * The statement that updates a count. It must come before the change that `by` or `condition` reads.
 * @param by the difference, or a query for it
 * @param condition updates the count only if it holds
 */
export function adjustCount(
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
