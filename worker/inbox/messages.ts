/**
 * Messages from the contact form. Anyone can send one, and the staff reads them. A read message never becomes unread.
 */
import { and, asc, count, desc, eq, gt, inArray, isNotNull, lt, or, sql, type SQL } from 'drizzle-orm';
import type { Account } from '#contract/accounts.ts';
import { newId } from '#contract/ids.ts';
import { messageStatuses, searchedMessages, type MessageStatus } from '#contract/inbox.ts';
import type { Message, MessageNeighbors, NewMessage } from '#contract/inbox.calls.ts';
import type { PageQuery } from '#contract/schemas.ts';
import { accountExists } from '../accounts/owner.ts';
import { accounts } from '../accounts/schema.ts';
import { assert } from '../db/assert.ts';
import {
  readTogether,
  writeBatch,
  writeUnlessConflict,
  type Database,
  type Statement,
} from '../db/client.ts';
import { hasRow } from '../db/has-row.ts';
import { containsText } from '../db/like.ts';
import { idsOnPage, readPage, readInChunks, type Page } from '../db/paging.ts';
import type { Env } from '../env.ts';
import { conflict, idempotencyKeyReused, notFound } from '../http/errors.ts';
import { cancelMailsAbout, queueMail } from '../mail/outbox.ts';
import { assignedTo, deleteAssignments } from '../notes/assignments.ts';
import { deleteNotes } from '../notes/notes.ts';
import { sourceName } from '#contract/source.ts';
import { countMessage } from '../orders/sources.ts';
import { momentOf } from '../http/clock.ts';
import { countQuery, adjustCount } from './counts.ts';
import { inboxEvent } from './events.ts';
import { newMessageMail } from './mails.ts';
import { messageReplies, messages, replyFiles, type MessageRecord } from './schema.ts';
import { maskEmail } from './subscribers.ts';

export const messageOf = (record: MessageRecord): Message => ({
  _id: record._id,
  name: record.name,
  email: record.email,
  number: record.number,
  subject: record.subject,
  message: record.message,
  messageStatus: record.messageStatus,
  receivedAt: new Date(record.receivedAt).toISOString(),
  repliedAt: momentOf(record.repliedAt),
  newReplyAt: momentOf(record.newReplyAt),
  source: record.source,
});

export function toMessageRecord(
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
    newReplyAt: null,
    source: source ?? null,
    idempotencyKey: idempotencyKey ?? null,
  };
}

const isSameMessage = (one: MessageRecord, other: MessageRecord): boolean =>
  (['name', 'email', 'number', 'subject', 'message'] as const).every((field) => one[field] === other[field]);

/**
 * Stores a message and notifies the business. A repeated idempotency key stores nothing new.
 * @param sender the signed-in account. Its messages are deleted with it, so no message may be stored after the
 *   deletion, or under an email that the account no longer has.
 * @returns the id and time of the stored message, which an earlier call may have stored
 * @throws ApiError 409 the sender's account was deleted or changed its email in the meantime, 422 another message has
 *   used the key
 */
export async function receiveMessage(
  db: Database,
  env: Env,
  record: MessageRecord,
  sender?: Account,
): Promise<Pick<MessageRecord, '_id' | 'receivedAt'>> {
  const isOwn = sender !== undefined && record.email === sender.email;
  const isWritten = await writeUnlessConflict(db, [
    ...(isOwn ? [assert(db, accountExists(sender.id, eq(accounts.email, sender.email)))] : []),
    adjustCount(db, 'UnRead', 1),
    countMessage(db, sourceName(record.source)),
    db.insert(messages).values(record),
    queueMail(db, env, {
      to: env.NOTIFY_EMAIL,
      about: record._id,
      kind: 'new-message',
      replyTo: record.email,
      content: newMessageMail(env.SITE_URL, record),
    }),
  ]);
  if (isWritten) return record;
  const [known] = await db
    .select()
    .from(messages)
    .where(eq(messages.idempotencyKey, record.idempotencyKey ?? ''));
  if (known && !isSameMessage(known, record)) throw idempotencyKeyReused('message');
  if (known) return { _id: known._id, receivedAt: known.receivedAt };
  throw conflict(
    'Your account was just deleted or its email changed, so this message was not sent. You can send it again.',
  );
}

export const messageExists = (id: string): SQL => hasRow(messages, eq(messages._id, id));

export const messageNotFound = () => notFound('We could not find this message.');

/** @throws ApiError 404 */
export async function readMessage(db: Database, id: string): Promise<Message> {
  const [record] = await db.select().from(messages).where(eq(messages._id, id));
  if (!record) throw messageNotFound();
  return messageOf(record);
}

interface MessageFilter {
  readonly messageStatus?: MessageStatus | undefined;
  /** Part of a name, an email, a subject or a text. Only the newest messages are searched. */
  readonly q?: string | undefined;
  readonly assigneeId?: string | undefined;
  readonly newReply?: 'true' | undefined;
}

/** There is no full-text index, so a search reads the texts of the newest messages only. */
function searchCondition(db: Database, q: string): SQL | undefined {
  const oldestSearched = db
    .select({ _id: messages._id })
    .from(messages)
    .orderBy(desc(messages._id))
    .limit(1)
    .offset(searchedMessages - 1);
  const { name, email, subject, message } = messages;
  return and(
    sql`${messages._id} >= coalesce((${oldestSearched}), '')`,
    or(...[name, email, subject, message].map((column) => containsText(column, q))),
  );
}

const isInList = (db: Database, { messageStatus, q, assigneeId, newReply }: MessageFilter): SQL | undefined =>
  and(
    messageStatus && eq(messages.messageStatus, messageStatus),
    assigneeId === undefined ? undefined : inArray(messages._id, assignedTo(db, 'message', assigneeId)),
    newReply && isNotNull(messages.newReplyAt),
    q ? searchCondition(db, q) : undefined,
  );

/** Reads one page of the matching messages, newest first, with their total. */
export async function listMessages(
  db: Database,
  filter: MessageFilter,
  query: PageQuery,
): Promise<Page<Message>> {
  const { messageStatus, q, assigneeId, newReply } = filter;
  const isWanted = isInList(db, filter);
  const counting =
    q || assigneeId !== undefined || newReply
      ? db.select({ count: count() }).from(messages).where(isWanted)
      : countQuery(db, messageStatus ? [messageStatus] : messageStatuses);
  const { total, rows } = await readPage(db, query, counting, (window) =>
    db
      .select()
      .from(messages)
      .where(inArray(messages._id, idsOnPage(db, messages._id, window, isWanted)))
      .orderBy(desc(messages._id)),
  );
  return { total, rows: rows.map(messageOf) };
}

/** Finds the messages before and after a message in a list. The message itself may no longer be in the list. */
export async function findNeighbors(
  db: Database,
  id: string,
  filter: MessageFilter,
): Promise<MessageNeighbors> {
  const nextTo = (isBeyond: typeof gt, order: typeof asc) =>
    db
      .select({ _id: messages._id })
      .from(messages)
      .where(and(isBeyond(messages._id, id), isInList(db, filter)))
      .orderBy(order(messages._id))
      .limit(1);
  const [[newer], [older]] = await readTogether(db, [nextTo(gt, asc), nextTo(lt, desc)]);
  return { newer: newer?._id ?? null, older: older?._id ?? null };
}

/** The statements that mark a message as read. They do nothing if it was already read. */
export function readStatements(db: Database, id: string, accountId: string): readonly Statement[] {
  const isUnread = and(eq(messages._id, id), eq(messages.messageStatus, 'UnRead'));
  const condition = hasRow(messages, isUnread);
  const [before, after] = [{ messageStatus: 'UnRead' }, { messageStatus: 'Read' }];
  return [
    adjustCount(db, 'UnRead', -1, condition),
    adjustCount(db, 'Read', 1, condition),
    inboxEvent(db, { recordId: id, accountId, before, after }, condition),
    db.update(messages).set({ messageStatus: 'Read' }).where(isUnread),
  ];
}

/** Marks a message and the sender's emailed replies as read. @throws ApiError 404 */
export async function markRead(db: Database, id: string, accountId: string): Promise<Message> {
  await writeBatch(db, [
    ...readStatements(db, id, accountId),
    db.update(messages).set({ newReplyAt: null }).where(eq(messages._id, id)),
  ]);
  return readMessage(db, id);
}

/**
 * The statements that delete messages with their replies, notes and emails, and update the counts. The last statement
 * deletes the messages.
 * @param which a condition on their rows
 */
export function messageRemoval(db: Database, which: SQL): Statement[] {
  const ids = db.select({ _id: messages._id }).from(messages).where(which);
  const countOf = (status: MessageStatus) =>
    sql`-(SELECT count(*) FROM ${messages} WHERE ${and(which, eq(messages.messageStatus, status))})`;
  return [
    ...messageStatuses.map((status) => adjustCount(db, status, countOf(status))),
    cancelMailsAbout(db, ids),
    deleteNotes(db, 'message', ids),
    deleteAssignments(db, 'message', ids),
    db.delete(messageReplies).where(inArray(messageReplies.messageId, ids)),
    db.delete(replyFiles).where(inArray(replyFiles.messageId, ids)),
    db.delete(messages).where(which),
  ];
}

/**
 * Deletes messages permanently. The audit log records the deletion without the sender's words.
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
  const affected = await writeBatch(db, [
    ...found.map(({ recordId, email, messageStatus }) => {
      const before = { email: maskEmail(email), messageStatus };
      return inboxEvent(db, { recordId, accountId, before, after: {} }, messageExists(recordId));
    }),
    ...messageRemoval(db, chosen),
  ]);
  return affected.at(-1) ?? 0;
}

/** @throws ApiError 404 */
export async function deleteMessage(db: Database, id: string, accountId: string): Promise<void> {
  if ((await deleteMessages(db, [id], accountId)) === 0) throw messageNotFound();
}

/** Reads all messages, newest first. */
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
