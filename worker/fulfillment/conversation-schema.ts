/** Tables for the conversations on orders: messages, each side's last written and read position, and files. */
import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { fileTypes, messageKinds, sides, type FileType } from '#contract/conversations.ts';

/** Messages. `sequence` counts from 1 in each order, and the primary key keeps it unique. */
export const conversationMessages = sqliteTable(
  'conversation_messages',
  {
    _id: text().notNull(),
    orderId: text().notNull(),
    sequence: integer().notNull(),
    side: text({ enum: sides }).notNull(),
    /** The author; empty if their account was deleted. */
    accountId: text().notNull(),
    kind: text({ enum: messageKinds }).notNull(),
    text: text().notNull(),
    /** The quoted text and signature of an emailed message; empty for a message typed on the site. */
    quoted: text().notNull().default(''),
    /** Time in ms. */
    at: integer().notNull(),
    /** Prevents a repeated submit from storing a second message; null for a submit without a key. */
    idempotencyKey: text(),
  },
  (table) => [
    primaryKey({ columns: [table.orderId, table.sequence] }),
    uniqueIndex('conversation_messages_id').on(table._id),
    uniqueIndex('conversation_messages_idempotency').on(table.accountId, table.idempotencyKey),
  ],
);

export type MessageRecord = typeof conversationMessages.$inferSelect;

/** The sequence number of each side's last message, and of the last message that the other side has read; 0 if none. */
export const conversations = sqliteTable(
  'conversations',
  {
    orderId: text().primaryKey(),
    fromCustomer: integer().notNull().default(0),
    fromStaff: integer().notNull().default(0),
    readByCustomer: integer().notNull().default(0),
    readByStaff: integer().notNull().default(0),
    /** When the last message was written, in ms. */
    lastAt: integer().notNull(),
  },
  (table) => [
    index('conversations_unread')
      .on(table.lastAt)
      .where(sql`${table.fromCustomer} > ${table.readByStaff}`),
  ],
);

/** Files of orders. Their bytes are in the bucket (files.ts). */
export const orderFiles = sqliteTable(
  'order_files',
  {
    _id: text().primaryKey(),
    orderId: text().notNull(),
    /** The uploader; empty if their account was deleted. */
    accountId: text().notNull(),
    /** The message that the file was sent with; empty before that. */
    messageId: text().notNull().default(''),
    name: text().notNull(),
    type: text({ enum: Object.keys(fileTypes) as [FileType, ...FileType[]] }).notNull(),
    bytes: integer().notNull(),
    /** Time in ms. */
    at: integer().notNull(),
    /** Prevents a repeated upload from storing a second file; null for an upload without a key. */
    idempotencyKey: text(),
  },
  (table) => [
    index('order_files_order').on(table.orderId),
    index('order_files_unsent')
      .on(table.at)
      .where(sql`${table.messageId} = ''`),
    uniqueIndex('order_files_idempotency').on(table.accountId, table.idempotencyKey),
  ],
);

export type FileRecord = typeof orderFiles.$inferSelect;
