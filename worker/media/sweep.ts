/** Deletes objects from the bucket that no picture needs: unfinished uploads, and pictures removed long ago. */
import type { Database } from '../db/client.ts';
import type { Env } from '../env.ts';
import { dayMs } from '../http/clock.ts';
import type { Log } from '../http/log.ts';
import { restoredAt } from '../operations/jobs.ts';
import { listObjects } from '../operations/bucket.ts';
import { neededHashes } from './needed.ts';
import { mediaFolder } from './store.ts';

/**
 * How long a file without a record is kept, in ms. Its upload may be in progress. Uploads never reuse files older than
 * half of that (`store.ts`).
 */
const graceMs = dayMs;

async function listFiles(env: Pick<Env, 'FILES'>): Promise<ReadonlyMap<string, readonly R2Object[]>> {
  const objects: R2Object[] = [];
  for await (const page of listObjects(env, mediaFolder)) objects.push(...page);
  return Map.groupBy(objects, ({ key }) => key.split('/')[1] ?? '');
}

/**
 * The hourly cron trigger runs this, because listing the bucket is billed.
 * @param now time in ms
 * @returns how many objects were deleted
 */
export async function sweepMedia(
  env: Pick<Env, 'FILES'>,
  db: Database,
  log: Log,
  now: number,
): Promise<number> {
  const files = await listFiles(env);
  // Read after the list, so that it includes pictures added in the meantime.
  const needed = await neededHashes(db, now);
  const sparedBefore = await restoredAt(db, now);
  const isOld = ({ uploaded }: R2Object) =>
    now - uploaded.getTime() > graceMs && uploaded.getTime() >= sparedBefore;
  let deleted = 0;
  for (const [hash, objects] of files) {
    if (needed.has(hash) || !objects.every(isOld)) continue;
    await env.FILES.delete(objects.map(({ key }) => key));
    deleted += objects.length;
  }
  if (deleted > 0) log('media.swept', { files: deleted });
  return deleted;
}
