/** Renders every page, and stores the pages of this build. */
import { gt, sql } from 'drizzle-orm';
import { buildId } from '#site-renderer';
import type { Snapshot } from '../content/reader.ts';
import { writeBatch, type Database, type Statement } from '../db/client.ts';
import { newestRevision } from './find-live.ts';
import {
  noPages,
  renderedPaths,
  withPages,
  type LiveContent,
  type LivePage,
  type PageSet,
} from './page-set.ts';
import { renderPages, type Rendered } from './render.ts';
import { pageSets, pages } from './schema.ts';

/**
 * The statements that store pages of this build. They never overwrite newer ones, except those of a revision that no
 * longer exists after a restore.
 */
export function pageStatements(db: Database, changed: readonly LivePage[], revision: number): Statement[] {
  const renderedAt = Date.now();
  const notOlder = (table: typeof pages | typeof pageSets) =>
    sql`${gt(excludedRevision(), table.revision)} or ${gt(table.revision, newestRevision())}`;
  return [
    ...changed.map((page) =>
      db
        .insert(pages)
        .values({ buildId, ...storedPage(page) })
        .onConflictDoUpdate({
          target: [pages.buildId, pages.path],
          set: givenPage,
          setWhere: notOlder(pages),
        }),
    ),
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
/** The page among the parameters of the statement, so that its text is sent once. */
const givenPage = {
  html: sql`excluded."html"`,
  etag: sql`excluded."etag"`,
  csp: sql`excluded."csp"`,
  revision: excludedRevision(),
};
const storedPage = ({ path, html, etag, csp, revision }: LivePage) => ({ path, html, etag, csp, revision });

/** The pages after a render: those whose bytes changed get the new revision, the others stay as they are. */
export function mergePages(
  before: PageSet,
  rendered: readonly Rendered[],
  revision: number,
): { set: PageSet; changed: LivePage[] } {
  const changed = rendered
    .filter((page) => (before.pages.get(page.path) ?? before.frames.get(page.path))?.etag !== page.etag)
    .map(({ path, html, etag, csp }) => ({ path, html, etag, csp, revision }));
  return { set: withPages(before, changed), changed };
}

/** Renders every page: for the first request after a deployment, and for a save in an isolate without memory. */
export async function renderAll(db: Database, { content, ...publication }: Snapshot): Promise<LiveContent> {
  const { revision } = publication;
  const rendered = await renderPages(renderedPaths, content);
  const { set, changed } = mergePages(noPages, rendered, revision);
  await writeBatch(db, pageStatements(db, changed, revision));
  return {
    ...publication,
    ...set,
    content,
    sections: new Map(rendered.map(({ path, sections }) => [path, sections])),
  };
}
