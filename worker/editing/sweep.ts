/** Deletes what the editor keeps for a while. */
import { openDatabase } from '../db/client.ts';
import type { Env } from '../env.ts';
import { sweepPreviewLinks } from './preview-links.ts';

/** Run by the cron trigger. */
export async function sweepEditor(env: Env): Promise<void> {
  await sweepPreviewLinks(openDatabase(env), Date.now());
}
