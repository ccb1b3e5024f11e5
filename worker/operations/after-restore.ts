/** What the jobs of a restored database need before it goes live. */
import { eq } from 'drizzle-orm';
import type { Database } from '../db/client.ts';
import { noteRun } from './jobs.ts';
import { jobRuns } from './schema.ts';

/** Records the restore, and makes the job due that deletes again what was deleted since the backup. */
export async function noteRestore(db: Database): Promise<void> {
  await db.delete(jobRuns).where(eq(jobRuns.name, 'tombstones'));
  await noteRun(db, 'restore', null);
}
