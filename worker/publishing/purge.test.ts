/** When the edge cache is purged: at once, together with what follows within the window, and again when refused. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type * as Purge from './purge.ts';

const purge = vi.fn<(options: { tags: string[] }) => Promise<void>>();
vi.mock('cloudflare:workers', () => ({ cache: { purge } }));

const log = vi.fn();
let purgePages: (typeof Purge)['purgePages'];

beforeEach(async () => {
  vi.useFakeTimers();
  vi.resetModules();
  purge.mockReset().mockResolvedValue();
  log.mockReset();
  ({ purgePages } = await import('./purge.ts'));
});
afterEach(() => vi.useRealTimers());

test('A save purges the pages that it changed, at once', async () => {
  await purgePages(['/'], log);
  expect(purge.mock.calls).toEqual([[{ tags: ['content:/'] }]]);
});

test('Saves within twelve seconds share one more purge, after which the next is at once again', async () => {
  await purgePages(['/'], log);
  const waiting: Promise<void>[] = [];
  for (let count = 0; count < 30; count += 1) {
    waiting.push(purgePages([count % 2 ? '/contact' : '/service/'], log));
    await vi.advanceTimersByTimeAsync(300);
  }
  expect(purge).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(3_000);
  await Promise.all(waiting);
  expect(purge.mock.calls.slice(1)).toEqual([[{ tags: ['content:/service/', 'content:/contact'] }]]);
  await vi.advanceTimersByTimeAsync(12_000);
  await purgePages(['/'], log);
  expect(purge).toHaveBeenCalledTimes(3);
});

test('However many saves there are, no minute has more than five purges', async () => {
  const times: number[] = [];
  purge.mockImplementation(() => {
    times.push(Date.now());
    return Promise.resolve();
  });
  for (let count = 0; count < 600; count += 1) {
    void purgePages(['/'], log);
    await vi.advanceTimersByTimeAsync(500);
  }
  const inTheMinuteFrom = (start: number) => times.filter((at) => at >= start && at < start + 60_000).length;
  expect(times.length).toBeGreaterThan(20);
  expect(Math.max(...times.map(inTheMinuteFrom))).toBe(5);
});

test('A refused purge is tried again, three times in all, and its saver is not told', async () => {
  purge.mockRejectedValueOnce(new Error('rate limited')).mockRejectedValueOnce(new Error('rate limited'));
  const done = purgePages(['/'], log);
  await vi.advanceTimersByTimeAsync(10_000);
  await done;
  expect(purge).toHaveBeenCalledTimes(3);
  expect(log.mock.calls.map(([event]) => String(event))).toEqual(['purge.refused', 'purge.refused']);
  purge.mockReset().mockRejectedValue(new Error('rate limited'));
  await vi.advanceTimersByTimeAsync(12_000);
  const lost = purgePages(['/'], log);
  await vi.advanceTimersByTimeAsync(10_000);
  await expect(lost).resolves.toBeUndefined();
  expect(purge).toHaveBeenCalledTimes(3);
});
