/**
 * Tombstones: empty objects in the bucket that name what people had deleted, for a year. A backup from before brings it
 * back when it is restored; by its tombstone it is deleted again, within a minute of going live.
 */
import { openDatabase, type Database } from '../db/client.ts';
import type { Env } from '../env.ts';
import { describeError, type Log } from '../http/log.ts';
import { deleteObjects, listObjects } from './bucket.ts';
import { runWhenDue } from './jobs.ts';

/** What has tombstones. */
export type Tombstoned = 'account' | 'subscriber';

const folder = 'tombstones/';
const keptMs = 365 * 86_400_000;
const hourMs = 3_600_000;

/** Notes that something was deleted; that it could not be noted is logged. @param id which nothing else gets */
export async function writeTombstone(
  env: Pick<Env, 'FILES'>,
  log: Log,
  what: Tombstoned,
  id: string,
): Promise<void> {
  try {
    await env.FILES.put(`${folder}${what}/${id}`, '');
  } catch (error) {
    log('tombstones.not-made', describeError(error));
  }
}

/**
 * Deletes what is there again.
 * @param fail is told why something cannot be deleted now; it is tried again an hour later
 * @returns how many were deleted
 */
type DeleteAgain = (db: Database, ids: readonly string[], fail: (error: unknown) => void) => Promise<number>;

/** Run by the cron trigger: each hour, and at once after a restore, deletes again what a backup brought back. */
export const deleteTombstoned = (
  env: Env,
  log: Log,
  deleteAgain: Readonly<Record<Tombstoned, DeleteAgain>>,
  db: Database = openDatabase(env),
) => {
  const logFailure = (details: ReturnType<typeof describeError>) => log('tombstones.failed', details);
  return runWhenDue(db, { name: 'tombstones', everyMs: hourMs, logFailure }, async (_, fail) => {
    for await (const objects of listObjects(env, folder)) {
      for (const [what, deleteThese] of Object.entries(deleteAgain)) {
        const start = `${folder}${what}/`;
        const ids = objects.flatMap(({ key }) => (key.startsWith(start) ? [key.slice(start.length)] : []));
        if (ids.length === 0) continue;
        const deleted = await deleteThese(db, ids, fail);
        if (deleted > 0) log('tombstones.deleted-again', { what, deleted });
      }
      const over = objects.filter(({ uploaded }) => uploaded.getTime() < Date.now() - keptMs);
      await deleteObjects(
        env,
        over.map(({ key }) => key),
      );
    }
    return true;
  });
};
