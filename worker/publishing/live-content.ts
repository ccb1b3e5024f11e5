/** Reads the live pages together with the content that they are rendered from. */
import type { Edit } from '../content/edits.ts';
import { withLongTexts } from '../content/long-texts.ts';
import { contentFrom, contentQueries } from '../content/reader.ts';
import type { Database } from '../db/client.ts';
import { queryLiveState, resolveLive } from './find-live.ts';
import { adopt, remembered } from './live.ts';
import { renderedPaths, type LiveContent } from './page-set.ts';
import { renderAll } from './stored-pages.ts';

/**
 * Reads the live state with its content in one consistent snapshot, as the basis of a save.
 * @param whole ids of the records that are read with their long texts
 */
export async function readLive(db: Database, whole: readonly string[] = []): Promise<LiveContent> {
  const known = remembered();
  const found = await queryLiveState(db, known, renderedPaths, contentQueries(db, whole));
  const { revision, publishedAt } = found;
  const content = contentFrom(found.more);
  const stored = resolveLive(known, found, renderedPaths);
  const live = stored ? { ...stored, content } : await renderAll(db, { revision, publishedAt, content });
  adopt(live, known);
  return live;
}

/**
 * A state with the long texts that an edit reads.
 * @returns undefined if it is out of date
 */
export async function wholeIn(
  db: Database,
  known: LiveContent,
  { reads }: Edit,
): Promise<LiveContent | undefined> {
  const content = await withLongTexts(db, known.content, reads);
  return content === known.content ? known : content && { ...known, content };
}
