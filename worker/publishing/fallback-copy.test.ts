/**
 * Tests when the fallback copy is written, and which of several isolates writes it. The fake bucket has only one
 * object.
 */
import { beforeEach, expect, test, vi } from 'vitest';
import type { Live, LivePage } from './page-set.ts';
import type * as PageCopy from './fallback-copy.ts';

vi.mock('#site-renderer', () => ({ buildId: 'this-build', renderPage: () => Promise.resolve('') }));

/** The object in the bucket, and a concurrent write. */
let stored:
  | {
      readonly body: string;
      readonly etag: string;
      readonly customMetadata: Record<string, string> | undefined;
    }
  | undefined;
let isLate = false;
let writes = 0;
const keys = new Set<string>();
const find = (key: string) => {
  keys.add(key);
  const found = stored;
  return Promise.resolve(
    found ? { ...found, json: () => Promise.resolve(JSON.parse(found.body) as unknown) } : null,
  );
};
const put = vi.fn((key: string, body: string, { customMetadata = {}, onlyIf }: R2PutOptions = {}) => {
  keys.add(key);
  const condition = onlyIf as R2Conditional;
  const holds = stored ? condition.etagMatches === stored.etag : condition.etagDoesNotMatch === '*';
  if (isLate || !holds) return Promise.resolve(null);
  stored = { body, etag: `etag-${(writes += 1)}`, customMetadata };
  return Promise.resolve({});
});
const files = { get: find, head: find, put } as unknown as PageCopy.CopyBucket;

const pageOf = (path: string, revision: number): LivePage => ({
  path,
  html: `<p>${path}`,
  etag: `"${path}"`,
  csp: "default-src 'none'",
  revision,
});
const live = (revision: number, publishedAt = revision): Live => ({
  revision,
  publishedAt,
  pages: new Map([['/', pageOf('/', revision)]]),
  frames: new Map([['/404', pageOf('/404', revision)]]),
  content: undefined,
  sections: new Map(),
});

const log = vi.fn();
let { writeFallbackCopy, readFallbackCopy, repairFallbackCopy } = {} as typeof PageCopy;

beforeEach(async () => {
  vi.useFakeTimers({ now: 1_800_000_000_000 });
  vi.resetModules();
  [stored, isLate, writes] = [undefined, false, 0];
  put.mockClear();
  log.mockReset();
  keys.clear();
  ({ writeFallbackCopy, readFallbackCopy, repairFallbackCopy } = await import('./fallback-copy.ts'));
});

/** What the cron job does while this publication is live. */
const repair = (publication: Live) => repairFallbackCopy(files, () => Promise.resolve(publication), log);
const held = () => stored?.customMetadata;

test('A save immediately stores the published pages, with everything needed to serve them', async () => {
  await writeFallbackCopy(files, live(7, 70), log);
  expect(held()).toEqual({ revision: '7', publishedAt: '70' });
  expect(await readFallbackCopy(files)).toEqual(live(7, 70));
  expect([[...keys], log.mock.calls]).toEqual([['pages/builds/this-build.json'], []]);
});

test('Of several saves within a second, the last one is stored as soon as the bucket accepts a write', async () => {
  await writeFallbackCopy(files, live(1), log);
  const waiting = [2, 3, 4].map((revision) => writeFallbackCopy(files, live(revision), log));
  await vi.advanceTimersByTimeAsync(1_099);
  expect([put.mock.calls.length, held()?.['revision']]).toEqual([1, '1']);
  await vi.advanceTimersByTimeAsync(1);
  await Promise.all(waiting);
  expect([put.mock.calls.length, held()?.['revision']]).toEqual([2, '4']);
  // The next wait starts with that write.
  const next = writeFallbackCopy(files, live(5), log);
  await vi.advanceTimersByTimeAsync(1_099);
  expect(held()?.['revision']).toBe('4');
  await vi.advanceTimersByTimeAsync(1);
  await next;
  expect(held()?.['revision']).toBe('5');
  // After a while, writes no longer wait.
  await vi.advanceTimersByTimeAsync(1_100);
  await writeFallbackCopy(files, live(6), log);
  expect(held()?.['revision']).toBe('6');
});

test('A newer copy by another isolate stays, and one as old or older is replaced', async () => {
  await writeFallbackCopy(files, live(5, 50), log);
  for (const [publication, kept] of [
    [live(4, 49), '5'],
    [live(6, 50), '6'],
    [live(6, 51), '6'],
  ] as const) {
    await vi.advanceTimersByTimeAsync(1_100);
    await writeFallbackCopy(files, publication, log);
    expect(held()?.['revision']).toBe(kept);
  }
  expect(held()?.['publishedAt']).toBe('51');
});

test('An isolate that is overtaken, or cannot reach the bucket, logs it, and the save succeeds', async () => {
  isLate = true;
  await writeFallbackCopy(files, live(8), log);
  put.mockRejectedValueOnce(new Error('The bucket is down.'));
  await vi.advanceTimersByTimeAsync(1_100);
  await writeFallbackCopy(files, live(9), log);
  expect(log.mock.calls).toEqual([
    ['fallback-copy.overtaken', { revision: 8 }],
    ['fallback-copy.write-failed', expect.objectContaining({ error: 'Error' })],
  ]);
});

test('The cron job writes the copy if it is missing or differs, and otherwise leaves it alone', async () => {
  for (const publication of [live(3, 30), live(2, 30), live(2, 20)]) await repair(publication);
  expect(held()).toEqual({ revision: '2', publishedAt: '20' });
  await repair(live(2, 20));
  expect(put).toHaveBeenCalledTimes(3);
  // A copy without metadata is written again.
  stored = { body: '', etag: 'etag', customMetadata: undefined };
  await repair(live(2, 20));
  expect(held()?.['revision']).toBe('2');
  expect(log.mock.calls).toEqual([3, 2, 2, 2].map((revision) => ['fallback-copy.repaired', { revision }]));
});

test('The cron job does not replace the copy of a save that happens while it looks', async () => {
  await writeFallbackCopy(files, live(9), log);
  await vi.advanceTimersByTimeAsync(1_100);
  const lookAndSave = async () => {
    await writeFallbackCopy(files, live(11), log);
    return live(10);
  };
  await repairFallbackCopy(files, lookAndSave, log);
  expect(held()).toEqual({ revision: '11', publishedAt: '11' });
  expect(log.mock.calls).toEqual([['fallback-copy.overtaken', { revision: 10 }]]);
});

test('A missing copy is not served, and neither is one in another format', async () => {
  expect(await readFallbackCopy(files)).toBeUndefined();
  for (const part of ['path', 'html', 'etag', 'csp', 'revision']) {
    const page = Object.entries(pageOf('/', 1)).filter(([name]) => name !== part);
    const body = JSON.stringify({ ...live(1), pages: [Object.fromEntries(page)], frames: [] });
    stored = { body, etag: '', customMetadata: {} };
    await expect(readFallbackCopy(files), part).rejects.toThrow(part);
  }
});
