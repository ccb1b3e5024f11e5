/** Exports and deletes the messages and the subscription of an account. */
import { and, eq, inArray, not, sql, type SQL } from 'drizzle-orm';
import { hasVerifiedEmail } from '../accounts/owner.ts';
import type { PersonalRecords } from '../accounts/personal-data.ts';
import { normalizeEmail } from '#contract/account-rules.ts';
import type { Database } from '../db/client.ts';
import { messageRemoval } from './messages.ts';
import { messageReplies, messages, replyFiles, subscribers } from './schema.ts';
import { describeSubscriber, subscriberRemoval } from './subscribers.ts';

/** The condition that a message was sent from an email, given as text or as a query. */
export const sentBy = (email: string | SQL) =>
  eq(sql`lower(${messages.email})`, typeof email === 'string' ? normalizeEmail(email) : email);
const subscribedBy = (email: string) => eq(sql`lower(${subscribers.subemail})`, normalizeEmail(email));

async function exportInbox(db: Database, email: string) {
  const theirs = db.select({ _id: messages._id }).from(messages).where(sentBy(email));
  const [sent, replies, files, subscribed] = await Promise.all([
    db.select().from(messages).where(sentBy(email)).orderBy(messages._id),
    db
      .select()
      .from(messageReplies)
      .where(inArray(messageReplies.messageId, theirs))
      .orderBy(messageReplies._id),
    db.select().from(replyFiles).where(inArray(replyFiles.messageId, theirs)).orderBy(replyFiles._id),
    db.select().from(subscribers).where(subscribedBy(email)).get(),
  ]);
  return {
    messages: sent.map(({ _id, name, number, subject, message, receivedAt, source }) => ({
      name,
      number,
      subject,
      message,
      receivedAt: new Date(receivedAt).toISOString(),
      source,
      replies: replies
        .filter(({ messageId }) => messageId === _id)
        .map(({ _id: replyId, side, text, quoted, at }) => ({
          side,
          text,
          quoted,
          at: new Date(at).toISOString(),
          files: files
            .filter((file) => file.replyId === replyId)
            .map(({ name, type, bytes }) => ({ name, type, bytes })),
        })),
    })),
    subscription: subscribed ? describeSubscriber(subscribed).state : null,
  };
}

/** A person's messages and subscription, found by their verified email. */
export const inboxOfPerson: PersonalRecords = {
  export: async (db, { email, emailVerified }) => (emailVerified ? exportInbox(db, email) : {}),
  // If both emails are subscribed, the subscription of the new email stays. It counts as confirmed if either one was.
  rename: (db, accountId, { from, to }) => {
    const isVerified = hasVerifiedEmail(accountId);
    const hasBoth = sql`EXISTS (SELECT 1 FROM ${subscribers} AS other WHERE lower(other.subemail) = ${normalizeEmail(to)})`;
    return [
      db
        .update(messages)
        .set({ email: to })
        .where(and(sentBy(from), isVerified)),
      db
        .update(subscribers)
        .set({
          confirmedAt: sql`coalesce(${subscribers.confirmedAt}, (SELECT former.confirmedAt FROM ${subscribers} AS former WHERE lower(former.subemail) = ${normalizeEmail(from)}))`,
        })
        .where(and(subscribedBy(to), isVerified)),
      db
        .update(subscribers)
        .set({ subemail: to })
        .where(and(subscribedBy(from), isVerified, not(hasBoth))),
      ...subscriberRemoval(db, sql`(${subscribedBy(from)} AND ${isVerified})`),
    ];
  },
  forget: (db, { id, email, emailVerified }) => [
    ...(emailVerified
      ? [...messageRemoval(db, sentBy(email)), ...subscriberRemoval(db, subscribedBy(email))]
      : []),
    db
      .update(messageReplies)
      .set({ accountId: '', idempotencyKey: null })
      .where(eq(messageReplies.accountId, id)),
  ],
};
