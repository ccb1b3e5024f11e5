/**
 * What visitors are served, in the isolate's memory: the live revision and its pages. The database is asked at most
 * once a second whether there is a newer one; while it cannot be reached the memory goes on serving.
 */
import { and, desc, eq, gt, sql } from 'drizzle-orm';
import { buildId } from '#site-renderer';
import type { SectionName } from '../contract/sections/index.ts';
import { readSnapshot, type StoredContent } from '../content/reader.ts';
import { toLibsql, writeBatch, type Database, type Statement } from '../db/client.ts';
import { framePaths } from '../contract/screens.ts';
import { renderedPaths, renderPages, type Rendered, type RenderedPage } from './render.ts';
import { pageSets, pages, publications } from './schema.ts';

/** How long a looked-up revision is trusted, in ms. */
const trustMs = 1_000;
/** How long a visitor waits for a look-up before the page comes from memory, in ms, or from the deployment. */
const lookUpLimitMs = { withMemory: 1_000, without: 5_000 } as const;

export interface LivePage extends RenderedPage {
  /** The revision at which the page last changed. */
  readonly revision: number;
}

/** Rendered pages by path: frames apart, so that the short way to a page never meets one. */
export interface PageSet {
  readonly pages: ReadonlyMap<string, LivePage>;
  readonly frames: ReadonlyMap<string, LivePage>;
}

export interface Live extends PageSet {
  readonly revision: number;
  /** Content of this revision, where this isolate has read it. */
  readonly content: StoredContent | undefined;
  /** Which sections each page read, where this isolate rendered it from `content`. */
  readonly reads: ReadonlyMap<string, ReadonlySet<SectionName>>;
}

let memory: Live | undefined;
let trustedUntil = 0;
let pending: { readonly look: Promise<Live>; readonly since: number } | undefined;
/** Whether the last look-up failed or took too long; visitors do not wait for the next one then. */
let failing = false;

/** The state in memory, whatever its age. */
export const remembered = (): Live | undefined => memory;

/** A page in memory that the database confirmed as the live one within the last second. */
export const trustedPage = (path: string): LivePage | undefined =>
  !failing && Date.now() < trustedUntil ? memory?.pages.get(path) : undefined;

/** Takes over a state that is newer than the one in memory. */
export function adopt(next: Live): Live {
  if (memory && next.revision < memory.revision) return memory;
  memory = next;
  trustedUntil = Date.now() + trustMs;
  failing = false;
  return next;
}

/** Statements that store pages of this build, never over newer ones. */
export function pageStatements(db: Database, changed: readonly LivePage[], revision: number): Statement[] {
  const notOlder = (table: typeof pages | typeof pageSets) => gt(excludedRevision(), table.revision);
  return [
    ...changed.map((page) =>
      db
        .insert(pages)
        .values({ buildId, ...withoutReads(page) })
        .onConflictDoUpdate({
          target: [pages.buildId, pages.path],
          set: withoutReads(page),
          setWhere: notOlder(pages),
        }),
    ),
    db
      .insert(pageSets)
      .values({ buildId, revision })
      .onConflictDoUpdate({ target: pageSets.buildId, set: { revision }, setWhere: notOlder(pageSets) }),
  ];
}

const excludedRevision = () => sql`excluded."revision"`;
const withoutReads = ({ path, html, etag, csp, revision }: LivePage) => ({ path, html, etag, csp, revision });

export const isFrame = ({ path }: RenderedPage): boolean => framePaths.includes(path);

const noPages: PageSet = { pages: new Map(), frames: new Map() };

/** The pages with newer ones in the place of older. */
function withPages({ pages: before, frames }: PageSet, newer: readonly LivePage[]): PageSet {
  const entries = (wanted: boolean) =>
    newer.filter((page) => isFrame(page) === wanted).map((page) => [page.path, page] as const);
  return {
    pages: new Map([...before, ...entries(false)]),
    frames: new Map([...frames, ...entries(true)]),
  };
}

/** The pages after a render: those whose bytes changed are of the new revision, the others stay as they are. */
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

/** Renders every page anew: the first request after a deployment, and a save whose isolate knows nothing yet. */
async function renderAll(db: Database): Promise<Live> {
  const { revision, content } = await readSnapshot(db);
  const rendered = await renderPages(renderedPaths, content);
  const { set, changed } = mergePages(noPages, rendered, revision);
  await writeBatch(db, pageStatements(db, changed, revision));
  return { revision, ...set, content, reads: new Map(rendered.map(({ path, reads }) => [path, reads])) };
}

async function lookUp(db: Database): Promise<Live> {
  const known = memory;
  const [last, set, newer] = await db.$client.batch(
    [
      db
        .select({ revision: publications.revision })
        .from(publications)
        .orderBy(desc(publications.revision))
        .limit(1),
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
        .where(and(eq(pages.buildId, buildId), gt(pages.revision, known?.revision ?? -1))),
    ].map(toLibsql),
    'read',
  );
  const revision = Number(last?.rows[0]?.['revision'] ?? 0);
  if (known?.revision === revision) return known;
  if (set?.rows[0]?.['revision'] !== revision) return renderAll(db);
  const rows = (newer?.rows ?? []) as unknown as readonly LivePage[];
  const stored = withPages(
    known ?? noPages,
    rows.map((page) => ({ ...page })),
  );
  if (renderedPaths.some((path) => !stored.pages.has(path) && !stored.frames.has(path))) return renderAll(db);
  return { revision, ...stored, content: undefined, reads: new Map() };
}

export type LiveContent = Live & { readonly content: StoredContent };

/** The live state as the database has it now, which memory takes over. */
export const lookUpLive = async (db: Database): Promise<Live> => adopt(await lookUp(db));

/** The live state with its content, as the database has it now: what a save is applied to. */
export async function readLive(db: Database): Promise<LiveContent> {
  for (;;) {
    const live = await lookUpLive(db);
    if (live.content) return { ...live, content: live.content };
    const { revision, content } = await readSnapshot(db);
    if (revision === live.revision) return { ...live, content };
  }
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
  trustedUntil = Date.now() + trustMs;
}

/** A look-up that all visitors of this moment wait for. One that hangs, or whose request is gone, is given up. */
function sharedLookUp(db: Database, keepAlive: (work: Promise<unknown>) => void): Promise<Live> {
  const now = Date.now();
  if (pending && now - pending.since < lookUpLimit()) return pending.look;
  const look = lookUpLive(db);
  pending = { look, since: now };
  keepAlive(
    look.catch(noteFailure).finally(() => {
      if (pending?.look === look) pending = undefined;
    }),
  );
  return look;
}

/**
 * The live state for a visitor. One look-up at a time in an isolate, however many visitors wait for it.
 * @param keepAlive lets the look-up end although the visitor who began it has left (`waitUntil`)
 */
export async function liveState(db: Database, keepAlive: (work: Promise<unknown>) => void): Promise<Served> {
  if (Date.now() < trustedUntil) return { live: memory, fresh: !failing };
  const look = sharedLookUp(db, keepAlive);
  if (failing) return { live: memory, fresh: false };
  try {
    return { live: await Promise.race([look, timeOut(lookUpLimit())]), fresh: true };
  } catch {
    noteFailure();
    return { live: memory, fresh: false };
  }
}
