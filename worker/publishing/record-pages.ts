/**
 * Pages that come from records: which of them a save changes, and how one is rendered at its first request.
 *
 * A save stores the pages of the articles that it changes, and marks the others that it affects: a row of `pages` without
 * HTML. A marked page is rendered and stored at its next request. A save therefore costs the same however many articles
 * there are (docs/decisions/publishing.md).
 */
import { changedPages, recordPages, type RecordPage } from '#contract/articles.ts';
import { linkTo } from '#contract/screens.ts';
import { isShown, type SectionName } from '#contract/sections/index.ts';
import type { RecordChange } from '../content/edits.ts';
import { withLongTexts } from '../content/long-texts.ts';
import { isSamePublication } from '../content/publication.ts';
import { publicContentOf } from '../content/reader.ts';
import type { StoredContent } from '../content/stored.ts';
import { writeUnlessConflict, type Database } from '../db/client.ts';
import { remembered } from './live.ts';
import { readLive } from './live-content.ts';
import { hasContent, isFixedPath, type Live, type LivePage } from './page-set.ts';
import { renderPages } from './render.ts';
import { assertLive, pageStatement } from './stored-pages.ts';

/** The sections that every page from a record reads: exactly those of the list of articles. */
export const sectionsOfRecordPages = (
  sections: ReadonlyMap<string, ReadonlySet<SectionName>>,
): ReadonlySet<SectionName> | undefined => sections.get(linkTo('articles'));

/** The maximum number of pages from records that one save stores. It marks the others. */
const maxRendered = 20;

/** The maximum number of marked pages that a list of changed pages names. */
const maxListed = 50;

export const recordPagesOf = (content: StoredContent): ReadonlyMap<string, RecordPage> =>
  recordPages(publicContentOf(content).article);

/** The paths of the pages of articles. @param ids of their records */
export const articlePages = (content: StoredContent, ids: ReadonlySet<string>): string[] =>
  [...recordPagesOf(content).values()]
    .filter((page) => page.type === 'article' && ids.has(page.article._id))
    .map(({ path }) => path);

/** The paths of the pages of the articles that changes add or change. */
export const ownPages = (content: StoredContent, changes: readonly RecordChange[]): string[] =>
  articlePages(
    content,
    new Set(changes.flatMap(({ section, after }) => (section === 'article' && after ? [after._id] : []))),
  );

/**
 * Whether a change may affect every page, through the header, the footer or a picture. A new picture is not on any
 * page yet.
 */
const isOnEveryPage = (
  { section, before }: RecordChange,
  sections: ReadonlySet<SectionName> | undefined,
): boolean =>
  section !== 'article' &&
  isShown(section) &&
  (sections?.has(section) ?? true) &&
  (section !== 'media' || before !== undefined);

interface StalePages {
  /** Paths of pages that the save renders and stores. */
  readonly rendered: readonly string[];
  /** Paths of pages that are rendered at their next request, or no longer exist. */
  readonly marked: readonly string[];
  /** The marked pages that certainly change, for a list that people read; at most 50. */
  readonly listed: readonly string[];
}

/**
 * The pages from records that changes affect.
 * @param before the content before the changes
 * @param after the content with the changes
 * @param sections the sections that each page reads, by path
 */
export function stalePages(
  before: StoredContent,
  after: StoredContent,
  changes: readonly RecordChange[],
  sections: ReadonlyMap<string, ReadonlySet<SectionName>>,
): StalePages {
  const everySection = sectionsOfRecordPages(sections);
  const everywhere = changes.filter((change) => isOnEveryPage(change, everySection));
  const isAll = everywhere.length > 0;
  if (!isAll && !changes.some(({ section }) => section === 'article'))
    return { rendered: [], marked: [], listed: [] };
  const [old, now] = [publicContentOf(before).article, publicContentOf(after).article];
  const rendered = new Set(ownPages(after, changes).slice(0, maxRendered));
  const isMarked = (path: string) => !isFixedPath(path) && !rendered.has(path);
  const all = isAll ? [...new Set([...recordPages(old).keys(), ...recordPages(now).keys()])] : [];
  // The header and the footer are on every page. A changed picture may be on none.
  const isFrameChanged = everywhere.some(({ section }) => section !== 'media');
  const changed = isFrameChanged ? all : changedPages(old, now);
  return {
    rendered: [...rendered],
    marked: (isAll ? all : changed).filter(isMarked),
    listed: changed.filter(isMarked).slice(0, maxListed),
  };
}

/**
 * Renders a page from a record, and stores it for everyone unless content was saved in the meantime.
 * @param live the live publication, according to the database
 * @returns undefined if no record has a page at this path
 */
export async function renderRecordPage(
  db: Database,
  live: Live,
  path: string,
): Promise<LivePage | undefined> {
  const known = remembered();
  // The database has just confirmed the live publication.
  const base = hasContent(known) && isSamePublication(known, live) ? known : await readLive(db);
  const page = recordPagesOf(base.content).get(path);
  if (!page || isFixedPath(path)) return undefined;
  const whole = page.type === 'article' ? [page.article._id] : [];
  const content = (await withLongTexts(db, base.content, whole)) ?? (await readLive(db, whole)).content;
  const [rendered] = await renderPages([path], content);
  if (!rendered) return undefined;
  const { html, etag, csp } = rendered;
  const made = { path, html, etag, csp, revision: base.revision };
  const statements = [...assertLive(db, base), pageStatement(db, made)];
  await writeUnlessConflict(db, statements, 'contentUnchanged');
  return made;
}
