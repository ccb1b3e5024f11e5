/**
 * A copy of the live pages in R2. Visitors get it while the database is down and memory is empty or older. It is
 * written after each commit and repaired by a cron job. Each build has a separate copy.
 */
import * as z from 'zod';
import { buildId } from '#site-renderer';
import { isSamePublication, type PublicationId } from '../content/publication.ts';
import { remainingMs } from '../http/clock.ts';
import { describeError, type Log } from '../http/log.ts';
import type { Live } from './page-set.ts';

export type CopyBucket = Pick<R2Bucket, 'get' | 'head' | 'put' | 'delete'>;

export const copyKeyOf = (build: string): string => `pages/builds/${build}.json`;
const copyKey = copyKeyOf(buildId);

/** An object in a bucket may be written once a second. https://developers.cloudflare.com/r2/platform/limits/ */
const writeEveryMs = 1_100;

const page = z.object({
  path: z.string(),
  html: z.string(),
  etag: z.string(),
  csp: z.string(),
  revision: z.number(),
});
const copy = z.object({
  revision: z.number(),
  publishedAt: z.number(),
  pages: z.array(page),
  frames: z.array(page),
});
const byPath = (pages: readonly z.output<typeof page>[]) => new Map(pages.map((one) => [one.path, one]));

const publicationOf = (stored: R2Object): PublicationId => ({
  revision: Number(stored.customMetadata?.['revision']),
  publishedAt: Number(stored.customMetadata?.['publishedAt']),
});

/** @returns false when another isolate was faster */
async function writeCopy(files: CopyBucket, live: Live, stored: R2Object | null): Promise<boolean> {
  const { revision, publishedAt, pages, frames } = live;
  const body = JSON.stringify({
    revision,
    publishedAt,
    pages: [...pages.values()],
    frames: [...frames.values()],
  });
  const written = await files.put(copyKey, body, {
    customMetadata: { revision: String(revision), publishedAt: String(publishedAt) },
    onlyIf: stored ? { etagMatches: stored.etag } : { etagDoesNotMatch: '*' },
  });
  return written !== null;
}

let newest: Live | undefined;
let writtenAt = 0;

/** Stores a copy after a save. Of several saves within a second, the last one stores it. */
export async function writeFallbackCopy(files: CopyBucket, live: Live, log: Log): Promise<void> {
  newest = live;
  const wait = remainingMs(writtenAt, writeEveryMs);
  if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
  if (newest !== live) return;
  writtenAt = Date.now();
  try {
    const stored = await files.head(copyKey);
    // Another isolate may have published and stored its copy in the meantime.
    if (stored && publicationOf(stored).publishedAt > live.publishedAt) return;
    if (!(await writeCopy(files, live, stored))) log('fallback-copy.overtaken', { revision: live.revision });
  } catch (error) {
    log('fallback-copy.write-failed', describeError(error));
  }
}

/**
 * Updates the copy if it differs from the database. The cron trigger runs this.
 * @param lookUp queries the database for what is live. It runs after the bucket is read, so a save in between is
 *   newer than the copy that was read, and its own copy stays.
 * @returns the publication that is now in the copy, or an older one
 */
export async function repairFallbackCopy(
  files: CopyBucket,
  lookUp: () => Promise<Live>,
  log: Log,
): Promise<PublicationId> {
  const stored = await files.head(copyKey);
  const live = await lookUp();
  if (stored && isSamePublication(publicationOf(stored), live)) return live;
  const { revision } = live;
  if (await writeCopy(files, live, stored)) log('fallback-copy.repaired', { revision });
  else log('fallback-copy.overtaken', { revision });
  return live;
}

/** The pages of the last publication; undefined if there is no copy for this build. */
export async function readFallbackCopy(files: CopyBucket): Promise<Live | undefined> {
  const stored = await files.get(copyKey);
  if (!stored) return undefined;
  const { revision, publishedAt, pages, frames } = copy.parse(await stored.json());
  return {
    revision,
    publishedAt,
    pages: byPath(pages),
    frames: byPath(frames),
    content: undefined,
    sections: new Map(),
  };
}
