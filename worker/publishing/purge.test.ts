/** Tests when the edge cache is purged: immediately, merged within the window, and again after a refusal. */
import { beforeEach, expect, test, vi } from 'vitest';
import type * as Purge from './purge.ts';

const purge = vi.fn<Purge.Purge['purge']>();
vi.mock('cloudflare:workers', () => ({ exports: { Pages: { purge } } }));

const done: Purge.PurgeResult = { success: true, errors: [] };
/** The documented answer to too many purges: a result, not an error. */
const refused: Purge.PurgeResult = { success: false, errors: [{ code: 10_429, message: 'Rate limited' }] };

const log = vi.fn();
let { cacheTags, purgePages } = {} as typeof Purge;

beforeEach(async () => {
  vi.useFakeTimers();
  vi.resetModules();
  purge.mockReset().mockResolvedValue(done);
  log.mockReset();
  ({ cacheTags, purgePages } = await import('./purge.ts'));
});

test('A save immediately purges the pages that it changed', async () => {
  await purgePages(['/'], log);
  expect(purge.mock.calls).toEqual([[['content:/']]]);
});

test('A save that changes more pages than a purge can name purges all of them by the tag that they share', async () => {
  const paths = Array.from({ length: 31 }, (_, number) => `/articles/${number}`);
  expect(cacheTags('/articles/1').split(',')).toEqual(['content', 'content:/articles/1']);
  await purgePages(paths, log);
  expect(purge.mock.lastCall).toEqual([['content']]);
  await vi.advanceTimersByTimeAsync(12_000);
  await purgePages(paths.slice(0, 30), log);
  expect(purge.mock.lastCall?.[0]).toHaveLength(30);
});

test('Saves within twelve seconds share one more purge, and after that, a save purges immediately again', async () => {
  await purgePages(['/'], log);
  const waiting: Promise<void>[] = [];
  for (let count = 0; count < 30; count += 1) {
    waiting.push(purgePages([count % 2 ? '/contact' : '/service/'], log));
    await vi.advanceTimersByTimeAsync(300);
  }
  expect(purge).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(3_000);
  await Promise.all(waiting);
  expect(purge.mock.calls.slice(1)).toEqual([[['content:/service/', 'content:/contact']]]);
  await vi.advanceTimersByTimeAsync(12_000);
  await purgePages(['/'], log);
  expect(purge).toHaveBeenCalledTimes(3);
});

test('A waiting purge whose request ended does not delay a later purge, which takes over its pages', async () => {
  await purgePages(['/'], log);
  void purgePages(['/contact'], log);
  vi.clearAllTimers();
  await vi.advanceTimersByTimeAsync(12_000);
  await purgePages(['/'], log);
  void purgePages(['/service/'], log);
  await vi.advanceTimersByTimeAsync(12_000);
  expect(purge.mock.calls).toEqual([
    [['content:/']],
    [['content:/contact', 'content:/']],
    [['content:/service/']],
  ]);
});

test('No minute has more than five purges, however many saves there are', async () => {
  const times: number[] = [];
  purge.mockImplementation(() => {
    times.push(Date.now());
    return Promise.resolve(done);
  });
  for (let count = 0; count < 600; count += 1) {
    void purgePages(['/'], log);
    await vi.advanceTimersByTimeAsync(500);
  }
  const inTheMinuteFrom = (start: number) => times.filter((at) => at >= start && at < start + 60_000).length;
  expect(times.length).toBeGreaterThan(20);
  expect(Math.max(...times.map(inTheMinuteFrom))).toBe(5);
});

test('A purge waits at most twelve seconds, even if the clock is set back', async () => {
  await purgePages(['/'], log);
  vi.setSystemTime(Date.now() - 3_600_000);
  await purgePages(['/'], log);
  expect(purge).toHaveBeenCalledTimes(2);
  vi.setSystemTime(Date.now() - 6_000);
  const waiting = purgePages(['/'], log);
  await vi.advanceTimersByTimeAsync(12_000);
  await waiting;
  expect(purge).toHaveBeenCalledTimes(3);
});

test('A refused purge is retried after one second and then after two', async () => {
  purge.mockResolvedValue(refused);
  const lost = purgePages(['/'], log);
  for (const [ms, tries] of [
    [999, 1],
    [1, 2],
    [1_999, 2],
    [1, 3],
  ] as const) {
    await vi.advanceTimersByTimeAsync(ms);
    expect(purge).toHaveBeenCalledTimes(tries);
  }
  await lost;
  expect(log.mock.calls).toEqual([0, 1, 2].map((attempt) => ['purge.refused', { attempt, errors: '10429' }]));
});

test('A runtime without a cache is logged and called only once', async () => {
  purge.mockResolvedValue(undefined);
  await purgePages(['/'], log);
  await vi.advanceTimersByTimeAsync(12_000);
  await purgePages(['/'], log);
  expect(purge).toHaveBeenCalledTimes(1);
  expect(log.mock.calls.map(([event]) => event as string)).toEqual(['purge.no-cache']);
});

test.each([
  ['refused', () => Promise.resolve(refused)],
  ['broken off', () => Promise.reject(new RangeError('inside'))],
])('A purge that is %s is tried three times in all, and the save succeeds', async (_, fail) => {
  purge.mockImplementationOnce(fail).mockImplementationOnce(fail);
  const succeeds = purgePages(['/'], log);
  await vi.advanceTimersByTimeAsync(10_000);
  await succeeds;
  expect(purge).toHaveBeenCalledTimes(3);
  expect(log).toHaveBeenCalledTimes(2);
  expect(JSON.stringify(log.mock.calls)).not.toContain('inside');
  purge.mockReset().mockImplementation(fail);
  await vi.advanceTimersByTimeAsync(12_000);
  const lost = purgePages(['/'], log);
  await vi.advanceTimersByTimeAsync(10_000);
  await expect(lost).resolves.toBeUndefined();
  expect(purge).toHaveBeenCalledTimes(3);
});
