/**
 * The nightly backup: the cron trigger writes the database, compressed, to the bucket. A scheduled handler may use 30
 * seconds of processor time, so a large database takes several runs, each of which goes on where the last one stopped.
 * https://developers.cloudflare.com/workers/platform/limits/
 */
import { eq, lte } from 'drizzle-orm';
import * as z from 'zod';
import { openDatabase, type Database } from '../db/client.ts';
import { dayOf, type Env } from '../env.ts';
import { describeError, type Log } from '../http/log.ts';
import { beginDump, continueDump, type DumpState } from './dump.ts';
import { findRun, noteRun } from './jobs.ts';
import { jobRuns } from './schema.ts';

export type BackupBucket = Pick<
  R2Bucket,
  'get' | 'head' | 'put' | 'list' | 'delete' | 'createMultipartUpload' | 'resumeMultipartUpload'
>;

/** Where backups are in the bucket, one a day. */
const folder = 'backups/';
const isBackup = (key: string): boolean => /^backups\/[\d-]+\.sql\.gz$/.test(key);
/** The state of an unfinished backup, for the next run. */
const unfinishedKey = `${folder}unfinished`;
/** How many backups are kept. */
const kept = 30;

const hourMs = 3_600_000;
/** The hour of the site's time zone at which a new backup is due, in ms. */
const dueAtMs = 3 * hourMs;
/** How long one run lasts, in ms of elapsed time, which processor time never exceeds. */
const runMs = 15_000;
/** How long a run may take before another one takes over, in ms. */
const turnMs = 2 * 60_000;
/** How often a backup is restarted because something changed meanwhile, or because it failed. */
const maxTries = 3;
/** How long after a backup that failed the next one is begun, in ms. */
const pauseMs = hourMs;

/** All parts of an upload but the last have one size, 5 MiB at least. https://developers.cloudflare.com/r2/objects/multipart-objects/ */
const partBytes = 5 * 1_024 * 1_024;

const dumpState: z.ZodType<DumpState> = z.object({
  begunAt: z.number(),
  schema: z.string(),
  upTo: z.array(z.union([z.string(), z.number()]).nullable()),
  table: z.number(),
  after: z.array(z.union([z.string(), z.number()])).nullable(),
  end: z.enum(['complete', 'changed']).optional(),
});
const unfinished = z.object({
  key: z.string(),
  tries: z.number(),
  uploadId: z.string(),
  parts: z.array(z.object({ partNumber: z.number(), etag: z.string() })),
  dump: dumpState,
});

/** An unfinished backup; `rest` is compressed data that is still too short for a part. */
type Unfinished = z.output<typeof unfinished> & { readonly rest: Uint8Array };

async function readUnfinished(files: BackupBucket): Promise<Unfinished | undefined> {
  const stored = await files.get(unfinishedKey);
  if (!stored) return undefined;
  const bytes = new Uint8Array(await stored.arrayBuffer());
  const end = bytes.indexOf(10);
  const state = unfinished.parse(JSON.parse(new TextDecoder().decode(bytes.subarray(0, end))));
  return { ...state, rest: bytes.subarray(end + 1) };
}

async function writeUnfinished(files: BackupBucket, { rest, ...state }: Unfinished): Promise<void> {
  const line = new TextEncoder().encode(`${JSON.stringify(state)}\n`);
  const bytes = new Uint8Array(line.length + rest.length);
  bytes.set(line);
  bytes.set(rest, line.length);
  await files.put(unfinishedKey, bytes);
}

async function begin(files: BackupBucket, db: Database, key: string, tries: number): Promise<Unfinished> {
  const dump = await beginDump(db.$client);
  const { uploadId } = await files.createMultipartUpload(key, {
    httpMetadata: { contentType: 'application/gzip' },
  });
  return { key, tries, uploadId, parts: [], dump, rest: new Uint8Array() };
}

/**
 * Reads, compresses and uploads until everything is done or the time is up. Each run writes a gzip member of its own.
 */
async function advance(
  files: BackupBucket,
  db: Database,
  from: Unfinished,
  deadline: number,
): Promise<Unfinished> {
  const upload = files.resumeMultipartUpload(from.key, from.uploadId);
  const parts = [...from.parts];
  let { dump } = from;
  const encoder = new TextEncoder();
  async function* pieces() {
    for await (const piece of continueDump(db.$client, dump)) {
      dump = piece.state;
      yield encoder.encode(piece.text);
      if (Date.now() >= deadline) return;
    }
  }
  const part = new Uint8Array(partBytes);
  part.set(from.rest);
  let filled = from.rest.length;
  const source = pieces();
  const texts = new ReadableStream<BufferSource>({
    async pull(controller) {
      const { done, value } = await source.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
  for await (const chunk of texts.pipeThrough(new CompressionStream('gzip')))
    for (let at = 0; at < chunk.length;) {
      const some = chunk.subarray(at, at + partBytes - filled);
      part.set(some, filled);
      at += some.length;
      filled += some.length;
      if (filled < partBytes) continue;
      parts.push(await upload.uploadPart(parts.length + 1, part));
      filled = 0;
    }
  return { ...from, parts, dump, rest: part.subarray(0, filled) };
}

/** Abandons a backup that will not be finished. */
async function abandon(files: BackupBucket, { key, uploadId }: Unfinished): Promise<void> {
  await files.delete(unfinishedKey);
  await files.resumeMultipartUpload(key, uploadId).abort();
}

/** Joins the parts to a file, and deletes the oldest backups. */
async function finish(files: BackupBucket, { key, uploadId, parts, rest }: Unfinished): Promise<void> {
  const upload = files.resumeMultipartUpload(key, uploadId);
  const last = rest.length > 0 ? [await upload.uploadPart(parts.length + 1, rest)] : [];
  await upload.complete([...parts, ...last]);
  await files.delete(unfinishedKey);
  const { objects } = await files.list({ prefix: folder });
  const old = objects
    .map((object) => object.key)
    .filter(isBackup)
    .toSorted()
    .slice(0, -kept);
  if (old.length > 0) await files.delete(old);
}

/** Continues the backup of a day for the time of one run. */
async function run(
  { FILES: files }: Pick<Env, 'FILES'>,
  db: Database,
  log: Log,
  key: string,
  deadline: number,
): Promise<void> {
  // State that another release wrote, and this one cannot read: begin anew.
  let current = await readUnfinished(files).catch(() => undefined);
  if (current && current.key !== key) {
    await abandon(files, current);
    current = undefined;
  }
  try {
    for (;;) {
      current ??= await begin(files, db, key, 0);
      // A dump that was read to its end and only could not be joined is not read further.
      if (current.dump.end === undefined) current = await advance(files, db, current, deadline);
      const { end } = current.dump;
      if (end === undefined) {
        await writeUnfinished(files, current);
        return;
      }
      if (end === 'complete' || current.tries + 1 >= maxTries) break;
      await abandon(files, current);
      current = await begin(files, db, key, current.tries + 1);
    }
    await finish(files, current);
    await noteRun(db, 'backup', null);
    log('backup.made', { key, parts: current.parts.length + 1, end: current.dump.end });
  } catch (error) {
    log('backup.failed', describeError(error));
    if (current && current.tries + 1 < maxTries)
      return writeUnfinished(files, { ...current, tries: current.tries + 1 });
    await noteRun(db, 'backup', describeError(error).error);
    if (current) await abandon(files, current);
  }
}

/** Claims the turn, so that of concurrent runs only one works. */
async function takeTurn(db: Database, now: number): Promise<boolean> {
  const { rowsAffected } = await db
    .insert(jobRuns)
    .values({ name: 'backupTurn', ranAt: now })
    .onConflictDoUpdate({
      target: jobRuns.name,
      set: { ranAt: now },
      setWhere: lte(jobRuns.ranAt, now - turnMs),
    });
  return rowsAffected > 0;
}

async function hasJustFailed(db: Database, now: number): Promise<boolean> {
  const [last] = await db.select().from(jobRuns).where(eq(jobRuns.name, 'backup'));
  return last !== undefined && last.failure !== null && now - last.ranAt < pauseMs;
}

/** Notes that a backup was seen in the bucket, which then need not be asked for it. */
const noteSeen = (db: Database, at: number) =>
  db
    .insert(jobRuns)
    .values({ name: 'backupTurn', ranAt: 0, succeededAt: at })
    .onConflictDoUpdate({ target: jobRuns.name, set: { succeededAt: at } });

/**
 * Makes or continues the backup of the day; run by the cron trigger.
 * @param limits.runMs how long it may take, in ms
 */
export async function makeBackup(
  env: Pick<Env, 'FILES' | 'SITE_TIMEZONE' | 'TURSO_DATABASE_URL' | 'TURSO_AUTH_TOKEN'>,
  log: Log,
  limits = { runMs },
): Promise<void> {
  const now = Date.now();
  const keyAt = (at: number) => `${folder}${dayOf(env, at - dueAtMs)}.sql.gz`;
  const key = keyAt(now);
  const db = openDatabase(env);
  const seenAt = (await findRun(db, 'backupTurn'))?.succeededAt;
  if (seenAt && keyAt(seenAt) === key) return;
  try {
    const made = await env.FILES.head(key);
    if (made) {
      const known = await findRun(db, 'backup');
      const madeAt = made.uploaded.getTime();
      // A restored database does not know of it, nor one that was away at that moment; another isolate may have failed to see it.
      if ((known?.succeededAt ?? 0) < madeAt || known?.failure != null)
        await noteRun(db, 'backup', null, madeAt);
      await noteSeen(db, now);
      return;
    }
  } catch (error) {
    await noteRun(db, 'backup', describeError(error).error);
    throw error;
  }
  if ((await hasJustFailed(db, now)) || !(await takeTurn(db, now))) return;
  try {
    await run(env, db, log, key, now + limits.runMs);
  } finally {
    await db.update(jobRuns).set({ ranAt: 0 }).where(eq(jobRuns.name, 'backupTurn'));
  }
}
