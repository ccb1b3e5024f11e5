/** Articles whose texts link to what a save removes. Most texts are not in memory, so the database finds them. */
import { and, sql } from 'drizzle-orm';
import type { RecordChange } from '../content/edits.ts';
import { withLongTexts } from '../content/long-texts.ts';
import type { StoredContent } from '../content/stored.ts';
import { contentTables } from '../db/content-tables.ts';
import type { Database } from '../db/client.ts';
import { recordPagesOf } from './record-pages.ts';
import { pathsLeft } from './redirects.ts';
import { renderPages, type Rendered } from './render.ts';

/** One page is enough to refuse a save, and few hold the path without a link to it. */
const mostRendered = 20;

/**
 * Renders the articles that hold a path which leads nowhere after changes, so that their links can be checked. Articles
 * that the changes are about are rendered anyway.
 * @param content as it would be
 */
export async function renderLinkingArticles(
  db: Database,
  content: StoredContent,
  changes: readonly RecordChange[],
): Promise<readonly Rendered[]> {
  const left = [...pathsLeft(content, changes)];
  if (left.length === 0) return [];
  const changed = changes.map(({ before, after }) => (after ?? before)?._id ?? '');
  const { article } = contentTables;
  // Lists as one parameter each, because a statement takes a limited number of them.
  const rows = await db
    .select({ _id: article._id })
    .from(article)
    .where(
      and(
        sql`EXISTS (SELECT 1 FROM json_each(${JSON.stringify(left)}) WHERE instr(${article.text}, value))`,
        sql`${article._id} NOT IN (SELECT value FROM json_each(${JSON.stringify(changed)}))`,
      ),
    )
    .limit(mostRendered);
  const ids = new Set(rows.map(({ _id }) => _id));
  const paths = [...recordPagesOf(content).values()]
    .filter((page) => page.type === 'article' && ids.has(page.article._id))
    .map(({ path }) => path);
  const whole = await withLongTexts(db, content, [...ids]);
  // Without texts, somebody else has saved one of them: then the batch of this save is refused, and it is tried again.
  return whole ? renderPages(paths, whole) : [];
}
