import { sql, type SQL } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';

/** Whether a table has a row that meets a condition. */
export const hasRow = (table: SQLiteTable, condition: SQL | undefined): SQL<number> =>
  sql<number>`EXISTS (SELECT 1 FROM ${table} WHERE ${condition})`;
