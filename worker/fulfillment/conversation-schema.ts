/** Tables of the conversations on orders: messages, how far each side has written and read, and files. */
import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { fileTypes, messageKinds, sides, type FileType } from '#contract/conversations.ts';

/** Places count from 1 in each order; the primary key lets no two messages have the same one. */
export const conversationMessages = sqliteTable(
  'conversation_messages',
  {
    _id: text().notNull(),
    orderId: text().notNull(),
    sequence: integer().notNull(),
    side: text({ enum: sides }).notNull(),
    /** Who wrote it; empty once that account was deleted. */
    accountId: text().notNull(),
    kind: text({ enum: messageKinds }).notNull(),
    text: text().notNull(),
    /** Time in ms. */
    at: integer().notNull(),
    /** Makes a repeated submit one message; null for a submit without a key. */
    idempotencyKey: text(),
  },
  (table) => [
    primaryKey({ columns: [table.orderId, table.sequence] }),
    uniqueIndex('conversation_messages_id').on(table._id),
    uniqueIndex('conversation_messages_idempotency').on(table.accountId, table.idempotencyKey),
  ],
);

export type MessageRecord = typeof conversationMessages.$inferSelect;

/** The last message of each side, and how far the other has read, by their places; 0: none. */
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

/** Files of orders, whose bytes are in the bucket (files.ts). */
export const orderFiles = sqliteTable(
  'order_files',
  {
    _id: text().primaryKey(),
    orderId: text().notNull(),
    /** Who sent it up; empty once that account was deleted. */
    accountId: text().notNull(),
    /** The message that it goes with; empty until there is one. */
    messageId: text().notNull().default(''),
    name: text().notNull(),
    type: text({ enum: Object.keys(fileTypes) as [FileType, ...FileType[]] }).notNull(),
    bytes: integer().notNull(),
    /** Time in ms. */
    at: integer().notNull(),
    /** Makes a repeated upload one file; null for an upload without a key. */
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
