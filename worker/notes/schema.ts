/** Tables for staff notes about customers, orders and messages, and for the assignees of orders and messages. */
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { assignedKinds, noteKinds } from '#contract/notes.ts';

export const staffNotes = sqliteTable(
  'staff_notes',
  {
    _id: text().primaryKey(),
    /** What the note is about. For a customer without an account, the record is their first order. */
    kind: text({ enum: noteKinds }).notNull(),
    /** `_id` of the customer, order or message. */
    recordId: text().notNull(),
    /** The author; empty if their account was deleted. */
    accountId: text().notNull(),
    text: text().notNull(),
    /** Time in ms. */
    at: integer().notNull(),
    /** Two notes with the same key and author are the same note. */
    idempotencyKey: text(),
  },
  (table) => [
    index('staff_notes_record').on(table.kind, table.recordId, table._id),
    uniqueIndex('staff_notes_idempotency').on(table.accountId, table.idempotencyKey),
  ],
);

export const assignments = sqliteTable(
  'assignments',
  {
    kind: text({ enum: assignedKinds }).notNull(),
    /** `_id` of the order or message. */
    recordId: text().notNull(),
    /** The assignee, who may no longer be on the staff. */
    accountId: text().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.kind, table.recordId] }),
    index('assignments_account').on(table.accountId, table.kind, table.recordId),
  ],
);
