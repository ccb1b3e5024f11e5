/**
 * The nightly backup: the hourly cron trigger writes the database, compressed, to the bucket, unless the backup of the day
 * is there already (docs/decisions/backups.md).
 */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { openDatabase, type Database } from '../db/client.ts';
import { dayOf, type Env } from '../env.ts';
import { describeError, type Log } from '../http/log.ts';
import { dumpDatabase } from './dump.ts';
import { noteRun } from './jobs.ts';

/** Where backups are in the bucket, one a day. */
const folder = 'backups/';
const isBackup = (key: string): boolean => /^backups\/[\d-]+\.sql\.gz$/.test(key);
/** How many backups are kept. */
const kept = 30;
/** The hour of the site's time zone at which a new backup is due, in ms. */
const dueAtMs = 3 * 3_600_000;
/** How often a run tries to make a backup. */
const mostTries = 3;
/**
 * How long a run may read, in ms: Cloudflare ends it after 15 minutes.
 * https://developers.cloudflare.com/workers/platform/limits/
 */
const runMs = 14 * 60_000;

/** All parts of an upload but the last have one size, 5 MiB at least. https://developers.cloudflare.com/r2/objects/multipart-objects/ */
const partBytes = 5 * 1_024 * 1_024;

/** Cuts bytes into parts. Each part is overwritten by the next one. */
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

/** Uploads what comes. The object exists only once all of it is there. */
async function uploadParts(files: R2Bucket, key: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  const upload = await files.createMultipartUpload(key, {
    httpMetadata: { contentType: 'application/gzip' },
  });
  try {
    const parts: R2UploadedPart[] = [];
    for await (const part of partsOf(chunks)) parts.push(await upload.uploadPart(parts.length + 1, part));
    await upload.complete(parts);
  } catch (error) {
    // R2 itself aborts an upload that is not completed within a week.
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

/** Makes a backup unless it is there. @returns when it was made, in ms */
async function ensureBackup(env: Env, log: Log, key: string, signal: AbortSignal): Promise<number> {
  const made = await env.FILES.head(key);
  if (made) return made.uploaded.getTime();
  const texts = Readable.from(dumpDatabase(env, Date.now(), signal));
  // CompressionStream of workerd buffers without bound while an upload is slow.
  await pipeline(texts, createGzip(), (chunks: AsyncIterable<Uint8Array>) =>
    uploadParts(env.FILES, key, chunks),
  );
  await deleteOldest(env.FILES);
  log('backup.made', { key });
  return Date.now();
}

/**
 * Makes the backup of the day, and records how that ended. Two runs at once make it twice, and the later one stays.
 * @throws when the database does not take the record
 */
export async function makeBackup(env: Env, log: Log, db: Database = openDatabase(env)): Promise<void> {
  const key = `${folder}${dayOf(env, Date.now() - dueAtMs)}.sql.gz`;
  const signal = AbortSignal.timeout(runMs);
  let failure: string | null = null;
  for (let tries = 0; tries < mostTries; tries += 1)
    try {
      const madeAt = await ensureBackup(env, log, key, signal);
      await noteRun(db, 'backup', null, madeAt);
      return;
    } catch (error) {
      log('backup.failed', describeError(error));
      failure = describeError(error).error;
    }
  await noteRun(db, 'backup', failure);
}
