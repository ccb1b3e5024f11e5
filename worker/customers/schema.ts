/** The staff's notes about customers. */
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';

export const customerNotes = sqliteTable(
  'customer_notes',
  {
    _id: text().primaryKey(),
    /** `_id` of the customer. */
    customerId: text().notNull(),
    /** The writer; empty if their account was deleted. */
    accountId: text().notNull(),
    text: text().notNull(),
    /** Time in ms. */
    at: integer().notNull(),
    /** The same key from the same writer means the same note. */
    idempotencyKey: text(),
  },
  (table) => [
    index('customer_notes_customer').on(table.customerId, table._id),
    uniqueIndex('customer_notes_idempotency').on(table.accountId, table.idempotencyKey),
  ],
);
