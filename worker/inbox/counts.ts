/** Running counts of the inbox. */
import { inArray, sql, type SQL } from 'drizzle-orm';
import type { Database, Statement } from '../db/client.ts';
import { inboxCounts, type InboxCountName } from './schema.ts';

/** How many there are of the named kinds together. */
export async function readCount(db: Database, names: readonly InboxCountName[]): Promise<number> {
  const [row] = await db
    .select({ count: sql<number>`coalesce(sum(${inboxCounts.count}), 0)` })
    .from(inboxCounts)
    .where(inArray(inboxCounts.name, [...names]));
  return row?.count ?? 0;
}

/**
 * The statement that moves a count.
 * @param condition counted only if it holds; put the statement before the change that the condition asks about
 */
export function moveCount(
  db: Database,
  name: InboxCountName,
  by: 1 | -1,
  condition: SQL = sql`1`,
): Statement {
  return db
    .insert(inboxCounts)
    .select(sql`SELECT ${name}, ${by} WHERE ${condition}`)
    .onConflictDoUpdate({ target: inboxCounts.name, set: { count: sql`${inboxCounts.count} + ${by}` } });
}
