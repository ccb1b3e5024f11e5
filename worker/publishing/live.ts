/**
 * Keeps the live revision and the requested pages in the isolate's memory. We query the database for a newer
 * revision at most once a second. While the database is down, memory keeps serving.
 */
import { isSamePublication } from '../content/publication.ts';
import type { Database } from '../db/client.ts';
import type { Env } from '../env.ts';
import { remainingMs } from '../http/clock.ts';
import { queryLiveState, resolveLive } from './find-live.ts';
import { isRecordPath } from '#contract/articles.ts';
import { hasPages, isFixedPath, renderedPaths, type Live, type LivePage } from './page-set.ts';

/** How long a looked-up revision is trusted, in ms. */
const trustMs = 1_000;
/** How long it is trusted while one request is confirming it again, in ms. */
const trustMeanwhileMs = 2_000;
/** How long a visitor waits for a lookup before the page comes from memory or the deployment, in ms. */
const lookUpLimitMs = { withMemory: 1_000, without: 5_000 } as const;

/** While the database is down: how long a copy that was read is reused, and how long a visitor waits for one, in ms. */
const copyTrustMs = 5_000;
const copyLimitMs = 1_000;

/**
 * What the isolate last learned about the live state, from a lookup or from its own save:
 * - `confirmed`: memory was live.
 * - `confirming`: memory was live, and a request has already started the next lookup.
 * - `failed`: the database failed or did not answer in time. Visitors then do not wait for the next lookup.
 */
interface LastLookUp {
  readonly state: 'confirmed' | 'confirming' | 'failed';
  /** When, in ms; 0 before the first time. */
  readonly at: number;
}

let memory: Live | undefined;
let last: LastLookUp = { state: 'confirmed', at: 0 };

const endLookUp = (state: 'confirmed' | 'failed'): void => {
  last = { state, at: Date.now() };
};

interface LookUp {
  readonly look: Promise<Live>;
  readonly since: number;
}
/**
 * Pending lookups by the path of the page that is missing in memory. The one under '' serves all pages in memory.
 */
const pending = new Map<string, LookUp>();

/** The state in memory, of any age. */
export const remembered = (): Live | undefined => memory;

/**
 * A page in memory that the database confirmed within the last second. After that second, the first request gets
 * undefined and confirms the page; the others get it for another second.
 */
export function trustedPage(path: string): LivePage | undefined {
  const page = last.state === 'failed' ? undefined : memory?.pages.get(path);
  const isTrusted = remainingMs(last.at, last.state === 'confirming' ? trustMeanwhileMs : trustMs) > 0;
  if (isTrusted) return page;
  if (page) last = { ...last, state: 'confirming' };
  return undefined;
}

/**
 * Puts a state into memory. An older one replaces memory only if memory has not changed since the lookup began, which
 * means that the database was restored. Otherwise a save came first.
 * @param before the state in memory when the lookup began; absent after a save
 */
export function adopt(next: Live, before?: Live): Live {
  if (memory && memory !== before && next.revision < memory.revision) return memory;
  memory = next;
  endLookUp('confirmed');
  return next;
}

/**
 * Reads the live state from the database, and adopts it in memory.
 * @param wanted the paths of the pages that are needed; by default all of them
 */
export async function lookUpLive(db: Database, wanted: readonly string[] = renderedPaths): Promise<Live> {
  const known = memory;
  const found = await queryLiveState(db, known, wanted);
  // Another lookup may have read other pages of the same publication in the meantime.
  const base = memory && isSamePublication(memory, found) ? memory : known;
  return adopt(resolveLive(base, found, wanted) ?? (await renderLive(db)), known);
}

/** Renders the live pages. The renderer is loaded on first use. */
async function renderLive(db: Database): Promise<Live> {
  const [{ readSnapshot }, { renderAll }] = await Promise.all([
    import('../content/reader.ts'),
    import('./stored-pages.ts'),
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

/** A lookup that all concurrent requests share. It is abandoned if it hangs or its request has ended. */
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
    started.look
      .catch(() => endLookUp('failed'))
      .finally(() => {
        if (pending.get(key) === started) pending.delete(key);
      }),
  );
  return started.look;
}

let copyLook: { readonly look: Promise<Live | undefined>; readonly since: number } | undefined;

/** The newest publication known without the database: the one in memory, or the one in the copy if that is newer. */
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
  /** The path of the requested page or frame. */
  readonly path?: string;
  /** Whether a lookup of the last second is fresh enough. */
  readonly mayTrust?: boolean;
}

/**
 * The live state for a visitor. All requests of an isolate share one lookup; a page that is missing in memory has
 * a separate one.
 * @param keepAlive lets the lookup finish after the visitor who started it has left (`waitUntil`)
 */
export async function liveState(
  db: Database,
  env: Pick<Env, 'FILES'>,
  keepAlive: (work: Promise<unknown>) => void,
  { path, mayTrust = true }: LiveOptions = {},
): Promise<Served> {
  const wanted = path !== undefined && (isFixedPath(path) || isRecordPath(path)) ? [path] : [];
  const isRecent = remainingMs(last.at, trustMs) > 0;
  const hasFailed = last.state === 'failed';
  if (isRecent && mayTrust && !hasFailed && hasPages(memory, wanted)) return { live: memory, fresh: true };
  const look = isRecent && hasFailed ? undefined : sharedLookUp(db, wanted, keepAlive);
  if (look && !hasFailed)
    try {
      return { live: await Promise.race([look, timeOut(lookUpLimit())]), fresh: true };
    } catch {
      endLookUp('failed');
    }
  return { live: await lastPublished(env, wanted), fresh: false };
}
