/** Places that come back by themselves. */
import { beforeEach, afterEach, expect, test, vi } from 'vitest';
import { goneAfterMs, createSemaphore } from './semaphore.ts';

beforeEach(() => void vi.useFakeTimers({ now: 1_800_000_000_000 }));
afterEach(() => void vi.useRealTimers());

/** Work that ends when it is told to. */
function begin(places: ReturnType<typeof createSemaphore<string>>, holder: string) {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const work = places.holdWhile(holder, () => promise);
  return { end: () => (resolve(undefined), work) };
}

const names = (places: ReturnType<typeof createSemaphore<string>>) =>
  places.holders().map(([, holder]) => holder);

test('A place is held for as long as its work takes, also if that fails', async () => {
  const places = createSemaphore<string>();
  const long = begin(places, 'long');
  await expect(places.holdWhile('failing', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  await vi.advanceTimersByTimeAsync(60 * goneAfterMs);
  expect(names(places)).toEqual(['long']);
  await long.end();
  expect(names(places)).toEqual([]);
});

test('The place of a request that was ended with its timers, and without being told, is free ten seconds later', async () => {
  const places = createSemaphore<string>();
  begin(places, 'ended');
  // What the runtime does when a client leaves.
  vi.clearAllTimers();
  const staying = begin(places, 'staying');
  await vi.advanceTimersByTimeAsync(goneAfterMs - 1);
  expect(names(places)).toEqual(['ended', 'staying']);
  await vi.advanceTimersByTimeAsync(1);
  expect(names(places)).toEqual(['staying']);
  await staying.end();
});

test('A clock that is set right takes nobody’s place for longer than a second', async () => {
  const places = createSemaphore<string>();
  const one = begin(places, 'one');
  vi.setSystemTime(1_900_000_000_000);
  expect(names(places)).toEqual([]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(names(places)).toEqual(['one']);
  await one.end();
});
