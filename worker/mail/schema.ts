/** The outbox: mails that are still to be sent. A mail that was sent leaves no row. */
import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

export const mails = sqliteTable(
  'mails',
  {
    _id: text().primaryKey(),
    /** The kind of the mail, such as 'order-placed'. */
    kind: text().notNull(),
    recipient: text().notNull(),
    /**
     * The account that the mail is for, with which it is deleted; empty for an address without an account, null for the
     * business.
     */
    accountId: text(),
    /**
     * The record by which it is withdrawn: the order or message of a mail to the business, the user's record of an
     * invitation; null for any other.
     */
    about: text(),
    subject: text().notNull(),
    /** Text and HTML, sealed (seal.ts): mails carry links that let in anyone who holds them. */
    body: text().notNull(),
    /** What `lateNumber` stands for in the body; null where it holds none. */
    number: integer(),
    createdAt: integer().notNull(),
    /**
     * When to try next, in ms; while a sender holds the mail, when its claim expires. Null: it has failed for good, and
     * a person decides.
     */
    dueAt: integer(),
    tries: integer().notNull().default(0),
    /** Why the last try failed, without personal data. */
    failure: text(),
    /** At most one mail of a topic waits for its first try; null for a mail without a topic. */
    topic: text(),
  },
  (table) => [
    index('mails_due').on(table.dueAt),
    index('mails_tries').on(table.tries),
    index('mails_account').on(table.accountId),
    index('mails_topic')
      .on(table.topic)
      .where(sql`${table.topic} IS NOT NULL`),
  ],
);
