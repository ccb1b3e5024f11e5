/** The table that counts attempts and stores used idempotency keys. */
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Attempts in the current window of a limit, per key. */
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
