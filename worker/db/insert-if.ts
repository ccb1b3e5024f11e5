/** Inserting a row only where a condition on the database holds. */
import { getTableColumns, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Database } from './client.ts';

/** A value, or a query for one, for every column of a row. */
type NewRow<T extends SQLiteTable> = {
  readonly [K in keyof T['$inferSelect']]: T['$inferSelect'][K] | SQLWrapper;
};

/**
 * Inserts a row if a condition holds (`INSERT … SELECT`). Values are given by name, so the order of the columns does
 * not matter.
 */
export const insertIf = <T extends SQLiteTable>(
  db: Database,
  table: T,
  row: NoInfer<NewRow<T>>,
  condition: SQL | undefined,
) => {
  const values = Object.entries(getTableColumns(table)).map(([name, column]) => {
    const value: unknown = Reflect.get(row, name);
    const isQuery = typeof value === 'object' && value !== null && 'getSQL' in value;
    return isQuery || value === null ? sql`${value}` : sql`${sql.param(value, column)}`;
  });
  return db.insert(table).select(sql`SELECT ${sql.join(values, sql`, `)} WHERE ${condition ?? sql`true`}`);
};
