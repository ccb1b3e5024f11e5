/** The staff's notes about customers, orders and messages. */
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { noteKinds } from '#contract/notes.ts';

export const staffNotes = sqliteTable(
  'staff_notes',
  {
    _id: text().primaryKey(),
    /** What it is about. A customer without an account has the id of their first order. */
    kind: text({ enum: noteKinds }).notNull(),
    /** `_id` of the customer, order or message. */
    recordId: text().notNull(),
    /** The writer; empty if their account was deleted. */
    accountId: text().notNull(),
    text: text().notNull(),
    /** Time in ms. */
    at: integer().notNull(),
    /** The same key from the same writer means the same note. */
    idempotencyKey: text(),
  },
  (table) => [
    index('staff_notes_record').on(table.kind, table.recordId, table._id),
    uniqueIndex('staff_notes_idempotency').on(table.accountId, table.idempotencyKey),
  ],
);
