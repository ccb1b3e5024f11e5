/** Renders and stores the pages of this build. */
import { and, eq, gt, sql, type SQL } from 'drizzle-orm';
import { buildId } from '#site-renderer';
import { recordPages } from '#contract/articles.ts';
import type { PublicationId } from '../content/publication.ts';
import { publicContentOf, type Snapshot } from '../content/reader.ts';
import { publications } from '../content/schema.ts';
import { assert } from '../db/assert.ts';
import { writeBatch, type Database, type Statement } from '../db/client.ts';
import { hasRow } from '../db/has-row.ts';
import { newestRevision } from './find-live.ts';
import {
  isFixedPath,
  noPages,
  renderedPaths,
  withPages,
  type LiveContent,
  type LivePage,
  type PageSet,
} from './page-set.ts';
import { renderPages, type Rendered } from './render.ts';
import { pageSets, pages } from './schema.ts';

const notOlder = (table: typeof pages | typeof pageSets) =>
  sql`${gt(excludedRevision(), table.revision)} or ${gt(table.revision, newestRevision())}`;

/** The statement that stores one page of this build. */
export const pageStatement = (db: Database, page: LivePage): Statement =>
  db
    .insert(pages)
    .values({ buildId, ...page })
    .onConflictDoUpdate({
      target: [pages.buildId, pages.path],
      set: givenPage,
      // A marked page is filled in later, at the same revision.
      setWhere: sql`${notOlder(pages)} or (${pages.html} = '' and ${excludedRevision()} >= ${pages.revision})`,
    });

/**
 * The statements that mark pages from records as changed. This build renders each of them at its next request.
 */
export function markStatements(db: Database, paths: readonly string[], revision: number): Statement[] {
  if (paths.length === 0) return [];
  const list = sql`select ${buildId}, value, '', '', '', ${revision} from json_each(${JSON.stringify(paths)}) where true`;
  return [
    db
      .insert(pages)
      .select(list)
      .onConflictDoUpdate({ target: [pages.buildId, pages.path], set: givenPage, setWhere: notOlder(pages) }),
  ];
}

/**
 * The statement that asserts that a publication is the newest in the database. No publication comes before the
 * first revision.
 */
export function assertLive(db: Database, { revision, publishedAt }: PublicationId, holds?: SQL): Statement[] {
  const isLive = and(eq(publications.revision, revision), eq(publications.at, publishedAt), holds);
  return revision === 0 ? [] : [assert(db, hasRow(publications, isLive), 'contentUnchanged')];
}

/**
 * The statements that store pages of this build. They never overwrite newer ones, except those of a revision that no
 * longer exists after a restore.
 */
export function pageStatements(db: Database, changed: readonly LivePage[], revision: number): Statement[] {
  const renderedAt = Date.now();
  return [
    ...changed.map((page) => pageStatement(db, page)),
    db
      .insert(pageSets)
      .values({ buildId, revision, renderedAt })
      .onConflictDoUpdate({
        target: pageSets.buildId,
        set: { revision, renderedAt },
        setWhere: notOlder(pageSets),
      }),
  ];
}

const excludedRevision = () => sql`excluded."revision"`;
/** The page as a parameter of the statement, so that its text is sent only once. */
const givenPage = {
  html: sql`excluded."html"`,
  etag: sql`excluded."etag"`,
  csp: sql`excluded."csp"`,
  revision: excludedRevision(),
};

/**
 * The pages after a render: those whose bytes changed get the new revision, and the others stay as they are.
 * @param marked paths of pages from records that memory drops
 */
export function mergePages(
  before: PageSet,
  rendered: readonly Rendered[],
  revision: number,
  marked: readonly string[] = [],
): { set: PageSet; changed: LivePage[] } {
  const changed = rendered
    .filter((page) => (before.pages.get(page.path) ?? before.frames.get(page.path))?.etag !== page.etag)
    .map(({ path, html, etag, csp }) => ({ path, html, etag, csp, revision }));
  const dropped = marked.map((path) => ({ path, html: '', etag: '', csp: '', revision }));
  return { set: withPages(before, [...changed, ...dropped]), changed };
}

/**
 * Renders the pages that every site has, and marks those from records. Used for the first request after a deployment,
 * and for a save in an isolate without memory.
 */
export async function renderAll(db: Database, { content, ...publication }: Snapshot): Promise<LiveContent> {
  const { revision } = publication;
  const rendered = await renderPages(renderedPaths, content);
  const { set, changed } = mergePages(noPages, rendered, revision);
  const fromRecords = [...recordPages(publicContentOf(content).article).keys()].filter(
    (path) => !isFixedPath(path),
  );
  await writeBatch(db, [
    ...markStatements(db, fromRecords, revision),
    ...pageStatements(db, changed, revision),
  ]);
  return {
    ...publication,
    ...set,
    content,
    sections: new Map(rendered.map(({ path, sections }) => [path, sections])),
  };
}
