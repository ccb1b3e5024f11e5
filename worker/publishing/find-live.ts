/** Asks the database which publication is live, and for the pages of it that memory lacks. */
import type { ResultSet } from '@libsql/client/http';
import { and, desc, eq, gt, inArray, or, sql } from 'drizzle-orm';
import { buildId } from '#site-renderer';
import { isSamePublication, publicationFrom, type PublicationId } from '../content/publication.ts';
import { publications } from '../content/schema.ts';
import { toLibsql, type Database, type Statement } from '../db/client.ts';
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

/** The newest revision in the database. */
export const newestRevision = () => sql`(select max("revision") from ${publications})`;

/** What the database says is live. */
export interface Found extends PublicationId {
  /** Whether it builds on the known publication; if not, the database was restored since. */
  readonly follows: boolean;
  /** Up to which revision this build's pages are stored. */
  readonly storedRevision: number | undefined;
  /** Stored pages that are newer than the known publication, and the wanted ones that are not known. */
  readonly newer: readonly LivePage[];
  /** What the further queries answered. */
  readonly more: readonly ResultSet[];
}

async function ask(
  db: Database,
  known: Live | undefined,
  wanted: readonly string[],
  more: readonly Statement[],
  mode: 'read' | 'write',
): Promise<Found> {
  const knownRevision = known?.revision ?? 0;
  const { path, etag, csp, revision } = pages;
  // Of other pages from records only the paths are read: memory drops them, and reads them when somebody asks.
  const read = JSON.stringify([...renderedPaths, ...wanted]);
  const html = sql<string>`case when ${path} in (select value from json_each(${read})) then ${pages.html} else '' end`;
  const answers = await db.$client.batch(
    [
      db
        .select({ revision: publications.revision, at: publications.at })
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
    ].map(toLibsql),
    mode,
  );
  const [line, set, newer, ...further] = answers as [ResultSet, ResultSet, ResultSet, ...ResultSet[]];
  const published = line.rows.map(publicationFrom);
  const rows = newer.rows as unknown as readonly LivePage[];
  const storedRevision = set.rows[0]?.['revision'];
  return {
    ...(published[0] ?? publicationFrom(undefined)),
    follows:
      known === undefined || known.revision === 0 || published.some((one) => isSamePublication(one, known)),
    storedRevision: typeof storedRevision === 'number' ? storedRevision : undefined,
    newer: rows.map((page) => ({ ...page })),
    more: further,
  };
}

/**
 * Asks the database what is live. That it went back to an older state, as after a restore, is believed only of a write
 * transaction, which a lagging replica cannot answer.
 * @param wanted the paths of the pages that are needed
 */
export async function askWhatIsLive(
  db: Database,
  known: Live | undefined,
  wanted: readonly string[],
  more: readonly Statement[] = [],
): Promise<Found> {
  const missing = wanted.filter((path) => !hasPages(known, [path]));
  const found = await ask(db, known, missing, more, 'read');
  return found.follows ? found : ask(db, known, wanted, more, 'write');
}

/**
 * The live state from what the database says.
 * @returns undefined where pages are not stored, and have to be rendered
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
  // A page from a record is rendered when somebody asks for it, or there is none.
  if (storedRevision !== revision || !hasPages(stored, wanted.filter(isFixedPath))) return undefined;
  return isKnown
    ? { ...base, ...stored }
    : { revision, publishedAt, ...stored, content: undefined, sections: new Map() };
}
