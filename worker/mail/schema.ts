/** The outbox: mails that are still to be sent. A mail that was sent leaves no row. */
import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

export const mails = sqliteTable(
  'mails',
  {
    _id: text().primaryKey(),
    /** What the mail tells of, such as 'order-placed'. */
    kind: text().notNull(),
    recipient: text().notNull(),
    /** The account that the mail is for, with which it is deleted; empty for one to an address without an account, null for one to the business. */
    accountId: text(),
    /** What it is taken back with: the order or message that a mail to the business tells of, the record that an invitation is about; null for any other. */
    about: text(),
    subject: text().notNull(),
    /** Text and HTML, sealed (seal.ts): mails carry links that let in anyone who holds them. */
    body: text().notNull(),
    /** What `lateNumber` stands for in the body; null where it holds none. */
    number: integer(),
    createdAt: integer().notNull(),
    /**
     * When to try next, in ms; while a sender holds the mail, when its claim runs out. Null: given up, a person
     * decides.
     */
    dueAt: integer(),
    tries: integer().notNull().default(0),
    /** Why the last try failed, without personal data. */
    failure: text(),
    /** Of mails with the same topic one waits for its first try; null for one that stands alone. */
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
