/**
 * The nightly backup. The hourly cron trigger writes the compressed database to the bucket, unless there is already a
 * backup for the day (docs/decisions/backups.md).
 */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Database } from '../db/client.ts';
import { dayOf, type Env } from '../env.ts';
import { describeError, type Log } from '../http/log.ts';
import { hourMs } from '../http/clock.ts';
import { dumpDatabase } from './dump.ts';
import { recordRun } from './jobs.ts';

const folder = 'backups/';
const isBackup = (key: string): boolean => /^backups\/[\d-]+\.sql\.gz$/.test(key);
const kept = 30;
/** The time of day at which a new backup is due, in ms after midnight in the site's time zone. */
const dueAtMs = 3 * hourMs;
const maxTries = 3;
/**
 * How long a run may read, in ms. Cloudflare ends a run after 15 minutes.
 * https://developers.cloudflare.com/workers/platform/limits/
 */
const readLimitMs = 14 * 60_000;

/**
 * All parts of an upload except the last have the same size, at least 5 MiB.
 * https://developers.cloudflare.com/r2/objects/multipart-objects/
 */
const partBytes = 5 * 1_024 * 1_024;

/** Splits bytes into parts. Each part overwrites the one before it. */
async function* partsOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const part = new Uint8Array(partBytes);
  let filled = 0;
  for await (const chunk of chunks)
    for (let at = 0; at < chunk.length;) {
      const some = chunk.subarray(at, at + partBytes - filled);
      part.set(some, filled);
      at += some.length;
      filled += some.length;
      if (filled < partBytes) continue;
      yield part;
      filled = 0;
    }
  if (filled > 0) yield part.subarray(0, filled);
}

/** Uploads a stream. The object exists only after the upload is complete. */
async function uploadParts(files: R2Bucket, key: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  const upload = await files.createMultipartUpload(key, {
    httpMetadata: { contentType: 'application/gzip' },
  });
  try {
    const parts: R2UploadedPart[] = [];
    for await (const part of partsOf(chunks)) parts.push(await upload.uploadPart(parts.length + 1, part));
    await upload.complete(parts);
  } catch (error) {
    // If this fails too, R2 aborts the incomplete upload after a week.
    await upload.abort().catch(() => undefined);
    throw error;
  }
}

async function deleteOldest(files: R2Bucket): Promise<void> {
  const { objects } = await files.list({ prefix: folder });
  const old = objects
    .map(({ key }) => key)
    .filter(isBackup)
    .toSorted()
    .slice(0, -kept);
  if (old.length > 0) await files.delete(old);
}

/** Creates a backup unless it exists. @returns when it was created, in ms */
async function ensureBackup(env: Env, log: Log, key: string, signal: AbortSignal): Promise<number> {
  const made = await env.FILES.head(key);
  if (made) return made.uploaded.getTime();
  const texts = Readable.from(dumpDatabase(env, Date.now(), signal));
  // workerd's CompressionStream buffers without limit while an upload is slow.
  await pipeline(texts, createGzip(), (chunks: AsyncIterable<Uint8Array>) =>
    uploadParts(env.FILES, key, chunks),
  );
  await deleteOldest(env.FILES);
  log('backup.made', { key });
  return Date.now();
}

/**
 * Creates the day's backup and records the outcome. If two runs are concurrent, both create it, and the later one
 * remains.
 * @throws if the outcome cannot be recorded
 */
export async function makeBackup(env: Env, log: Log, db: Database): Promise<void> {
  const key = `${folder}${dayOf(env, Date.now() - dueAtMs)}.sql.gz`;
  const signal = AbortSignal.timeout(readLimitMs);
  let failure: string | null = null;
  for (let tries = 0; tries < maxTries; tries += 1)
    try {
      const madeAt = await ensureBackup(env, log, key, signal);
      await recordRun(db, 'backup', null, madeAt);
      return;
    } catch (error) {
      log('backup.failed', describeError(error));
      failure = describeError(error).error;
    }
  await recordRun(db, 'backup', failure);
}
