/** The table that counts attempts, and remembers the idempotency keys that have counted. */
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** The number of attempts in the current window of a kind and a key. */
export const attempts = sqliteTable(
  'attempts',
  {
    /** SHA-256 of kind and key, so that no address is stored. */
    id: text().primaryKey(),
    count: integer().notNull(),
    windowEndsAt: integer().notNull(),
  },
  (table) => [index('attempts_ends').on(table.windowEndsAt)],
);
