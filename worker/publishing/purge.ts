/**
 * Purges the edge cache after a save. Purges are limited (5 a minute on the free plan), so those due within 12 s are
 * merged and a refused one is tried again; a lost purge heals itself by the cache's own max-age.
 * https://developers.cloudflare.com/workers/cache/
 */
import type { Log } from '../http/log.ts';

/** The tag that every content page carries. */
export const contentTag = 'content';

const mergeWindowMs = 12_000;
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
  for (let attempt = 0; attempt < 3; attempt += 1) {
    try {
      await cache.purge({ tags: [contentTag] });
      return;
    } catch (error) {
      log('purge.refused', { attempt, error: error instanceof Error ? error.name : 'Error' });
      await new Promise((resolve) => setTimeout(resolve, 1_000 * 2 ** attempt));
    }
  }
}

/** Purges the content pages, now or together with the purges due in the next seconds. */
export function purgeContent(log: Log): Promise<void> {
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
