/** When each background job last ran; `npm run doctor` reads it. */
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/**
 * `backupTurn`: a run that works on the backup, whose `succeededAt` is when one was last seen in the bucket. `events`: reading those that Stripe lists, whose `succeededAt` is the time up
 * to which they were read. `missedEvents`: one of them, or a payment, was found that had not been delivered. `tombstones`: deleting again what a backup brought back. `purge`: a purge of the cache, which has a failure while it is to be repeated. `restore`: the database was restored from
 * a backup. `deployment`: it was prepared for one.
 */
const jobNames = [
  'cron',
  'backup',
  'backupTurn',
  'disputes',
  'events',
  'missedEvents',
  'tombstones',
  'purge',
  'restore',
  'deployment',
  'paymentKey',
] as const;
export type JobName = (typeof jobNames)[number];

/** One row a job. Times are in ms. */
export const jobRuns = sqliteTable('job_runs', {
  name: text({ enum: jobNames }).primaryKey(),
  /** When it last finished, successfully or not. */
  ranAt: integer().notNull(),
  /** When it last succeeded; null while it never has. */
  succeededAt: integer(),
  /** What went wrong in the last run, without personal data; null when it went well. */
  failure: text(),
});

/** What a mail has reported and is not settled yet; settled rows are deleted. */
export const alerts = sqliteTable('alerts', {
  /** The kind of thing, and its id. */
  key: text().primaryKey(),
  /** Time in ms. */
  at: integer().notNull(),
});
