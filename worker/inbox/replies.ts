/**
 * Replies to messages from the contact form. We email a staff reply to the sender and store it with the message. If
 * incoming mail is set up, we also store the sender's emailed replies.
 */
import { and, asc, eq } from 'drizzle-orm';
import type { MessageReply } from '#contract/inbox.calls.ts';
import { maxOrderFiles } from '#contract/conversations.ts';
import { suspectedMark } from '#contract/inbox.ts';
import { displayDate } from '#contract/days.ts';
import { newId } from '#contract/ids.ts';
import { actorId } from '../accounts/owner.ts';
import { accounts } from '../accounts/schema.ts';
import { assert } from '../db/assert.ts';
import { readTogether, writeUnlessConflict, type Database } from '../db/client.ts';
import { dayOf, type Env } from '../env.ts';
import type { Caller } from '../http/app.ts';
import { conflict, idempotencyKeyReused } from '../http/errors.ts';
import { queueMail } from '../mail/outbox.ts';
import type { MailFile } from '../mail/read-mail.ts';
import { replyAddress } from '../mail/reply-address.ts';
import { answeredReplyMail, messageReplyMail } from './mails.ts';
import { messageExists, messageNotFound, readStatements } from './messages.ts';
import { storeReplyFiles } from './reply-files.ts';
import { messageReplies, messages, replyFiles, type ReplyFileRecord } from './schema.ts';

type ReplyRecord = typeof messageReplies.$inferSelect;

const replyOf = (
  { _id, side, text, quoted, at }: ReplyRecord,
  email: string | null,
  files: readonly ReplyFileRecord[] = [],
): MessageReply => ({
  _id,
  side,
  text,
  quoted,
  at: new Date(at).toISOString(),
  files: files
    .filter(({ replyId }) => replyId === _id)
    .map(({ _id: fileId, name, type, bytes }) => ({ _id: fileId, name, type, bytes })),
  by: email ?? '',
});

/** Reads the replies to a message, oldest first. @throws ApiError 404 */
export async function listReplies(db: Database, messageId: string): Promise<MessageReply[]> {
  const [[message], rows, files] = await readTogether(db, [
    db.select({ _id: messages._id }).from(messages).where(eq(messages._id, messageId)),
    db
      .select({ reply: messageReplies, email: accounts.email })
      .from(messageReplies)
      .leftJoin(accounts, eq(accounts.id, messageReplies.accountId))
      .where(eq(messageReplies.messageId, messageId))
      .orderBy(asc(messageReplies._id)),
    db.select().from(replyFiles).where(eq(replyFiles.messageId, messageId)).orderBy(asc(replyFiles._id)),
  ]);
  if (!message) throw messageNotFound();
  return rows.map(({ reply, email }) => replyOf(reply, email, files));
}

/**
 * Emails a reply to the sender of a message, and marks the message as read. The sender's answers are stored with the
 * message if incoming mail is set up. Otherwise they go to the business. A repeated idempotency key returns the
 * existing reply.
 * @throws ApiError 404 there is no such message, 422 another reply has used the key
 */
export async function replyToMessage(
  { db, env, account }: Caller,
  messageId: string,
  text: string,
  idempotencyKey: string | undefined,
): Promise<MessageReply> {
  const [message] = await db.select().from(messages).where(eq(messages._id, messageId));
  if (!message) throw messageNotFound();
  const at = Date.now();
  const reply = {
    ...({ _id: newId(at), messageId, side: 'staff', text, quoted: '', at } as const),
    idempotencyKey: idempotencyKey ?? null,
  };
  const subject = message.subject.replace(suspectedMark, '').replace(/^(re:\s*)+/i, '');
  const isWritten = await writeUnlessConflict(db, [
    assert(db, messageExists(messageId)),
    db.insert(messageReplies).values({ ...reply, accountId: actorId(account.id) }),
    db.update(messages).set({ repliedAt: at, newReplyAt: null }).where(eq(messages._id, messageId)),
    ...readStatements(db, messageId, account.id),
    queueMail(db, env, {
      to: message.email,
      accountId: '',
      about: messageId,
      kind: 'message-reply',
      replyTo:
        replyAddress(env, { kind: 'message', id: messageId, email: message.email }) ?? env.NOTIFY_EMAIL,
      content: messageReplyMail(text, {
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
  if (!known) throw messageNotFound();
  if (known.messageId !== messageId || known.text !== text) throw idempotencyKeyReused('reply');
  return replyOf(known, account.email);
}

interface MailedReply {
  readonly messageId: string;
  /** The email's sender, who must be the sender of the message. */
  readonly email: string;
  readonly text: string;
  readonly quoted: string;
  readonly files: readonly MailFile[];
  /** Emails with the same key are the same email. */
  readonly idempotencyKey: string;
}

/**
 * Stores an emailed answer from the sender of a message, with its files, and notifies the business.
 * @returns whether this sender has a message with this id. An email that arrives again is not stored twice.
 * @throws ApiError 409 too many files came with the answers to this message
 */
export async function storeMailedReply(
  { db, env }: { readonly db: Database; readonly env: Env },
  { messageId, email, text, quoted, files, idempotencyKey }: MailedReply,
): Promise<boolean> {
  const sameMail = db
    .select({ _id: messageReplies._id })
    .from(messageReplies)
    .where(and(eq(messageReplies.accountId, ''), eq(messageReplies.idempotencyKey, idempotencyKey)));
  const [[message], known, kept] = await readTogether(db, [
    db.select().from(messages).where(eq(messages._id, messageId)),
    sameMail,
    db.select({ _id: replyFiles._id }).from(replyFiles).where(eq(replyFiles.messageId, messageId)),
  ]);
  if (!message || message.email !== email) return false;
  if (known.length > 0) return true;
  if (kept.length + files.length > maxOrderFiles)
    throw conflict(
      `This conversation can have at most ${maxOrderFiles} files. Please send a link to the rest.`,
    );
  const at = Date.now();
  const replyId = newId(at);
  const stored = await storeReplyFiles(env, { messageId, replyId }, files);
  const isWritten = await writeUnlessConflict(db, [
    assert(db, messageExists(messageId)),
    db.insert(messageReplies).values({
      _id: replyId,
      messageId,
      side: 'customer',
      accountId: '',
      text,
      quoted,
      at,
      idempotencyKey,
    }),
    ...(stored.length > 0 ? [db.insert(replyFiles).values(stored)] : []),
    db.update(messages).set({ newReplyAt: at }).where(eq(messages._id, messageId)),
    queueMail(db, env, {
      to: env.NOTIFY_EMAIL,
      about: messageId,
      kind: 'message-answered',
      content: answeredReplyMail(env.SITE_URL, message, { text, files }),
    }),
  ]);
  // The same email may have arrived twice at the same time.
  return isWritten || (await sameMail).length > 0;
}
