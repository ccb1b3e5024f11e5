/**
 * Articles whose texts link to a path that a save removes. Most texts are not in memory, so the database finds
 * them.
 */
import { and, sql } from 'drizzle-orm';
import type { RecordChange } from '../content/edits.ts';
import { withLongTexts } from '../content/long-texts.ts';
import type { StoredContent } from '../content/stored.ts';
import { contentTables } from '../db/content-tables.ts';
import type { Database } from '../db/client.ts';
import { recordPagesOf } from './record-pages.ts';
import { removedPaths } from './redirects.ts';
import { renderPages, type Rendered } from './render.ts';

/** One page is enough to reject a save, and few texts contain the path without linking to it. */
const maxRendered = 20;

/**
 * Renders the articles whose texts contain a path that does not exist after the changes, so that their links can be
 * checked. Articles that the changes themselves affect are rendered anyway.
 * @param content the content after the changes
 */
export async function renderLinkingArticles(
  db: Database,
  content: StoredContent,
  changes: readonly RecordChange[],
): Promise<readonly Rendered[]> {
  const left = [...removedPaths(content, changes)];
  if (left.length === 0) return [];
  const changed = changes.map(({ before, after }) => (after ?? before)?._id ?? '');
  const { article } = contentTables;
  // Each list is one parameter, because a statement takes a limited number of them.
  const rows = await db
    .select({ _id: article._id })
    .from(article)
    .where(
      and(
        sql`EXISTS (SELECT 1 FROM json_each(${JSON.stringify(left)}) WHERE instr(${article.text}, value))`,
        sql`${article._id} NOT IN (SELECT value FROM json_each(${JSON.stringify(changed)}))`,
      ),
    )
    .limit(maxRendered);
  const ids = new Set(rows.map(({ _id }) => _id));
  const paths = [...recordPagesOf(content).values()]
    .filter((page) => page.type === 'article' && ids.has(page.article._id))
    .map(({ path }) => path);
  const whole = await withLongTexts(db, content, [...ids]);
  // If the texts are missing, someone else has saved one of them. The database then rejects the batch of this save,
  // and the save is retried.
  return whole ? renderPages(paths, whole) : [];
}
