/** Records the runs of background jobs, and finds jobs that failed or stopped. */
import { eq, sql } from 'drizzle-orm';
import { displayTimeIn } from '#contract/zoned-time.ts';
import { readTogether, type Database } from '../db/client.ts';
import type { Env } from '../env.ts';
import { dayMs, hourMs } from '../http/clock.ts';
import { jobRuns, type JobName } from './schema.ts';

/**
 * @param failure what went wrong, without personal data; null after a success
 * @param doneUntil the time up to which all work is done, in ms
 */
export async function recordRun(
  db: Database,
  name: JobName,
  failure: string | null,
  doneUntil: number = Date.now(),
): Promise<void> {
  const now = Date.now();
  await db
    .insert(jobRuns)
    .values({ name, ranAt: now, succeededAt: failure === null ? doneUntil : null, failure })
    .onConflictDoUpdate({
      target: jobRuns.name,
      set: {
        ranAt: now,
        failure,
        succeededAt: sql`coalesce(excluded.succeededAt, ${jobRuns.succeededAt})`,
      },
    });
}

/**
 * The cron triggers in `wrangler.toml`. Slow work, and non-urgent work that is billed per call, has a separate trigger.
 * https://developers.cloudflare.com/workers/configuration/cron-triggers/
 */
export const cronTriggers = {
  everyMinute: '* * * * *',
  hourly: '17 * * * *',
  nightly: '23 3 * * *',
} as const;

export type JobRun = typeof jobRuns.$inferSelect;

export const runQuery = (db: Database, name: JobName) =>
  db.select().from(jobRuns).where(eq(jobRuns.name, name));

/** The last run of a job; undefined before its first run. */
export const findRun = (db: Database, name: JobName) => runQuery(db, name).get();

/**
 * How long after a restore, in ms, another backup may still be restored. That backup may refer to files that this
 * database does not contain.
 */
const doubtedForMs = 30 * dayMs;

/**
 * The time of a restore in the last 30 days, in ms; 0 if there was none. Sweeps of the bucket keep files that were
 * uploaded before it, because a missing row does not prove that a file is unused.
 */
export async function restoredAt(db: Database, now: number): Promise<number> {
  const at = (await findRun(db, 'restore'))?.ranAt ?? 0;
  return now - at > doubtedForMs ? 0 : at;
}

/** Synchronized clocks never differ by this much, in ms. Every retention period is longer. */
const clockGapMs = hourMs;

/**
 * Whether the clocks of this machine and the database differ by more than an hour. The right time is then unknown,
 * and no job may delete rows by age.
 * @throws if the database does not answer
 */
export async function isClockSkewed(db: Database): Promise<boolean> {
  const [row] = await db.all<{ seconds: number }>(sql`SELECT unixepoch() AS seconds`);
  return Math.abs(Date.now() - Number(row?.seconds) * 1_000) > clockGapMs;
}

/** How long the every-minute cron trigger may go without a run before it counts as stopped, in ms. */
export const cronStoppedAfterMs = 5 * 60_000;
/**
 * How long after a deployment a new site's first cron run may take, in ms. Cloudflare needs up to fifteen minutes to
 * activate a new trigger. https://developers.cloudflare.com/workers/configuration/cron-triggers/
 */
export const firstRunGraceMs = 30 * 60_000;
/**
 * How long cron runs must keep failing before someone is notified, in ms. A single run may fail because a service that
 * it uses fails.
 */
const cronFailingMs = 15 * 60_000;
/** The longest time allowed between two nightly backups, in ms. */
export const backupLimitMs = 26 * hourMs;

export interface JobFault {
  /** Identifies the problem. */
  readonly key: string;
  /** One or more sentences. */
  readonly text: string;
}

/** Reads the last runs of all jobs, and the time of the first publication in ms. */
async function readRuns(db: Database) {
  const [rows, filled] = await readTogether(db, [
    db.select().from(jobRuns),
    db
      .select({ at: sql<number>`at` })
      .from(sql`publications`)
      .where(sql`revision = 1`),
  ]);
  return { rows, filledAt: filled[0]?.at ?? Infinity };
}

const untilItRuns =
  'Until it runs, emails wait and payments are not checked. Look at the Worker in the Cloudflare dashboard, Settings, Trigger events.';

const timeOf = (at: number | null, timeZone: string): string =>
  at === null ? 'never' : displayTimeIn(at, timeZone);

/** @param run undefined before the first backup. @param filledAt the time of the first publication, in ms */
function findBackupFault(run: JobRun | undefined, filledAt: number, now: number, timeZone: string) {
  if (!run)
    return now - filledAt > backupLimitMs
      ? { key: 'job:backup', text: 'No backup has been made yet. Check the log of the Worker.' }
      : undefined;
  const { succeededAt, failure } = run;
  if (failure === null && now - (succeededAt ?? -Infinity) <= backupLimitMs) return undefined;
  const reason = failure === null ? '' : ` (${failure})`;
  return {
    key: 'job:backup',
    text: `No backup could be made${reason}. Its last success: ${timeOf(succeededAt, timeZone)}.`,
  };
}

/** @param run undefined before the first run. @param deployedAt the time of the last deployment, in ms */
function findCronFault(run: JobRun | undefined, deployedAt: number, now: number, timeZone: string) {
  if (!run)
    return now - deployedAt > firstRunGraceMs
      ? { key: 'job:cron', text: `The cron trigger has never run. ${untilItRuns}` }
      : undefined;
  const { ranAt, succeededAt, failure } = run;
  if (now - ranAt > cronStoppedAfterMs)
    return {
      key: 'job:cron',
      text: `The cron trigger has stopped: it last ran ${timeOf(ranAt, timeZone)}. ${untilItRuns}`,
    };
  if (failure === null || now - (succeededAt ?? -Infinity) <= cronFailingMs) return undefined;
  return {
    key: 'job:cron-failing',
    text: `The cron trigger runs, but fails (${failure}). Its last success: ${timeOf(succeededAt, timeZone)}. Look at the Worker's log.`,
  };
}

/** Finds the jobs that need attention. @param now time in ms */
export async function readJobFaults(
  { SITE_TIMEZONE }: Pick<Env, 'SITE_TIMEZONE'>,
  db: Database,
  now: number,
): Promise<JobFault[]> {
  const { rows, filledAt } = await readRuns(db);
  const runOf = (job: JobName) => rows.find(({ name }) => name === job);
  const deployedAt = runOf('deployment')?.ranAt ?? Infinity;
  return [
    findBackupFault(runOf('backup'), filledAt, now, SITE_TIMEZONE),
    findCronFault(runOf('cron'), deployedAt, now, SITE_TIMEZONE),
  ].filter((fault) => fault !== undefined);
}

/** Whether the cron trigger has stopped, or never ran. @throws if the database does not answer */
export const hasCronStopped = async (
  env: Pick<Env, 'SITE_TIMEZONE'>,
  db: Database,
  now: number,
): Promise<boolean> => (await readJobFaults(env, db, now)).some(({ key }) => key === 'job:cron');
