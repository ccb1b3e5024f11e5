import { beforeEach, expect, test, vi } from 'vitest';
import { heartbeatTimeoutMs, createSemaphore } from './semaphore.ts';

beforeEach(() => void vi.useFakeTimers({ now: 1_800_000_000_000 }));

/** Starts work that ends when the test ends it. */
function begin(places: ReturnType<typeof createSemaphore<string>>, holder: string) {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const work = places.holdWhile(holder, () => promise);
  return { end: () => (resolve(undefined), work) };
}

const names = (places: ReturnType<typeof createSemaphore<string>>) =>
  places.holders().map(([, holder]) => holder);

test('A request holds its place until its work ends or fails', async () => {
  const places = createSemaphore<string>();
  const long = begin(places, 'long');
  await expect(places.holdWhile('failing', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  await vi.advanceTimersByTimeAsync(60 * heartbeatTimeoutMs);
  expect(names(places)).toEqual(['long']);
  await long.end();
  expect(names(places)).toEqual([]);
});

test('The place of an aborted request is free after ten seconds', async () => {
  const places = createSemaphore<string>();
  begin(places, 'ended');
  // When a client disconnects, the runtime clears the timers of its request.
  vi.clearAllTimers();
  const staying = begin(places, 'staying');
  await vi.advanceTimersByTimeAsync(heartbeatTimeoutMs - 1);
  expect(names(places)).toEqual(['ended', 'staying']);
  await vi.advanceTimersByTimeAsync(1);
  expect(names(places)).toEqual(['staying']);
  await staying.end();
});

test('Changing the clock frees a held place for at most one second', async () => {
  const places = createSemaphore<string>();
  const one = begin(places, 'one');
  vi.setSystemTime(1_900_000_000_000);
  expect(names(places)).toEqual([]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(names(places)).toEqual(['one']);
  await one.end();
});
