/**
 * The pages that visitors are served, in the isolate's memory: the live revision and its pages. The database is asked
 * at most once a second for a newer one; while it is down the memory goes on serving.
 */
import type { ResultSet } from '@libsql/client/web';
import { and, desc, eq, gt, or, sql } from 'drizzle-orm';
import { buildId } from '#site-renderer';
import type { SectionName } from '#contract/sections/index.ts';
import {
  contentFrom,
  contentQueries,
  publicationFrom,
  readSnapshot,
  type PublicationId,
  type Snapshot,
  type StoredContent,
} from '../content/reader.ts';
import { toLibsql, writeBatch, type Database, type Statement } from '../db/client.ts';
import { framePaths } from '#contract/screens.ts';
import type { Env } from '../env.ts';
import { remainingMs } from '../http/clock.ts';
import { readCopy } from './page-copy.ts';
import { renderedPaths, renderPages, type Rendered, type RenderedPage } from './render.ts';
import { publications } from '../content/schema.ts';
import { pageSets, pages } from './schema.ts';

/** How long a looked-up revision is trusted, in ms. */
const trustMs = 1_000;
/** How long a visitor waits for a look-up before the page comes from memory, in ms, or from the deployment. */
const lookUpLimitMs = { withMemory: 1_000, without: 5_000 } as const;

/** While the database is down: how long a copy that was read is reused, and how long a visitor waits for one, in ms. */
const copyTrustMs = 5_000;
const copyLimitMs = 1_000;

export interface LivePage extends RenderedPage {
  /** The revision at which the page last changed. */
  readonly revision: number;
}

/** Rendered pages by path. Frames are separate, so that the fast path to a page can never return one. */
export interface PageSet {
  readonly pages: ReadonlyMap<string, LivePage>;
  readonly frames: ReadonlyMap<string, LivePage>;
}

export interface Live extends PageSet, PublicationId {
  /** Content of this revision, where this isolate has read it. */
  readonly content: StoredContent | undefined;
  /** The sections that each page read, where this isolate rendered it from `content`. */
  readonly sections: ReadonlyMap<string, ReadonlySet<SectionName>>;
}

let memory: Live | undefined;
/** When the database last confirmed the state in memory, or failed to. */
let askedAt = 0;
let pending: { readonly look: Promise<Live>; readonly since: number } | undefined;
/** Whether the last look-up failed or timed out; visitors then do not wait for the next one. */
let failing = false;

const isTrusted = (): boolean => remainingMs(askedAt, trustMs) > 0;

/** The state in memory, of any age. */
export const remembered = (): Live | undefined => memory;

/** A page in memory that the database confirmed as the live one within the last second. */
export const trustedPage = (path: string): LivePage | undefined =>
  !failing && isTrusted() ? memory?.pages.get(path) : undefined;

/**
 * Adopts a state. An older one replaces the one in memory only if memory has not changed since the look-up began: then
 * the database was restored, and it was not a save that came in between.
 * @param before what memory held when the look-up began; absent for what a save has just written
 */
export function adopt(next: Live, before?: Live): Live {
  if (memory && memory !== before && next.revision < memory.revision) return memory;
  memory = next;
  askedAt = Date.now();
  failing = false;
  return next;
}

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
        .values({ buildId, ...withoutReads(page) })
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
const newestRevision = () => sql`(select max("revision") from ${publications})`;
const withoutReads = ({ path, html, etag, csp, revision }: LivePage) => ({ path, html, etag, csp, revision });

export const isFrame = ({ path }: RenderedPage): boolean => framePaths.includes(path);

const noPages: PageSet = { pages: new Map(), frames: new Map() };

/** The pages, with the newer ones replacing the older. */
function withPages({ pages: before, frames }: PageSet, newer: readonly LivePage[]): PageSet {
  const entries = (wanted: boolean) =>
    newer.filter((page) => isFrame(page) === wanted).map((page) => [page.path, page] as const);
  return {
    pages: new Map([...before, ...entries(false)]),
    frames: new Map([...frames, ...entries(true)]),
  };
}

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
async function renderAll(db: Database, { content, ...publication }: Snapshot): Promise<Live> {
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

/** What the database says is live. */
interface Found extends PublicationId {
  /** Whether it builds on the known publication; if not, the database was restored since. */
  readonly follows: boolean;
  /** Up to which revision this build's pages are stored. */
  readonly storedRevision: number | undefined;
  /** Stored pages that are newer than the known ones, or all pages if `follows` is false. */
  readonly newer: readonly LivePage[];
  /** What the further queries answered. */
  readonly more: readonly ResultSet[];
}

async function ask(
  db: Database,
  known: Live | undefined,
  more: readonly Statement[],
  mode: 'read' | 'write',
): Promise<Found> {
  const knownRevision = known?.revision ?? 0;
  const answers = await db.$client.batch(
    [
      db
        .select({ revision: publications.revision, at: publications.at })
        .from(publications)
        .where(or(eq(publications.revision, knownRevision), eq(publications.revision, newestRevision())))
        .orderBy(desc(publications.revision)),
      db.select({ revision: pageSets.revision }).from(pageSets).where(eq(pageSets.buildId, buildId)),
      db
        .select({
          path: pages.path,
          html: pages.html,
          etag: pages.etag,
          csp: pages.csp,
          revision: pages.revision,
        })
        .from(pages)
        .where(
          and(eq(pages.buildId, buildId), gt(pages.revision, mode === 'read' && known ? knownRevision : -1)),
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
      knownRevision === 0 ||
      published.some((one) => one.revision === knownRevision && one.publishedAt === known?.publishedAt),
    storedRevision: typeof storedRevision === 'number' ? storedRevision : undefined,
    newer: rows.map((page) => ({ ...page })),
    more: further,
  };
}

/**
 * Asks the database what is live. That it went back to an older state, as after a restore, is believed only of a write
 * transaction, which a lagging replica cannot answer.
 */
async function askWhatIsLive(
  db: Database,
  known: Live | undefined,
  more: readonly Statement[] = [],
): Promise<Found> {
  const found = await ask(db, known, more, 'read');
  return found.follows ? found : ask(db, known, more, 'write');
}

/** The live state from what the database says; pages that are not stored are rendered. */
async function resolveLive(
  db: Database,
  known: Live | undefined,
  found: Found,
  content?: StoredContent,
): Promise<Live> {
  const { revision, publishedAt, storedRevision, newer, follows } = found;
  const base = follows ? known : undefined;
  if (base?.revision === revision) return base;
  const stored = withPages(base ?? noPages, newer);
  if (
    storedRevision === revision &&
    renderedPaths.every((path) => stored.pages.has(path) || stored.frames.has(path))
  )
    return { revision, publishedAt, ...stored, content: undefined, sections: new Map() };
  return renderAll(db, content ? { revision, publishedAt, content } : await readSnapshot(db));
}

/** Reads the live state from the database, and adopts it in memory. */
export async function lookUpLive(db: Database): Promise<Live> {
  const known = memory;
  return adopt(await resolveLive(db, known, await askWhatIsLive(db, known)), known);
}

export type LiveContent = Live & { readonly content: StoredContent };

/** Reads the live state with its content, consistently: the basis of a save. */
export async function readLive(db: Database): Promise<LiveContent> {
  const known = memory;
  const found = await askWhatIsLive(db, known, contentQueries(db));
  const content = contentFrom(found.more);
  const live = { ...(await resolveLive(db, known, found, content)), content };
  adopt(live, known);
  return live;
}

const lookUpLimit = () => (memory ? lookUpLimitMs.withMemory : lookUpLimitMs.without);

const timeOut = (ms: number) =>
  new Promise<never>((_, reject) =>
    setTimeout(() => reject(new Error('The database did not answer in time.')), ms),
  );

export interface Served {
  readonly live: Live | undefined;
  /** Whether the database confirmed the revision within the last second. */
  readonly fresh: boolean;
}

function noteFailure(): void {
  failing = true;
  askedAt = Date.now();
}

/** A look-up that all current visitors share. It is abandoned if it hangs, or if its request has ended. */
function sharedLookUp(db: Database, keepAlive: (work: Promise<unknown>) => void): Promise<Live> {
  const now = Date.now();
  if (pending && remainingMs(pending.since, lookUpLimit(), now) > 0) return pending.look;
  const look = lookUpLive(db);
  pending = { look, since: now };
  keepAlive(
    look.catch(noteFailure).finally(() => {
      if (pending?.look === look) pending = undefined;
    }),
  );
  return look;
}

let copyLook: { readonly look: Promise<Live | undefined>; readonly since: number } | undefined;

/** The last publication, as far as it is known without the database: from memory, or from the copy if that is newer. */
async function lastPublished({ FILES }: Pick<Env, 'FILES'>): Promise<Live | undefined> {
  if (!copyLook || remainingMs(copyLook.since, copyTrustMs) === 0)
    copyLook = { look: readCopy(FILES).catch(() => undefined), since: Date.now() };
  else if (memory) return memory;
  const copy = await Promise.race([copyLook.look, timeOut(copyLimitMs)]).catch(() => undefined);
  if (copy && (!memory || memory.publishedAt < copy.publishedAt)) memory = copy;
  return memory;
}

/**
 * The live state for a visitor. An isolate makes one look-up at a time, however many visitors wait for it.
 * @param keepAlive lets the look-up finish after the visitor who started it has left (`waitUntil`)
 * @param options.mayTrust whether a look-up of the last second is recent enough
 */
export async function liveState(
  db: Database,
  env: Pick<Env, 'FILES'>,
  keepAlive: (work: Promise<unknown>) => void,
  { mayTrust = true } = {},
): Promise<Served> {
  const isRecent = isTrusted();
  if (isRecent && mayTrust && !failing) return { live: memory, fresh: true };
  const look = isRecent && failing ? undefined : sharedLookUp(db, keepAlive);
  if (look && !failing)
    try {
      return { live: await Promise.race([look, timeOut(lookUpLimit())]), fresh: true };
    } catch {
      noteFailure();
    }
  return { live: await lastPublished(env), fresh: false };
}
