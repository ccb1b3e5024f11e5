/**
 * Files attached to emailed answers. Their bytes are in the bucket, under `messages/{message}/{file}`. Only the staff
 * can download them.
 */
import { eq } from 'drizzle-orm';
import { newId } from '#contract/ids.ts';
import type { Database } from '../db/client.ts';
import type { Env } from '../env.ts';
import { cleanName, serveAttachment } from '../fulfillment/files.ts';
import { fileTypeOf, headBytes, tailBytes } from '../fulfillment/file-type.ts';
import { notFound } from '../http/errors.ts';
import type { Log } from '../http/log.ts';
import type { MailFile } from '../mail/read-mail.ts';
import { deleteOrphans } from '../operations/bucket.ts';
import { restoredAt } from '../operations/jobs.ts';
import { replyFiles, type ReplyFileRecord } from './schema.ts';

const folder = 'messages/';
const keyOf = ({ messageId, _id }: Pick<ReplyFileRecord, 'messageId' | '_id'>): string =>
  `${folder}${messageId}/${_id}`;

/**
 * Stores the bytes of attachments. If their rows are not written, the nightly sweep deletes the bytes.
 * @returns the rows
 */
export function storeReplyFiles(
  { FILES }: Pick<Env, 'FILES'>,
  ids: Pick<ReplyFileRecord, 'messageId' | 'replyId'>,
  files: readonly MailFile[],
): Promise<ReplyFileRecord[]> {
  return Promise.all(
    files.map(async ({ name, bytes }) => {
      const type = fileTypeOf(bytes.subarray(0, headBytes), bytes.subarray(-tailBytes));
      const row = { ...ids, _id: newId(), name: cleanName(name), type, bytes: bytes.byteLength };
      await FILES.put(keyOf(row), bytes);
      return row;
    }),
  );
}

/** @throws ApiError 404 */
export async function serveReplyFile(db: Database, env: Env, id: string): Promise<Response> {
  const [file] = await db.select().from(replyFiles).where(eq(replyFiles._id, id));
  if (!file) throw notFound('We could not find this file.');
  return serveAttachment(env, keyOf(file), file.name);
}

/**
 * Deletes the bytes of files whose message was deleted. Runs nightly, because listing the bucket is billed.
 * @param now time in ms
 */
export async function sweepReplyFiles(
  env: Pick<Env, 'FILES'>,
  db: Database,
  log: Log,
  now: number,
): Promise<void> {
  const sparedBefore = await restoredAt(db, now);
  const deleted = await deleteOrphans(env, db, folder, replyFiles, { now, sparedBefore });
  if (deleted > 0) log('reply-files.swept', { files: deleted });
}
