import { sql, type SQL } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';

/** The condition that a table has a row to which a condition applies. */
export const hasRow = (table: SQLiteTable, condition: SQL | undefined): SQL<number> =>
  sql<number>`EXISTS (SELECT 1 FROM ${table} WHERE ${condition})`;
