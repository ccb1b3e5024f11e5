/** Deletes the editor's expired data. */
import type { Database } from '../db/client.ts';
import { sweepDrafts } from './drafts.ts';
import { sweepPreviewLinks } from './preview-links.ts';

export async function sweepEditor(db: Database): Promise<void> {
  const now = Date.now();
  await Promise.all([sweepPreviewLinks(db, now), sweepDrafts(db, now)]);
}
