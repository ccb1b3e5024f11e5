/**
 * Deletes the text of old messages on orders, and unused files: uploads that were never sent, and objects without a
 * row.
 */
import { and, asc, eq, gte, inArray, lt, ne, not } from 'drizzle-orm';
import { firstIdAt } from '#contract/ids.ts';
import { writeBatch, type Database } from '../db/client.ts';
import { hasRow } from '../db/has-row.ts';
import type { Env } from '../env.ts';
import { dayMs } from '../http/clock.ts';
import type { Log } from '../http/log.ts';
import { deleteObjects, deleteOrphans } from '../operations/bucket.ts';
import { restoredAt } from '../operations/jobs.ts';
import { fileKey, orderFolder } from './files.ts';
import { keptDays } from './read-conversation.ts';
import { conversationMessages, conversations, orderFiles } from './conversation-schema.ts';

/** How long an uploaded file may wait to be sent, in ms. */
const unsentForMs = dayMs;
/** The maximum number of files or messages that one run handles. The next run continues. */
const runLength = 1_000;

/**
 * Deletes unsent files and orphaned objects. Runs nightly, because listing the bucket is billed.
 * @param now time in ms
 * @returns how many objects it deleted
 */
export async function sweepFiles(
  env: Pick<Env, 'FILES'>,
  db: Database,
  log: Log,
  now: number,
): Promise<number> {
  const sparedBefore = await restoredAt(db, now);
  const isOver = and(
    eq(orderFiles.messageId, ''),
    lt(orderFiles.at, now - unsentForMs),
    gte(orderFiles.at, sparedBefore),
  );
  const over = db.select({ _id: orderFiles._id }).from(orderFiles).where(isOver).limit(runLength);
  const unsent = await db
    .delete(orderFiles)
    .where(and(isOver, inArray(orderFiles._id, over)))
    .returning();
  await deleteObjects(env, unsent.map(fileKey));
  const orphans = await deleteOrphans(env, db, orderFolder, orderFiles, { now, sparedBefore });
  const deleted = unsent.length + orphans;
  if (deleted > 0) log('files.swept', { files: deleted });
  return deleted;
}

/**
 * Deletes the text of old messages on orders. What the customer bought is kept as long as the order: deliveries with
 * their notes, and every file. A message with files, or an answer to a delivery, is therefore kept without its text.
 * All other messages are deleted. Ids sort by creation time, so the primary key finds the oldest messages. Runs hourly,
 * because each run also reads the messages that have already lost their text.
 */
export async function sweepConversations(env: Env, log: Log, db: Database): Promise<void> {
  const { _id, orderId, kind, text } = conversationMessages;
  const over = await db
    .select({ _id, orderId })
    .from(conversationMessages)
    .where(and(lt(_id, firstIdAt(Date.now() - keptDays(env) * dayMs)), ne(kind, 'delivery'), ne(text, '')))
    .orderBy(asc(_id))
    .limit(runLength);
  if (over.length === 0) return;
  const isOver = inArray(
    _id,
    over.map((message) => message._id),
  );
  const ofMessage = and(eq(orderFiles.orderId, orderId), eq(orderFiles.messageId, _id));
  const hasNoFiles = not(hasRow(orderFiles, ofMessage));
  const isEmptied = not(hasRow(conversationMessages, eq(orderId, conversations.orderId)));
  const orderIds = [...new Set(over.map((message) => message.orderId))];
  await writeBatch(db, [
    db.delete(conversationMessages).where(and(isOver, eq(kind, 'message'), hasNoFiles)),
    db.update(conversationMessages).set({ text: '' }).where(isOver),
    // Sequence numbers restart at 1 in an emptied conversation, so the read positions must also be reset.
    db.delete(conversations).where(and(inArray(conversations.orderId, orderIds), isEmptied)),
  ]);
  log('conversations.swept', { messages: over.length });
}
