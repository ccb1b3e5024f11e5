/** Deletes what the editor keeps for a while. */
import { openDatabase } from '../db/client.ts';
import type { Env } from '../env.ts';
import { sweepDrafts } from './drafts.ts';
import { sweepPreviewLinks } from './preview-links.ts';

/** Run by the cron trigger. */
export async function sweepEditor(env: Env): Promise<void> {
  const [db, now] = [openDatabase(env), Date.now()];
  await sweepPreviewLinks(db, now);
  await sweepDrafts(db, now);
}
