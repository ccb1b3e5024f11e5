/**
 * The cron jobs of publishing. They repair the copy of the live pages, and delete the stored pages of old builds.
 */
import { and, asc, desc, eq, inArray, lt, ne } from 'drizzle-orm';
import { buildId } from '#site-renderer';
import { publications } from '../content/schema.ts';
import { readTogether, writeBatch, type Database } from '../db/client.ts';
import { numberFrom, type Env } from '../env.ts';
import type { Log } from '../http/log.ts';
import { dayMs } from '../http/clock.ts';
import { lookUpLive } from './live.ts';
import { copyKeyOf, repairFallbackCopy, type CopyBucket } from './fallback-copy.ts';
import { pages, pageSets } from './schema.ts';

/** The maximum number of builds that one run deletes. */
const runLength = 5;

/**
 * Deletes the stored pages of old builds: in the database, and the copies in the bucket. A build that is deployed
 * again, for example by a rollback, renders its pages again.
 * @param keptDays how many days the pages of a build are kept after it last stored one, so that a rollback is live
 * immediately
 */
export async function pruneBuilds(
  db: Database,
  files: Pick<CopyBucket, 'delete'>,
  log: Log,
  keptDays: number,
): Promise<void> {
  const old = await db
    .select({ buildId: pageSets.buildId })
    .from(pageSets)
    .where(and(ne(pageSets.buildId, buildId), lt(pageSets.renderedAt, Date.now() - keptDays * dayMs)))
    .orderBy(asc(pageSets.renderedAt))
    .limit(runLength);
  if (old.length === 0) return;
  const builds = old.map((one) => one.buildId);
  // If this fails, the rows of the build remain, and the next run repeats it.
  await files.delete(builds.map(copyKeyOf));
  await writeBatch(db, [
    db.delete(pages).where(inArray(pages.buildId, builds)),
    db.delete(pageSets).where(inArray(pageSets.buildId, builds)),
  ]);
  log('builds.pruned', { builds: builds.length });
}

/** The hourly cron job: the bucket may have lost the copy. */
export async function checkFallbackCopy(env: Env, log: Log, db: Database): Promise<void> {
  const { publishedAt } = await repairFallbackCopy(env.FILES, () => lookUpLive(db), log);
  await db.update(pageSets).set({ copiedAt: publishedAt }).where(eq(pageSets.buildId, buildId));
}

/** Reads the bucket only if something was published since we last saw its copy. */
async function checkNewCopy(env: Env, log: Log, db: Database): Promise<void> {
  const [[newest], [set]] = await readTogether(db, [
    db.select({ at: publications.at }).from(publications).orderBy(desc(publications.revision)).limit(1),
    db.select({ copiedAt: pageSets.copiedAt }).from(pageSets).where(eq(pageSets.buildId, buildId)),
  ]);
  if (newest && newest.at !== set?.copiedAt) await checkFallbackCopy(env, log, db);
}

/** The cron job that runs every minute. */
export async function runPublishingJobs(env: Env, log: Log, db: Database): Promise<void> {
  await Promise.all([
    checkNewCopy(env, log, db),
    pruneBuilds(db, env.FILES, log, numberFrom(env, 'LIMIT_BUILD_DAYS', 30)),
  ]);
}
