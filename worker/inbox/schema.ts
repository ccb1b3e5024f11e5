/** Tables of the inbox: messages, subscribers, how many there are, and who changed what. */
import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { Source } from '#contract/source.ts';
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
    /** Where its sender came from. */
    source: text({ mode: 'json' }).$type<Source>(),
    /** Of the request that sent it, so that it comes once however often that is made; null without one. */
    idempotencyKey: text(),
  },
  (table) => [
    uniqueIndex('messages_idempotency').on(table.idempotencyKey),
    index('messages_status').on(table.messageStatus, table._id),
    index('messages_sender').on(sql`lower(${table.email})`, table._id),
  ],
);

export type MessageRecord = typeof messages.$inferSelect;

export const subscribers = sqliteTable(
  'subscribers',
  {
    _id: text().primaryKey(),
    subemail: text().notNull(),
    /** When somebody last asked for it, in ms. */
    askedAt: integer().notNull().default(0),
    /** When its owner confirmed it by the mailed link, in ms; null while it waits. */
    confirmedAt: integer(),
  },
  (table) => [
    uniqueIndex('subscribers_email').on(sql`lower(${table.subemail})`),
    index('subscribers_waiting')
      .on(table.askedAt)
      .where(sql`${table.confirmedAt} IS NULL`),
  ],
);

/** What is counted in the inbox: messages by status, and subscribers. */
const inboxCountNames = [...messageStatuses, 'subscribers'] as const;
export type InboxCountName = (typeof inboxCountNames)[number];

/** Running counts, kept in the batch of the change, so that a count costs the same at any size. */
export const inboxCounts = sqliteTable('inbox_counts', {
  name: text({ enum: inboxCountNames }).primaryKey(),
  count: integer().notNull(),
});

/** What administrators changed: who, when, and the values before and after. */
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
