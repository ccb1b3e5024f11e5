/** How many uploads an isolate takes at a time, also after some were broken off. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Database } from '../db/client.ts';
import { ApiError } from '../http/errors.ts';
import { goneAfterMs } from '../http/semaphore.ts';
import { receiveMedia } from './upload.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Sends up something that gets no further than its body. */
const send = (body: BodyInit) =>
  receiveMedia(
    new Request('http://site.test/api/media', { method: 'POST', body, duplex: 'half' } as RequestInit),
    {} as Parameters<typeof receiveMedia>[1],
    {} as unknown as Database,
  );

const statusOf = async (sent: Promise<unknown>): Promise<unknown> => {
  const error: unknown = await sent.catch((error: unknown) => error);
  return error instanceof ApiError ? error.status : error;
};

test('Four uploads whose requests were ended without being told keep nobody away for longer than ten seconds', async () => {
  for (let count = 0; count < 4; count += 1) void send(new ReadableStream());
  expect(await statusOf(send('whole'))).toBe(503);
  // The runtime ends a request with its timers when its client leaves.
  vi.clearAllTimers();
  await vi.advanceTimersByTimeAsync(goneAfterMs);
  expect(await statusOf(send('whole'))).toBe(400);
});

test('Four uploads that take long keep their places', async () => {
  const ends: (() => void)[] = [];
  const slow = Array.from({ length: 4 }, () =>
    statusOf(send(new ReadableStream({ start: (body) => void ends.push(() => body.close()) }))),
  );
  await vi.advanceTimersByTimeAsync(6 * goneAfterMs);
  expect(await statusOf(send('whole'))).toBe(503);
  for (const end of ends) end();
  expect(await Promise.all(slow)).toEqual([400, 400, 400, 400]);
  expect(await statusOf(send('whole'))).toBe(400);
});
