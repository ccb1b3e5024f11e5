/**
 * The pages that visitors are served, in the isolate's memory: the live revision, and those of its pages that somebody
 * has asked for. The database is asked at most once a second for a newer revision; while it is down the memory goes on
 * serving.
 */
import type { ResultSet } from '@libsql/client/http';
import { and, desc, eq, gt, inArray, or, sql } from 'drizzle-orm';
import { buildId } from '#site-renderer';
import { contentPages, framePaths } from '#contract/screens.ts';
import type { SectionName } from '#contract/sections/index.ts';
import { isSamePublication, publicationFrom, type PublicationId } from '../content/publication.ts';
import type { StoredContent } from '../content/reader.ts';
import { publications } from '../content/schema.ts';
import { toLibsql, type Database, type Statement } from '../db/client.ts';
import type { Env } from '../env.ts';
import { remainingMs } from '../http/clock.ts';
import type { RenderedPage } from './render.ts';
import { pageSets, pages } from './schema.ts';

/** How long a looked-up revision is trusted, in ms. */
const trustMs = 1_000;
/** How long it is trusted while one visitor has it confirmed again, in ms. */
const trustMeanwhileMs = 2_000;
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

/** What is live. Its pages are those that this isolate has read or rendered; a save reads them all. */
export interface Live extends PageSet, PublicationId {
  /** Content of this revision, where this isolate has read it; its pages are then complete. */
  readonly content: StoredContent | undefined;
  /** The sections that each page read, where this isolate rendered it from `content`. */
  readonly sections: ReadonlyMap<string, ReadonlySet<SectionName>>;
}

/** Every page that is rendered from the content: the content pages, then the frames. */
export const renderedPaths: readonly string[] = [
  ...contentPages.map(({ pattern }) => pattern),
  ...framePaths,
];

export const isFrame = ({ path }: RenderedPage): boolean => framePaths.includes(path);

export const noPages: PageSet = { pages: new Map(), frames: new Map() };

const hasPages = (set: PageSet | undefined, paths: readonly string[]): boolean =>
  set !== undefined && paths.every((path) => set.pages.has(path) || set.frames.has(path));

/** The pages, with the newer ones replacing the older. */
export function withPages({ pages: before, frames }: PageSet, newer: readonly LivePage[]): PageSet {
  const entries = (wanted: boolean) =>
    newer.filter((page) => isFrame(page) === wanted).map((page) => [page.path, page] as const);
  return {
    pages: new Map([...before, ...entries(false)]),
    frames: new Map([...frames, ...entries(true)]),
  };
}

let memory: Live | undefined;
/** When the database last confirmed the state in memory, or failed to. */
let askedAt = 0;
/** Whether the last look-up failed or timed out; visitors then do not wait for the next one. */
let failing = false;

interface LookUp {
  readonly look: Promise<Live>;
  readonly since: number;
}
/** Look-ups under way, by the page that memory lacks; the one under '' is for all those that it has. */
const pending = new Map<string, LookUp>();

/** The state in memory, of any age. */
export const remembered = (): Live | undefined => memory;

/** The confirmation after which a visitor has been sent on for the next one. */
let sentOnAfter = 0;

/**
 * A page in memory that the database confirmed as the live one within the last second. The first visitor after that
 * second gets none and goes on, to have it confirmed; the others get it for another second meanwhile.
 */
export function trustedPage(path: string): LivePage | undefined {
  const page = failing ? undefined : memory?.pages.get(path);
  if (!page || remainingMs(askedAt, trustMs) > 0) return page;
  if (sentOnAfter === askedAt) return remainingMs(askedAt, trustMeanwhileMs) > 0 ? page : undefined;
  sentOnAfter = askedAt;
  return undefined;
}

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
  const { path, html, etag, csp, revision } = pages;
  const answers = await db.$client.batch(
    [
      db
        .select({ revision: publications.revision, at: publications.at })
        .from(publications)
        .where(or(eq(publications.revision, knownRevision), eq(publications.revision, newestRevision())))
        .orderBy(desc(publications.revision)),
      db.select({ revision: pageSets.revision }).from(pageSets).where(eq(pageSets.buildId, buildId)),
      db
        .select({ path, html, etag, csp, revision })
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
  if (storedRevision !== revision || !hasPages(stored, wanted)) return undefined;
  return isKnown
    ? { ...base, ...stored }
    : { revision, publishedAt, ...stored, content: undefined, sections: new Map() };
}

/**
 * Reads the live state from the database, and adopts it in memory.
 * @param wanted the paths of the pages that are needed; by default all of them
 */
export async function lookUpLive(db: Database, wanted: readonly string[] = renderedPaths): Promise<Live> {
  const known = memory;
  const found = await askWhatIsLive(db, known, wanted);
  // Another look-up may have read other pages of the same publication meanwhile.
  const base = memory && isSamePublication(memory, found) ? memory : known;
  return adopt(resolveLive(base, found, wanted) ?? (await renderLive(db)), known);
}

/** Renders what is live; the renderer is loaded only then. */
async function renderLive(db: Database): Promise<Live> {
  const [{ readSnapshot }, { renderAll }] = await Promise.all([
    import('../content/reader.ts'),
    import('./live-content.ts'),
  ]);
  return renderAll(db, await readSnapshot(db));
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
function sharedLookUp(
  db: Database,
  wanted: readonly string[],
  keepAlive: (work: Promise<unknown>) => void,
): Promise<Live> {
  const now = Date.now();
  const key = hasPages(memory, wanted) ? '' : wanted.join();
  const current = pending.get(key);
  if (current && remainingMs(current.since, lookUpLimit(), now) > 0) return current.look;
  const started = { look: lookUpLive(db, wanted), since: now };
  pending.set(key, started);
  keepAlive(
    started.look.catch(noteFailure).finally(() => {
      if (pending.get(key) === started) pending.delete(key);
    }),
  );
  return started.look;
}

let copyLook: { readonly look: Promise<Live | undefined>; readonly since: number } | undefined;

/** The last publication, as far as it is known without the database: from memory, or from the copy if that is newer. */
async function lastPublished(
  { FILES }: Pick<Env, 'FILES'>,
  wanted: readonly string[],
): Promise<Live | undefined> {
  if (!copyLook || remainingMs(copyLook.since, copyTrustMs) === 0) {
    const look = import('./fallback-copy.ts')
      .then(({ readFallbackCopy }) => readFallbackCopy(FILES))
      .catch(() => undefined);
    copyLook = { look, since: Date.now() };
  } else if (hasPages(memory, wanted)) return memory;
  const copy = await Promise.race([copyLook.look, timeOut(copyLimitMs)]).catch(() => undefined);
  if (copy && (!memory || memory.publishedAt < copy.publishedAt)) memory = copy;
  return hasPages(memory, wanted) ? memory : copy;
}

export interface LiveOptions {
  /** The page or frame that is asked for, by its path. */
  readonly path?: string;
  /** Whether a look-up of the last second is recent enough. */
  readonly mayTrust?: boolean;
}

/**
 * The live state for a visitor. An isolate makes one look-up at a time, however many visitors wait for it; a page that
 * nobody has asked for yet is read by a look-up of its own.
 * @param keepAlive lets the look-up finish after the visitor who started it has left (`waitUntil`)
 */
export async function liveState(
  db: Database,
  env: Pick<Env, 'FILES'>,
  keepAlive: (work: Promise<unknown>) => void,
  { path, mayTrust = true }: LiveOptions = {},
): Promise<Served> {
  const wanted = renderedPaths.filter((one) => one === path);
  const isRecent = remainingMs(askedAt, trustMs) > 0;
  if (isRecent && mayTrust && !failing && hasPages(memory, wanted)) return { live: memory, fresh: true };
  const look = isRecent && failing ? undefined : sharedLookUp(db, wanted, keepAlive);
  if (look && !failing)
    try {
      return { live: await Promise.race([look, timeOut(lookUpLimit())]), fresh: true };
    } catch {
      noteFailure();
    }
  return { live: await lastPublished(env, wanted), fresh: false };
}
