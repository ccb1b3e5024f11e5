/**
 * Purges the edge cache after a save. Purges are limited (5 a minute on the free plan), so those due within 12 s are
 * merged and a refused one is tried again; a lost purge heals itself by the cache's own max-age.
 * https://developers.cloudflare.com/workers/cache/
 */
import type { Log } from '../http/log.ts';

/** The tag by which a page is purged; `content` besides purges them all, by hand. */
const tagOf = (path: string): string => `content:${path}`;

/** `Cache-Tag` of a content page. https://developers.cloudflare.com/cache/how-to/purge-cache/purge-by-tags/ */
export const cacheTags = (path: string): string => `content,${tagOf(path)}`;

const mergeWindowMs = 12_000;
const due = new Set<string>();
let lastPurgeAt = 0;
let scheduled: Promise<void> | undefined;
let missingLogged = false;

async function purgeNow(log: Log): Promise<void> {
  const { cache } = (await import('cloudflare:workers')) as {
    cache?: { purge?: (o: { tags: string[] }) => Promise<unknown> };
  };
  if (typeof cache?.purge !== 'function') {
    if (!missingLogged) log('purge.missing', { detail: 'This runtime has no cache to purge.' });
    missingLogged = true;
    return;
  }
  const tags = Array.from(due, tagOf);
  due.clear();
  for (let attempt = 0; attempt < 3; attempt += 1) {
    try {
      await cache.purge({ tags });
      return;
    } catch (error) {
      log('purge.refused', { attempt, error: error instanceof Error ? error.name : 'Error' });
      await new Promise((resolve) => setTimeout(resolve, 1_000 * 2 ** attempt));
    }
  }
}

/** Purges pages, now or together with those due in the next seconds. */
export function purgePages(paths: readonly string[], log: Log): Promise<void> {
  for (const path of paths) due.add(path);
  const wait = lastPurgeAt + mergeWindowMs - Date.now();
  if (wait <= 0) {
    lastPurgeAt = Date.now();
    return purgeNow(log);
  }
  return (scheduled ??= new Promise((resolve) => setTimeout(resolve, wait)).then(() => {
    scheduled = undefined;
    lastPurgeAt = Date.now();
    return purgeNow(log);
  }));
}
