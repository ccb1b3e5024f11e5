/**
 * Deletes expired rows in bounded steps, so that no statement of the cron trigger takes long; the next run continues.
 */
import { sql, type SQL } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Database } from './client.ts';

/** The most rows of a table that one run deletes by default. */
const usualRunLength = 5_000;

/** Deletes at most `most` of the rows that match; where there are none, it only reads. @returns how many */
export async function deleteSome(
  db: Database,
  table: SQLiteTable,
  condition: SQL | undefined,
  most = usualRunLength,
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
