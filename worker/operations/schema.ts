/** The last runs of the background jobs, which `npm run doctor` also reads, and the alerts that were sent. */
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/**
 * - `events`: reads the events that Stripe lists. `succeededAt` is the time up to which they were read.
 * - `tombstones`: repeats deletions that a restore undid.
 * - `restore`: restored the database from a backup.
 * - `deployment`: prepared the database for a deployment.
 * - `paymentKey`: tests the payment key at Stripe. The failure names the error, the key and the key's version.
 */
const jobNames = ['cron', 'backup', 'events', 'tombstones', 'restore', 'deployment', 'paymentKey'] as const;
export type JobName = (typeof jobNames)[number];

/** One row per job. Times are in ms. */
export const jobRuns = sqliteTable('job_runs', {
  name: text({ enum: jobNames }).primaryKey(),
  /** When it last finished, successfully or not. */
  ranAt: integer().notNull(),
  /** When it last succeeded; null before the first success. */
  succeededAt: integer(),
  /** What went wrong in the last run, without personal data; null after a success. */
  failure: text(),
});

/** Unresolved problems that were reported in an alert email. A row is deleted when its problem is resolved. */
export const alerts = sqliteTable('alerts', {
  /** The kind of the problem, and its id. */
  key: text().primaryKey(),
  /** Time in ms. */
  at: integer().notNull(),
});
