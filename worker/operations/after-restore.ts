/** Prepares the background jobs of a restored database before it goes live. */
import { eq } from 'drizzle-orm';
import type { Database } from '../db/client.ts';
import { recordRun } from './jobs.ts';
import { jobRuns } from './schema.ts';

/** Records the restore, and schedules the job that repeats the deletions made since the backup. */
export async function recordRestore(db: Database): Promise<void> {
  await db.delete(jobRuns).where(eq(jobRuns.name, 'tombstones'));
  await recordRun(db, 'restore', null);
}
