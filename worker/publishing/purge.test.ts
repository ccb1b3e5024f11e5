/** Tests when the edge cache is purged: at once, merged within the window, and again after a refusal. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type * as Purge from './purge.ts';

const purge = vi.fn<Purge.Purge['purge']>();
vi.mock('cloudflare:workers', () => ({ exports: { Pages: { purge } } }));

const done: Purge.PurgeResult = { success: true, errors: [] };
/** The documented answer to too many purges: a result, not an error. */
const refused: Purge.PurgeResult = { success: false, errors: [{ code: 10_429, message: 'Rate limited' }] };

/** Whether a purge is recorded as owed. */
let isOwed = false;
const owed: Purge.OwedPurge = {
  isNoted: () => Promise.resolve(isOwed),
  note: (isNoted) => {
    isOwed = isNoted;
    return Promise.resolve();
  },
};

const log = vi.fn();
let { purgePages, repeatPurge } = {} as typeof Purge;

beforeEach(async () => {
  vi.useFakeTimers();
  vi.resetModules();
  purge.mockReset().mockResolvedValue(done);
  isOwed = false;
  log.mockReset();
  ({ purgePages, repeatPurge } = await import('./purge.ts'));
});
afterEach(() => vi.useRealTimers());

test('A save purges the pages that it changed at once', async () => {
  await purgePages(['/'], owed, log);
  expect(purge.mock.calls).toEqual([[['content:/']]]);
});

test('Saves within twelve seconds share one further purge, and the next save purges at once again', async () => {
  await purgePages(['/'], owed, log);
  const waiting: Promise<void>[] = [];
  for (let count = 0; count < 30; count += 1) {
    waiting.push(purgePages([count % 2 ? '/contact' : '/service/'], owed, log));
    await vi.advanceTimersByTimeAsync(300);
  }
  expect(purge).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(3_000);
  await Promise.all(waiting);
  expect(purge.mock.calls.slice(1)).toEqual([[['content:/service/', 'content:/contact']]]);
  await vi.advanceTimersByTimeAsync(12_000);
  await purgePages(['/'], owed, log);
  expect(purge).toHaveBeenCalledTimes(3);
});

test('A waiting purge whose request was ended delays no later purge, which takes over its pages', async () => {
  await purgePages(['/'], owed, log);
  void purgePages(['/contact'], owed, log);
  vi.clearAllTimers();
  await vi.advanceTimersByTimeAsync(12_000);
  await purgePages(['/'], owed, log);
  void purgePages(['/service/'], owed, log);
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
    void purgePages(['/'], owed, log);
    await vi.advanceTimersByTimeAsync(500);
  }
  const inTheMinuteFrom = (start: number) => times.filter((at) => at >= start && at < start + 60_000).length;
  expect(times.length).toBeGreaterThan(20);
  expect(Math.max(...times.map(inTheMinuteFrom))).toBe(5);
});

test('A purge waits at most twelve seconds, even if the clock is set back', async () => {
  await purgePages(['/'], owed, log);
  vi.setSystemTime(Date.now() - 3_600_000);
  await purgePages(['/'], owed, log);
  expect(purge).toHaveBeenCalledTimes(2);
  vi.setSystemTime(Date.now() - 6_000);
  const waiting = purgePages(['/'], owed, log);
  await vi.advanceTimersByTimeAsync(12_000);
  await waiting;
  expect(purge).toHaveBeenCalledTimes(3);
});

test('A refused purge is retried after one second and then after two', async () => {
  purge.mockResolvedValue(refused);
  const lost = purgePages(['/'], owed, log);
  for (const [ms, tries] of [
    [999, 1],
    [1, 2],
    [1_999, 2],
    [1, 3],
  ] as const) {
    await vi.advanceTimersByTimeAsync(ms);
    expect(purge).toHaveBeenCalledTimes(tries);
  }
  await vi.advanceTimersByTimeAsync(4_000);
  await lost;
  expect(log.mock.calls).toEqual([0, 1, 2].map((attempt) => ['purge.refused', { attempt, errors: '10429' }]));
});

test('A runtime without a cache is logged once and asked once', async () => {
  purge.mockResolvedValue(undefined);
  await purgePages(['/'], owed, log);
  await vi.advanceTimersByTimeAsync(12_000);
  await purgePages(['/'], owed, log);
  expect(purge).toHaveBeenCalledTimes(1);
  expect(log.mock.calls.map(([event]) => event as string)).toEqual(['purge.missing']);
  expect(isOwed).toBe(false);
});

test.each([
  ['refused', () => Promise.resolve(refused)],
  ['broken off', () => Promise.reject(new RangeError('inside'))],
])('A purge that is %s is tried three times in all, and the save succeeds', async (_, fail) => {
  purge.mockImplementationOnce(fail).mockImplementationOnce(fail);
  const succeeds = purgePages(['/'], owed, log);
  await vi.advanceTimersByTimeAsync(10_000);
  await succeeds;
  expect(purge).toHaveBeenCalledTimes(3);
  expect(log).toHaveBeenCalledTimes(2);
  expect(JSON.stringify(log.mock.calls)).not.toContain('inside');
  expect(isOwed).toBe(false);
  purge.mockReset().mockImplementation(fail);
  await vi.advanceTimersByTimeAsync(12_000);
  const lost = purgePages(['/'], owed, log);
  await vi.advanceTimersByTimeAsync(10_000);
  await expect(lost).resolves.toBeUndefined();
  expect(purge).toHaveBeenCalledTimes(3);
});

test('The cron job repeats a refused purge until it succeeds', async () => {
  purge.mockResolvedValue(refused);
  const lost = purgePages(['/', '/contact'], owed, log);
  await vi.advanceTimersByTimeAsync(10_000);
  await lost;
  purge.mockClear();
  await repeatPurge(owed, log);
  purge.mockResolvedValue(done);
  await repeatPurge(owed, log);
  expect(purge.mock.calls).toEqual([[['content']], [['content']]]);
  await repeatPurge(owed, log);
  expect(purge).toHaveBeenCalledTimes(2);
});
