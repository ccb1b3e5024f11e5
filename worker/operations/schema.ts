/** What runs by itself, and when it last did: what `npm run doctor` asks after. */
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** `backupTurn`: somebody is at work on the backup. `restore`: the database came out of one. */
const jobNames = ['cron', 'backup', 'backupTurn', 'disputes', 'repair', 'restore'] as const;
export type JobName = (typeof jobNames)[number];

/** One row a job. Times are in ms. */
export const jobRuns = sqliteTable('job_runs', {
  name: text({ enum: jobNames }).primaryKey(),
  /** When it last came to its end, well or not. */
  ranAt: integer().notNull(),
  /** When it last ended well; null while it never has. */
  succeededAt: integer(),
  /** What went wrong in the last run, without personal data; null when it went well. */
  failure: text(),
});

/** What somebody was told of by mail and is not settled yet. A row goes when it is. */
export const alerts = sqliteTable('alerts', {
  /** The kind of thing, and its id. */
  key: text().primaryKey(),
  /** Time in ms. */
  at: integer().notNull(),
});
