/** What the cron does for publishing: repeats a purge that was refused, repairs the copy of the live pages, deletes what old builds stored. */
import { and, asc, inArray, lt, ne } from 'drizzle-orm';
import { buildId } from '#site-renderer';
import { openDatabase, writeBatch, type Database } from '../db/client.ts';
import type { Env } from '../env.ts';
import type { Log } from '../http/log.ts';
import { lookUpLive } from './live.ts';
import { copyKeyOf, repairCopy, type CopyBucket } from './page-copy.ts';
import { repeatPurge } from './purge.ts';
import { pages, pageSets } from './schema.ts';

/** How long a build is kept after it last stored a page, in ms: a release that is taken back is there at once. */
const keepMs = 30 * 86_400_000;
/** Most builds of one run. */
const runLength = 5;

/**
 * Deletes what builds have stored that are no more: their rendered pages in the database, their copies in the bucket. A
 * build that is served after all, as after a rollback, renders its pages anew.
 */
export async function pruneBuilds(db: Database, files: Pick<CopyBucket, 'delete'>, log: Log): Promise<void> {
  const old = await db
    .select({ buildId: pageSets.buildId })
    .from(pageSets)
    .where(and(ne(pageSets.buildId, buildId), lt(pageSets.renderedAt, Date.now() - keepMs)))
    .orderBy(asc(pageSets.renderedAt))
    .limit(runLength);
  if (old.length === 0) return;
  const builds = old.map((one) => one.buildId);
  // What the database still names is deleted again by the next run.
  await files.delete(builds.map(copyKeyOf));
  await writeBatch(db, [
    db.delete(pages).where(inArray(pages.buildId, builds)),
    db.delete(pageSets).where(inArray(pageSets.buildId, builds)),
  ]);
  log('builds.pruned', { builds: builds.length });
}

/** Run by the cron trigger. */
export async function keepPublished(env: Env, log: Log): Promise<void> {
  await repeatPurge(env.FILES, log);
  const db = openDatabase(env);
  await repairCopy(env.FILES, await lookUpLive(db), log);
  await pruneBuilds(db, env.FILES, log);
}
