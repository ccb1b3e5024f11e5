/** Notes that a job ran, so that its silence is noticed. */
import { sql } from 'drizzle-orm';
import type { Database } from '../db/client.ts';
import { jobRuns, type JobName } from './schema.ts';

/** @param failure what went wrong, without personal data; null when it went well */
export async function noteRun(db: Database, name: JobName, failure: string | null): Promise<void> {
  const now = Date.now();
  await db
    .insert(jobRuns)
    .values({ name, ranAt: now, succeededAt: failure === null ? now : null, failure })
    .onConflictDoUpdate({
      target: jobRuns.name,
      set: {
        ranAt: now,
        failure,
        succeededAt: sql`coalesce(excluded.succeededAt, ${jobRuns.succeededAt})`,
      },
    });
}
