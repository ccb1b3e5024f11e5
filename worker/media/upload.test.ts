/** How many uploads an isolate handles at a time, and which forms it refuses. Interrupted uploads do not count. */
import { beforeEach, expect, test, vi } from 'vitest';
import { maxMediaBytes } from '#contract/media.ts';
import { ApiError } from '../http/errors.ts';
import { heartbeatTimeoutMs } from '../http/semaphore.ts';
import { receiveMedia } from './upload.ts';

beforeEach(() => void vi.useFakeTimers());

const send = (body: BodyInit, headers: Readonly<Record<string, string>> = {}) =>
  receiveMedia(
    new Request('http://site.test/api/media', {
      method: 'POST',
      body,
      headers,
      duplex: 'half',
    } as RequestInit),
    {} as Parameters<typeof receiveMedia>[1],
  );

const statusOf = async (sent: Promise<unknown>): Promise<unknown> => {
  const error: unknown = await sent.catch((error: unknown) => error);
  return error instanceof ApiError ? error.status : error;
};

test('Two uploads that are cut off block others for at most ten seconds', async () => {
  for (let count = 0; count < 2; count += 1) void send(new ReadableStream());
  expect(await statusOf(send('whole'))).toBe(503);
  // When a client disconnects, the runtime ends the request and its timers.
  vi.clearAllTimers();
  await vi.advanceTimersByTimeAsync(heartbeatTimeoutMs);
  expect(await statusOf(send('whole'))).toBe(400);
});

// Node rejects boundaries shorter than 27 characters.
const boundary = 'b'.repeat(27);
const part = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\nbytes\r\n`;
const end = `--${boundary}--\r\n`;
const multipart = `multipart/form-data; boundary=${boundary}`;

test.each([
  ['without a boundary', part + end, 'multipart/form-data', 400],
  ['of another boundary', part + end, 'multipart/form-data; boundary=' + 'c'.repeat(27), 400],
  ['that ends within its file', part.slice(0, -4), multipart, 400],
  ['that ends before its last boundary', part, multipart, 400],
  ['whose part has no name', part.replace('name', 'title'), multipart, 400],
  ['whose file is text', part.replace('; filename="a.png"', '') + end, multipart, 422],
  ['of a file that is not a picture', part + end, multipart, 422],
])('A form %s is refused', async (_, body, type, status) => {
  expect(await statusOf(send(body, { 'Content-Type': type }))).toBe(status);
});

test('A form that is shorter than announced or larger than allowed is refused', async () => {
  const whole = part + end;
  const announced = { 'Content-Type': multipart, 'Content-Length': String(whole.length + 1) };
  expect(await statusOf(send(whole, announced))).toBe(400);
  const large = new Uint8Array(maxMediaBytes + 128 * 1024);
  expect(await statusOf(send(large, { 'Content-Type': multipart }))).toBe(413);
});
