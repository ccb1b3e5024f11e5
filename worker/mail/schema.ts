/** The outbox: emails that have not been sent yet. Sending an email deletes its row. */
import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

export const mails = sqliteTable(
  'mails',
  {
    _id: text().primaryKey(),
    /** The kind of email, such as 'order-placed'. */
    kind: text().notNull(),
    recipient: text().notNull(),
    /**
     * The account that the email is for. Deleting the account deletes the email. Empty for an address without an
     * account, null for the business.
     */
    accountId: text(),
    /**
     * The record that the email is about: the order or message of an email to the business, or the user's record of an
     * invitation; null for other emails. Deleting the record deletes the email.
     */
    about: text(),
    subject: text().notNull(),
    /** The content (layout.ts), encrypted (seal.ts), because emails contain links that sign in anyone who has them. */
    body: text().notNull(),
    /** The number that replaces `numberPlaceholder` in the body; null if the body has none. */
    number: integer(),
    createdAt: integer().notNull(),
    /**
     * When to try next, in ms. While a sender has claimed the email, this is when the claim expires. Null if the email
     * has failed for good and waits for a person.
     */
    dueAt: integer(),
    tries: integer().notNull().default(0),
    /** Why the last attempt failed, without personal data. */
    failure: text(),
    /** At most one email per topic is waiting for its first attempt; null for an email without a topic. */
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
