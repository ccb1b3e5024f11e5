/** Queries the database for the live publication and the pages that memory lacks. */
import { and, desc, eq, gt, inArray, or, sql } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import { buildId } from '#site-renderer';
import {
  isSamePublication,
  noPublication,
  publicationColumns,
  type PublicationId,
} from '../content/publication.ts';
import { publications } from '../content/schema.ts';
import { readTogether, writeTogether, type Database } from '../db/client.ts';
import {
  hasPages,
  isFixedPath,
  noPages,
  renderedPaths,
  withPages,
  type Live,
  type LivePage,
} from './page-set.ts';
import { pageSets, pages } from './schema.ts';

export const newestRevision = () => sql`(select max("revision") from ${publications})`;

interface Found extends PublicationId {
  /** Whether it follows the known publication. If not, the database was restored. */
  readonly follows: boolean;
  /** The revision up to which this build's pages are stored. */
  readonly storedRevision: number | undefined;
  /** Stored pages that are newer than the known publication, and wanted pages that memory lacks. */
  readonly newer: readonly LivePage[];
  /** The rows of the other queries. */
  readonly more: readonly unknown[];
}

async function ask(
  db: Database,
  known: Live | undefined,
  wanted: readonly string[],
  more: readonly BatchItem<'sqlite'>[],
  queryTogether: typeof readTogether,
): Promise<Found> {
  const knownRevision = known?.revision ?? 0;
  const { path, etag, csp, revision } = pages;
  // For other pages from records we read only the path: memory drops the page and reads it again at the next
  // request.
  const read = JSON.stringify([...renderedPaths, ...wanted]);
  const html = sql<string>`case when ${path} in (select value from json_each(${read})) then ${pages.html} else '' end`;
  const [published, [set], newer, ...further] = await queryTogether(db, [
    db
      .select(publicationColumns)
      .from(publications)
      .where(or(eq(publications.revision, knownRevision), eq(publications.revision, newestRevision())))
      .orderBy(desc(publications.revision)),
    db.select({ revision: pageSets.revision }).from(pageSets).where(eq(pageSets.buildId, buildId)),
    db
      .select({ path, html: html.as('html'), etag, csp, revision })
      .from(pages)
      .where(
        and(
          eq(pages.buildId, buildId),
          or(known && gt(revision, known.revision), inArray(path, [...wanted])),
        ),
      ),
    ...more,
  ]);
  return {
    ...(published[0] ?? noPublication),
    follows:
      known === undefined || known.revision === 0 || published.some((one) => isSamePublication(one, known)),
    storedRevision: set?.revision,
    newer,
    more: further,
  };
}

/**
 * Queries the database for what is live. An older state than the known one means either a restore or a lagging
 * replica, so we query again in a write transaction, which only the primary answers.
 * @param wanted the paths of the pages that are needed
 */
export async function queryLiveState(
  db: Database,
  known: Live | undefined,
  wanted: readonly string[],
  more: readonly BatchItem<'sqlite'>[] = [],
): Promise<Found> {
  const missing = wanted.filter((path) => !hasPages(known, [path]));
  const found = await ask(db, known, missing, more, readTogether);
  return found.follows ? found : ask(db, known, wanted, more, writeTogether);
}

/**
 * Builds the live state from the results.
 * @returns undefined if pages are not stored and must be rendered
 */
export function resolveLive(
  known: Live | undefined,
  { revision, publishedAt, storedRevision, newer, follows }: Found,
  wanted: readonly string[],
): Live | undefined {
  const base = follows ? known : undefined;
  const isKnown = base?.revision === revision;
  if (isKnown && hasPages(base, wanted)) return base;
  const stored = withPages(base ?? noPages, newer);
  // A missing page from a record is rendered at its first request.
  if (storedRevision !== revision || !hasPages(stored, wanted.filter(isFixedPath))) return undefined;
  return isKnown
    ? { ...base, ...stored }
    : { revision, publishedAt, ...stored, content: undefined, sections: new Map() };
}
