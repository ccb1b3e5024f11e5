/** What a save changes: records, and the pages that show them. Publishing writes a plan, and a dry run describes it. */
import { and, sql } from 'drizzle-orm';
import { isShown } from '#contract/sections/index.ts';
import { dayIn } from '#contract/zoned-time.ts';
import { withArticleRules } from '../content/article-rules.ts';
import { applyChanges, type Edit, type RecordChange } from '../content/edits.ts';
import { isWhole, withLongTexts } from '../content/long-texts.ts';
import type { StoredContent } from '../content/stored.ts';
import { contentTables } from '../db/content-tables.ts';
import type { Database } from '../db/client.ts';
import type { Env } from '../env.ts';
import { checkMedia } from '../media/uses.ts';
import { renderedPaths, type LiveContent, type LivePage, type PageSet } from './page-set.ts';
import { articlePages, ownPages, stalePages } from './record-pages.ts';
import { checkArticlePaths, checkPages, checkRedirects, removedPaths } from './redirects.ts';
import { checkTextLinks, renderPages, type Rendered } from './render.ts';
import { mergePages } from './stored-pages.ts';

export interface PlanContext {
  readonly db: Database;
  readonly env: Pick<Env, 'ASSETS' | 'FILES' | 'SITE_URL' | 'SITE_TIMEZONE'>;
  /** The release that the edit comes from, if any. */
  readonly releaseId?: string | undefined;
  /** When it is published, in ms; now by default. */
  readonly at?: number;
  /** A preview also accepts articles with a future day. */
  readonly isPreview?: boolean;
}

interface Applied {
  readonly changes: readonly RecordChange[];
  readonly content: StoredContent;
}

/** @throws Error for an edit that would lose a long text, because it does not name the record in `reads` */
function refuseUnread(changes: readonly RecordChange[]): void {
  for (const { section, before, after } of changes)
    for (const record of [before, after])
      if (record && !isWhole(section, record)) throw new Error(`An edit of ${section} lost a long text.`);
}

/**
 * Applies an edit with its resulting changes, and checks everything that does not need the rendered pages.
 * @param before the content, with the long texts that the edit reads
 * @throws ApiError what the edit or the checks throw
 */
export async function applyEdit(
  before: StoredContent,
  edit: Edit,
  { db, env, releaseId, at = Date.now(), isPreview = false }: PlanContext,
): Promise<Applied> {
  const today = dayIn(env.SITE_TIMEZONE, at);
  const changes = withArticleRules(before, edit.changesTo(before), { today, isPreview });
  refuseUnread(changes);
  await checkTextLinks(changes);
  const content = applyChanges(before, changes);
  checkArticlePaths(content, changes);
  await checkRedirects(content, changes, env);
  await checkMedia(content, changes, { db, env, exceptRelease: releaseId });
  return { changes, content };
}

interface Plan extends Applied {
  /** The rendered pages, including those that the save does not store. */
  readonly rendered: readonly Rendered[];
  /** The pages that the save stores, because their bytes change. */
  readonly changed: readonly LivePage[];
  /** Paths of the pages from records that are rendered at their next request, or no longer exist. */
  readonly marked: readonly string[];
  /** The marked pages that a list of changed pages names. */
  readonly listed: readonly string[];
  /** All pages after the save, and the sections that each of them read. */
  readonly set: PageSet;
  readonly sections: LiveContent['sections'];
}

/** One page is enough to reject a save, and few texts contain the path without linking to it. */
const maxLinking = 20;

/**
 * Renders the articles whose texts contain a path that does not exist after the changes, so that their links can be
 * checked. Most texts are not in memory, so the database finds them. Articles that the changes themselves affect are
 * rendered anyway.
 * @param content the content after the changes
 */
async function renderLinkingArticles(
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
    .limit(maxLinking);
  const ids = new Set(rows.map(({ _id }) => _id));
  const whole = await withLongTexts(db, content, [...ids]);
  // If the texts are missing, someone else has saved one of them. The database then rejects the batch of this save,
  // and the save is retried.
  return whole ? renderPages(articlePages(content, ids), whole) : [];
}

/**
 * Applies an edit to the live state, and renders and checks what it affects. Nothing is written.
 * @throws ApiError what the edit or the checks throw, or 422 that names a page that does not render
 */
export async function planSave(base: LiveContent, edit: Edit, context: PlanContext): Promise<Plan> {
  const { db, env } = context;
  const { changes, content } = await applyEdit(base.content, edit, context);
  const shown = changes.filter(({ section }) => isShown(section));
  const isAffected = (path: string) => {
    const sections = base.sections.get(path);
    return !sections || shown.some(({ section }) => sections.has(section));
  };
  const fixed = await renderPages(shown.length > 0 ? renderedPaths.filter(isAffected) : [], content);
  const sections = new Map([...base.sections, ...fixed.map((page) => [page.path, page.sections] as const)]);
  const fromRecords = stalePages(base.content, content, changes, sections);
  const rendered = [...fixed, ...(await renderPages(fromRecords.rendered, content))];
  const { marked, listed } = fromRecords;
  const { set, changed } = mergePages(base, rendered, base.revision + 1, marked);
  // One batch cannot store the pages of hundreds of articles, but their links are checked.
  const others = ownPages(content, changes).filter((path) => !fromRecords.rendered.includes(path));
  const unstored = await renderPages(others, content);
  const linking = await renderLinkingArticles(db, content, changes);
  const all = [...set.pages.values(), ...set.frames.values(), ...linking];
  await checkPages(content, changes, { changed: [...changed, ...unstored], all }, env);
  return { changes, content, rendered: [...rendered, ...unstored], changed, marked, listed, set, sections };
}
