/**
 * Purges the shared cache after a save. Purges are limited (5 a minute on the free plan), so those within 12 s are
 * merged and a refused one is retried. If a purge is lost, the cache's own max-age corrects it within a minute.
 * https://developers.cloudflare.com/workers/cache/purge/
 */
import { remainingMs } from '../http/clock.ts';
import type { Log } from '../http/log.ts';

/** The cache's response to a purge. A refusal is a response, not an error. */
export interface PurgeResult {
  readonly success: boolean;
  readonly errors: readonly { readonly code: number; readonly message: string }[];
}

/** The entrypoint whose cache contains the pages. */
export interface Purge {
  purge(tags: readonly string[]): Promise<PurgeResult | undefined>;
}

const everyPage = 'content';

const tagOf = (path: string): string => `${everyPage}:${path}`;

/** `Cache-Tag` of a content page. https://developers.cloudflare.com/cache/how-to/purge-cache/purge-by-tags/ */
export const cacheTags = (path: string): string => `${everyPage},${tagOf(path)}`;

const mergeWindowMs = 12_000;
const attempts = 3;
/**
 * The maximum number of tags of one purge. With more, every page is purged.
 * https://developers.cloudflare.com/workers/cache/purge/
 */
const maxTags = 30;
const due = new Set<string>();
let lastPurgeAt = 0;
/** The purge that waits for the window to end. Its timer is lost if the request that set it ends first. */
let scheduled: { readonly work: Promise<void>; readonly since: number; readonly wait: number } | undefined;
let isCacheMissing = false;

/** Tries one purge. @returns whether it is done */
async function tryPurge(tags: readonly string[], log: Log, attempt: number): Promise<boolean> {
  try {
    const { exports } = (await import('cloudflare:workers')) as unknown as { exports: { Pages: Purge } };
    const result = await exports.Pages.purge(tags);
    if (!result) {
      log('purge.no-cache', { detail: 'This runtime has no cache to purge.' });
      isCacheMissing = true;
      return true;
    }
    if (!result.success)
      log('purge.refused', { attempt, errors: result.errors.map(({ code }) => code).join(' ') });
    return result.success;
  } catch (error) {
    log('purge.failed', { attempt, error: error instanceof Error ? error.name : 'Error' });
    return false;
  }
}

async function purgeNow(log: Log): Promise<void> {
  const tags = due.size > maxTags ? [everyPage] : Array.from(due, tagOf);
  due.clear();
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    if (attempt > 0) await new Promise((resolve) => setTimeout(resolve, 500 * 2 ** attempt));
    if (await tryPurge(tags, log, attempt)) return;
  }
}

/**
 * Purges pages now, or together with those of other saves in the next seconds. Does nothing if the runtime has no
 * cache.
 */
export function purgePages(paths: readonly string[], log: Log): Promise<void> {
  if (isCacheMissing) return Promise.resolve();
  for (const path of paths) due.add(path);
  const wait = remainingMs(lastPurgeAt, mergeWindowMs);
  if (wait === 0) {
    lastPurgeAt = Date.now();
    return purgeNow(log);
  }
  if (scheduled && remainingMs(scheduled.since, scheduled.wait) > 0) return scheduled.work;
  const work = new Promise((resolve) => setTimeout(resolve, wait)).then(() => {
    scheduled = undefined;
    lastPurgeAt = Date.now();
    return purgeNow(log);
  });
  scheduled = { work, since: Date.now(), wait };
  return work;
}
