/**
 * Tombstones are empty objects in the bucket whose keys contain the ids of deleted records. They are kept for a year.
 * Restoring an older backup brings those records back, and the tombstones let us delete them again within a minute of
 * going live.
 */
import type { Database } from '../db/client.ts';
import type { Env } from '../env.ts';
import { dayMs, hourMs, remainingMs } from '../http/clock.ts';
import { describeError, type Log } from '../http/log.ts';
import { deleteObjects, listObjects } from './bucket.ts';
import { findRun, recordRun } from './jobs.ts';

type Tombstoned = 'account' | 'subscriber';

const folder = 'tombstones/';
const keptMs = 365 * dayMs;

/**
 * Records that something was deleted. If this fails, the failure is only logged. @param id an id that is never used
 * again
 */
export async function writeTombstone(
  env: Pick<Env, 'FILES'>,
  log: Log,
  what: Tombstoned,
  id: string,
): Promise<void> {
  try {
    await env.FILES.put(`${folder}${what}/${id}`, '');
  } catch (error) {
    log('tombstone.write-failed', describeError(error));
  }
}

/**
 * Deletes records that a restore brought back.
 * @param fail reports why a record cannot be deleted now; the next run, an hour later, tries again
 * @returns the number of deleted records
 */
type DeleteAgain = (db: Database, ids: readonly string[], fail: (error: unknown) => void) => Promise<number>;

/** How each kind of record is deleted again. */
export type Deletions = Readonly<Record<Tombstoned, DeleteAgain>>;

/**
 * Deletes again what a restore brought back. The cron trigger runs this every hour, and immediately after a restore.
 */
export async function deleteTombstoned(
  env: Env,
  log: Log,
  deletions: Deletions,
  db: Database,
): Promise<void> {
  const last = await findRun(db, 'tombstones');
  if (last && remainingMs(last.ranAt, hourMs) > 0) return;
  let failure: string | null = null;
  const fail = (error: unknown) => {
    failure = error instanceof Error ? error.name : 'unknown';
    log('tombstones.failed', describeError(error));
  };
  try {
    for await (const objects of listObjects(env, folder)) {
      for (const [what, deleteThese] of Object.entries(deletions)) {
        const start = `${folder}${what}/`;
        const ids = objects.flatMap(({ key }) => (key.startsWith(start) ? [key.slice(start.length)] : []));
        if (ids.length === 0) continue;
        const deleted = await deleteThese(db, ids, fail);
        if (deleted > 0) log('tombstones.deleted-again', { what, deleted });
      }
      const expired = objects.filter(({ uploaded }) => uploaded.getTime() < Date.now() - keptMs);
      await deleteObjects(
        env,
        expired.map(({ key }) => key),
      );
    }
  } catch (error) {
    fail(error);
  }
  await recordRun(db, 'tombstones', failure);
}
