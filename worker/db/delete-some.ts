/**
 * Deletes expired rows in bounded steps, so that no statement of a cron run takes long. The next run continues.
 */
import { sql, type SQL } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Database } from './client.ts';

/** The default maximum number of rows that one run deletes from a table. */
const defaultRunLength = 5_000;

/** Deletes at most `most` matching rows. Without a match it only reads. @returns the number of deleted rows */
export async function deleteSome(
  db: Database,
  table: SQLiteTable,
  condition: SQL | undefined,
  most = defaultRunLength,
): Promise<number> {
  const found = await db
    .select({ one: sql`1` })
    .from(table)
    .where(condition)
    .limit(1);
  if (found.length === 0) return 0;
  const some = sql`rowid IN (SELECT rowid FROM ${table} WHERE ${condition} LIMIT ${most})`;
  return (await db.delete(table).where(some)).rowsAffected;
}
