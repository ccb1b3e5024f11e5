/**
 * Tables for the inbox: messages with their replies, saved answers, subscribers, counts, and the history of staff
 * changes.
 */
import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { Source } from '#contract/schemas.ts';
import { fileTypes, sides, type FileType } from '#contract/conversations.ts';
import { messageStatuses } from '#contract/inbox.ts';

export const messages = sqliteTable(
  'messages',
  {
    _id: text().primaryKey(),
    name: text().notNull(),
    email: text().notNull(),
    number: text().notNull(),
    subject: text().notNull(),
    message: text().notNull(),
    messageStatus: text({ enum: messageStatuses }).notNull(),
    /** Time in ms. */
    receivedAt: integer().notNull(),
    /** When the staff last replied, in ms; null before that. */
    repliedAt: integer(),
    /** When the sender last answered our reply by email, in ms; null once the staff has read or answered it. */
    newReplyAt: integer(),
    /** Where the sender came from. */
    source: text({ mode: 'json' }).$type<Source>(),
    /** Prevents a repeated request from storing a second message; null for a request without a key. */
    idempotencyKey: text(),
  },
  (table) => [
    uniqueIndex('messages_idempotency').on(table.idempotencyKey),
    index('messages_status').on(table.messageStatus, table._id),
    index('messages_sender').on(sql`lower(${table.email})`, table._id),
    index('messages_new_reply')
      .on(table._id)
      .where(sql`${table.newReplyAt} IS NOT NULL`),
  ],
);

export type MessageRecord = typeof messages.$inferSelect;

/** Replies to messages: from the staff, which we emailed to the sender, and from the sender, which arrived by email. */
export const messageReplies = sqliteTable(
  'message_replies',
  {
    _id: text().primaryKey(),
    messageId: text().notNull(),
    side: text({ enum: sides }).notNull().default('staff'),
    /** The author; empty for the sender of the message, and if the author's account was deleted. */
    accountId: text().notNull(),
    text: text().notNull(),
    /** The quoted text and signature of an emailed reply. */
    quoted: text().notNull().default(''),
    /** Time in ms. */
    at: integer().notNull(),
    /** Two replies with the same key and author are the same reply. */
    idempotencyKey: text(),
  },
  (table) => [
    index('message_replies_message').on(table.messageId, table._id),
    uniqueIndex('message_replies_idempotency').on(table.accountId, table.idempotencyKey),
  ],
);

/** Files attached to emailed answers. Their bytes are in the bucket (reply-files.ts). */
export const replyFiles = sqliteTable(
  'reply_files',
  {
    _id: text().primaryKey(),
    messageId: text().notNull(),
    replyId: text().notNull(),
    name: text().notNull(),
    type: text({ enum: Object.keys(fileTypes) as [FileType, ...FileType[]] }).notNull(),
    /** Size in bytes. */
    bytes: integer().notNull(),
  },
  (table) => [index('reply_files_message').on(table.messageId, table._id)],
);
export type ReplyFileRecord = typeof replyFiles.$inferSelect;

export const savedAnswers = sqliteTable('saved_answers', {
  _id: text().primaryKey(),
  title: text().notNull(),
  text: text().notNull(),
});

export const subscribers = sqliteTable(
  'subscribers',
  {
    _id: text().primaryKey(),
    subemail: text().notNull(),
    /** When it was last requested, in ms. */
    askedAt: integer().notNull().default(0),
    /** When the subscriber confirmed it with the emailed link, in ms; null until then. */
    confirmedAt: integer(),
  },
  (table) => [
    uniqueIndex('subscribers_email').on(sql`lower(${table.subemail})`),
    index('subscribers_waiting')
      .on(table.askedAt)
      .where(sql`${table.confirmedAt} IS NULL`),
  ],
);

const inboxCountNames = [...messageStatuses, 'subscribers'] as const;
export type InboxCountName = (typeof inboxCountNames)[number];

/** Running counts, updated in the batch of each change. Reading a count costs the same at any size. */
export const inboxCounts = sqliteTable('inbox_counts', {
  name: text({ enum: inboxCountNames }).primaryKey(),
  count: integer().notNull(),
});

/** Changes by staff: who, when, and the values before and after. */
export const inboxEvents = sqliteTable(
  'inbox_events',
  {
    _id: text().primaryKey(),
    recordId: text().notNull(),
    /** Time in ms. */
    at: integer().notNull(),
    accountId: text().notNull(),
    before: text({ mode: 'json' }).$type<Readonly<Record<string, string>>>().notNull(),
    after: text({ mode: 'json' }).$type<Readonly<Record<string, string>>>().notNull(),
  },
  (table) => [index('inbox_events_record').on(table.recordId)],
);
