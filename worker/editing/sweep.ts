/** Deletes the editor's expired data. */
import { openDatabase, type Database } from '../db/client.ts';
import type { Env } from '../env.ts';
import { sweepDrafts } from './drafts.ts';
import { sweepPreviewLinks } from './preview-links.ts';

/** The cron job's entry point. */
export async function sweepEditor(env: Env, db: Database = openDatabase(env)): Promise<void> {
  const now = Date.now();
  await Promise.all([sweepPreviewLinks(db, now), sweepDrafts(db, now)]);
}
