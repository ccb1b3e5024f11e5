/** Deletes what is over in bounded steps, so that no statement of the cron trigger is long: the next run goes on. */
import { sql, type SQL } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Database } from './client.ts';

/** Most rows of a kind that one run deletes, unless it names fewer. */
const usualRunLength = 5_000;

/** Deletes at most so many of the rows that a condition holds for. @returns how many */
export async function deleteSome(
  db: Database,
  table: SQLiteTable,
  condition: SQL | undefined,
  most = usualRunLength,
): Promise<number> {
  const some = sql`rowid IN (SELECT rowid FROM ${table} WHERE ${condition} LIMIT ${most})`;
  return (await db.delete(table).where(some)).rowsAffected;
}
