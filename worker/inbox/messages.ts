/**
 * Messages from the contact form. Anyone can send one, and the staff reads them. A message that was read never
 * becomes unread again.
 */
import { and, desc, eq, inArray, lt, sql } from 'drizzle-orm';
import { type Account, normalizeEmail } from '#contract/accounts.ts';
import { newId } from '#contract/ids.ts';
import { messageStatuses, type MessageStatus } from '#contract/inbox.ts';
import type { Message, NewMessage } from '#contract/inbox.calls.ts';
import type { PageQuery } from '#contract/schemas.ts';
import { accountExists } from '../accounts/owner.ts';
import { accounts } from '../accounts/schema.ts';
import { assert } from '../db/assert.ts';
import { writeBatch, writeUnlessConflict, type Database, type Statement } from '../db/client.ts';
import { idsOnPage, readPage, readInChunks, type Page } from '../db/paging.ts';
import type { Env } from '../env.ts';
import { conflict, keyUsed, notFound } from '../http/errors.ts';
import { forgetAbout, queueMail } from '../mail/outbox.ts';
import { forgetNotes } from '../notes/notes.ts';
import { sourceName } from '#contract/source.ts';
import { countMessage } from '../orders/sources.ts';
import { countQuery, moveCount } from './counts.ts';
import { newMessageMail } from './mails.ts';
import { inboxEvents, messageReplies, messages, type MessageRecord } from './schema.ts';
import { maskEmail } from './subscribers.ts';
import { insertIf } from '../db/insert-if.ts';

export const messageOf = (record: MessageRecord): Message => {
  const { _id, name, email, number, subject, message, messageStatus, source } = record;
  const receivedAt = new Date(record.receivedAt).toISOString();
  const repliedAt = record.repliedAt === null ? null : new Date(record.repliedAt).toISOString();
  return { _id, name, email, number, subject, message, messageStatus, receivedAt, repliedAt, source };
};

/** A message in the form that the database stores. */
export function draftMessage(
  { name, email, number, subject, message, source }: NewMessage,
  idempotencyKey?: string,
): MessageRecord {
  const receivedAt = Date.now();
  return {
    _id: newId(receivedAt),
    name,
    email,
    number,
    subject,
    message,
    messageStatus: 'UnRead',
    receivedAt,
    repliedAt: null,
    source: source ?? null,
    idempotencyKey: idempotencyKey ?? null,
  };
}

const isSameMessage = (one: MessageRecord, other: MessageRecord): boolean =>
  (['name', 'email', 'number', 'subject', 'message'] as const).every((field) => one[field] === other[field]);

/**
 * Stores a message and notifies the business. A repeated idempotency key stores nothing new.
 * @param sender the signed-in account. Its messages are deleted with it, so none may be stored after the deletion,
 *   or under an email that the account has just changed.
 * @returns the id of the stored message
 * @throws ApiError 409 the sender's account was deleted or changed its email in the meantime, 422 another message
 *   has used the key
 */
export async function receiveMessage(
  db: Database,
  env: Env,
  record: MessageRecord,
  sender?: Account,
): Promise<string> {
  const isOwn = sender !== undefined && normalizeEmail(record.email) === sender.email;
  const isWritten = await writeUnlessConflict(db, [
    ...(isOwn ? [assert(db, accountExists(sender.id, eq(accounts.email, sender.email)))] : []),
    moveCount(db, 'UnRead', 1),
    countMessage(db, sourceName(record.source)),
    db.insert(messages).values(record),
    tellBusiness(db, env, record),
  ]);
  if (isWritten) return record._id;
  const [known] = await db
    .select()
    .from(messages)
    .where(eq(messages.idempotencyKey, record.idempotencyKey ?? ''));
  if (known && !isSameMessage(known, record)) throw keyUsed('message');
  if (known) return known._id;
  throw conflict(
    'Your account was just deleted or its email changed, so this message was not sent. You can send it again.',
  );
}

/** The statement that queues the email to the business. */
const tellBusiness = (db: Database, env: Env, record: MessageRecord): Statement =>
  queueMail(db, env, {
    to: env.NOTIFY_EMAIL,
    about: record._id,
    kind: 'new-message',
    // Mail services accept only ASCII before the @ of a Reply-To address. The email itself must go out anyway.
    ...(/^[!-~]+@/.test(record.email) && { replyTo: record.email }),
    ...newMessageMail(env.SITE_URL, record),
  });

/** @throws ApiError 404 */
export async function readMessage(db: Database, id: string): Promise<Message> {
  const [record] = await db.select().from(messages).where(eq(messages._id, id));
  if (!record) throw notFound('There is no such message.');
  return messageOf(record);
}

/** One page of the messages, newest first, with the total. */
export async function listMessages(
  db: Database,
  status: MessageStatus | undefined,
  query: PageQuery,
): Promise<Page<Message>> {
  const count = countQuery(db, status ? [status] : messageStatuses);
  const isWanted = status && eq(messages.messageStatus, status);
  const { total, rows } = await readPage(db, query, count, (window) =>
    db
      .select()
      .from(messages)
      .where(inArray(messages._id, idsOnPage(db, messages._id, window, isWanted)))
      .orderBy(desc(messages._id)),
  );
  return { total, rows: rows.map(messageOf) };
}

/** The statements that mark a message as read. They change nothing if it is read. */
export function readStatements(db: Database, id: string, accountId: string): readonly Statement[] {
  const isUnread = and(eq(messages._id, id), eq(messages.messageStatus, 'UnRead'));
  const condition = sql`EXISTS (SELECT 1 FROM ${messages} WHERE ${isUnread})`;
  const event = {
    _id: newId(),
    recordId: id,
    at: Date.now(),
    accountId,
    before: { messageStatus: 'UnRead' },
    after: { messageStatus: 'Read' },
  };
  return [
    moveCount(db, 'UnRead', -1, condition),
    moveCount(db, 'Read', 1, condition),
    insertIf(db, inboxEvents, event, condition),
    db.update(messages).set({ messageStatus: 'Read' }).where(isUnread),
  ];
}

/**
 * Marks a message as read. A read message stays unchanged.
 * @throws ApiError 404
 */
export async function markRead(db: Database, id: string, accountId: string): Promise<Message> {
  await writeBatch(db, readStatements(db, id, accountId));
  return readMessage(db, id);
}

/**
 * Deletes messages permanently. The audit records the deletion without the sender's words.
 * @returns how many were deleted
 */
export async function deleteMessages(
  db: Database,
  ids: readonly string[],
  accountId: string,
): Promise<number> {
  const chosen = inArray(messages._id, [...ids]);
  const found = await db
    .select({ recordId: messages._id, email: messages.email, messageStatus: messages.messageStatus })
    .from(messages)
    .where(chosen);
  const countOf = (status: MessageStatus) =>
    sql`-(SELECT count(*) FROM ${messages} WHERE ${and(chosen, eq(messages.messageStatus, status))})`;
  const affected = await writeBatch(db, [
    ...messageStatuses.map((status) => moveCount(db, status, countOf(status))),
    ...found.map(({ recordId, email, messageStatus }) => {
      const before = { email: maskEmail(email), messageStatus };
      const event = { _id: newId(), recordId, at: Date.now(), accountId, before, after: {} };
      const isThere = sql`EXISTS (SELECT 1 FROM ${messages} WHERE ${eq(messages._id, recordId)})`;
      return insertIf(db, inboxEvents, event, isThere);
    }),
    forgetAbout(db, db.select({ _id: messages._id }).from(messages).where(chosen)),
    forgetNotes(db, 'message', ids),
    db.delete(messageReplies).where(inArray(messageReplies.messageId, [...ids])),
    db.delete(messages).where(chosen),
  ]);
  return affected.at(-1) ?? 0;
}

/**
 * Deletes one message permanently.
 * @throws ApiError 404
 */
export async function deleteMessage(db: Database, id: string, accountId: string): Promise<void> {
  if ((await deleteMessages(db, [id], accountId)) === 0) throw notFound('There is no such message.');
}

/** All messages, newest first. */
export const readAllMessages = (
  db: Database,
  status: MessageStatus | undefined,
): AsyncGenerator<Message[], void> =>
  readInChunks(
    (last: MessageRecord | undefined, limit) =>
      db
        .select()
        .from(messages)
        .where(and(status && eq(messages.messageStatus, status), last && lt(messages._id, last._id)))
        .orderBy(desc(messages._id))
        .limit(limit),
    messageOf,
  );
