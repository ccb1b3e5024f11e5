/** When each background job last ran; `npm run doctor` reads it. */
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/**
 * - `events`: reading the events that Stripe lists. Its `succeededAt` is the time up to which they were read.
 * - `missedEvents`: an event, or a payment, was found that had not been delivered.
 * - `tombstones`: deleting again what a backup brought back.
 * - `purge`: a purge of the cache. It has a failure while the purge must be repeated.
 * - `restore`: the database was restored from a backup.
 * - `deployment`: the database was prepared for a deployment.
 * - `paymentKey`: trying the payment key at Stripe. Its failure names the refusal, the key and the key's version.
 */
const jobNames = [
  'cron',
  'backup',
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
