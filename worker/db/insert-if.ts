/** Inserting a row only where a condition on the database holds. */
import { getTableColumns, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Database } from './client.ts';

/** Every column of a row by its name: a value, or a query for one. */
type NewRow<T extends SQLiteTable> = {
  readonly [K in keyof T['$inferSelect']]: T['$inferSelect'][K] | SQLWrapper;
};

/** `INSERT … SELECT` with a name to each value: the order of the table's columns is nobody's concern. */
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
