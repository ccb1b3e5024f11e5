import { getTableColumns, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Database } from './client.ts';

/** A row: for each column, a value or a query for it. */
type NewRow<T extends SQLiteTable> = {
  readonly [K in keyof T['$inferSelect']]: T['$inferSelect'][K] | SQLWrapper;
};

/**
 * Inserts a row if a condition on the database holds (`INSERT … SELECT`). Values are matched to columns by name, in any
 * order.
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

/** The condition that the previous statement of the batch changed a row. */
export const hasChanged = sql`changes() = 1`;
