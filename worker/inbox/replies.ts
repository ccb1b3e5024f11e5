/** The staff's replies to messages of the contact form. A reply is mailed to the sender, and kept with the message. */
import { and, asc, eq, exists } from 'drizzle-orm';
import type { MessageReply } from '#contract/inbox.calls.ts';
import { suspectedMark } from '#contract/inbox.ts';
import { displayDate } from '#contract/days.ts';
import { newId } from '#contract/ids.ts';
import { actorId } from '../accounts/owner.ts';
import { accounts } from '../accounts/schema.ts';
import { assert } from '../db/assert.ts';
import { readTogether, writeUnlessConflict, type Database } from '../db/client.ts';
import { dayOf } from '../env.ts';
import type { Caller } from '../http/app.ts';
import { keyUsed, notFound } from '../http/errors.ts';
import { queueMail } from '../mail/outbox.ts';
import { messageReplyMail } from './mails.ts';
import { readStatements } from './messages.ts';
import { messageReplies, messages } from './schema.ts';

type ReplyRecord = typeof messageReplies.$inferSelect;

const replyOf = ({ _id, text, at }: ReplyRecord, email: string | null): MessageReply => ({
  ...{ _id, text, at: new Date(at).toISOString() },
  by: email ?? '',
});

const noSuchMessage = () => notFound('There is no such message.');

/** The replies to a message, oldest first. @throws ApiError 404 */
export async function listReplies(db: Database, messageId: string): Promise<MessageReply[]> {
  const [[message], rows] = await readTogether(db, [
    db.select({ _id: messages._id }).from(messages).where(eq(messages._id, messageId)),
    db
      .select({ reply: messageReplies, email: accounts.email })
      .from(messageReplies)
      .leftJoin(accounts, eq(accounts.id, messageReplies.accountId))
      .where(eq(messageReplies.messageId, messageId))
      .orderBy(asc(messageReplies._id)),
  ]);
  if (!message) throw noSuchMessage();
  return rows.map(({ reply, email }) => replyOf(reply, email));
}

/**
 * Mails a reply to the sender of a message, and marks the message as read. Answers to the mail go to the business. A
 * repeated idempotency key returns the existing reply.
 * @throws ApiError 404 there is no such message, 422 another reply has used the key
 */
export async function replyToMessage(
  { db, env, account }: Caller,
  messageId: string,
  text: string,
  idempotencyKey: string | undefined,
): Promise<MessageReply> {
  const [message] = await db.select().from(messages).where(eq(messages._id, messageId));
  if (!message) throw noSuchMessage();
  const at = Date.now();
  const reply = { _id: newId(at), messageId, text, at, idempotencyKey: idempotencyKey ?? null };
  const subject = message.subject.replace(suspectedMark, '').replace(/^(re:\s*)+/i, '');
  const isThere = exists(db.select({ _id: messages._id }).from(messages).where(eq(messages._id, messageId)));
  const isWritten = await writeUnlessConflict(db, [
    assert(db, isThere),
    db.insert(messageReplies).values({ ...reply, accountId: actorId(account.id) }),
    db.update(messages).set({ repliedAt: at }).where(eq(messages._id, messageId)),
    ...readStatements(db, messageId, account.id),
    queueMail(db, env, {
      to: message.email,
      accountId: '',
      about: messageId,
      kind: 'message-reply',
      replyTo: env.NOTIFY_EMAIL,
      ...messageReplyMail(text, {
        subject,
        message: message.message,
        receivedOn: displayDate(dayOf(env, message.receivedAt)),
      }),
    }),
  ]);
  if (isWritten) return replyOf({ ...reply, accountId: account.id }, account.email);
  const [known] = await db
    .select()
    .from(messageReplies)
    .where(
      and(eq(messageReplies.accountId, account.id), eq(messageReplies.idempotencyKey, idempotencyKey ?? '')),
    );
  if (!known) throw noSuchMessage();
  if (known.messageId !== messageId || known.text !== text) throw keyUsed('reply');
  return replyOf(known, account.email);
}
