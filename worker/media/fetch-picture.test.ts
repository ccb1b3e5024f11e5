/** Which addresses the server may fetch a picture from. The test controls the responses of `fetch`. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fetchPicture } from './fetch-picture.ts';

const asked: string[] = [];
let answer: (address: string) => Response;
beforeEach(() => {
  answer = () => new Response(new Uint8Array([1, 2, 3]), { headers: { 'Content-Type': 'image/png; a=b' } });
  vi.stubGlobal('fetch', (url: URL, { redirect }: RequestInit) => {
    expect(redirect).toBe('manual');
    asked.push(url.href);
    return Promise.resolve(answer(url.href));
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  asked.length = 0;
});
const hosts = ['old-site.com', 'cdn.old-site.com'];

test('A picture is fetched from a listed site, even through a redirect to another listed site', async () => {
  expect(await fetchPicture('https://old-site.com/a/one%20two.png', hosts)).toEqual({
    name: 'one two.png',
    type: 'image/png',
    bytes: new Uint8Array([1, 2, 3]),
  });
  expect((await fetchPicture('https://old-site.com/%ff.png', hosts)).name).toBe('%ff.png');
  answer = (address) =>
    address.includes('cdn')
      ? new Response('ok')
      : new Response(null, { status: 302, headers: { Location: 'https://cdn.old-site.com/x.png' } });
  expect((await fetchPicture('https://old-site.com/x.png', hosts)).name).toBe('x.png');
});

test.each([
  'http://old-site.com/a.png',
  'https://old-site.com:8443/a.png',
  'https://user:secret@old-site.com/a.png',
  'https://other-site.com/a.png',
  'https://old-site.com.evil.com/a.png',
  'file:///etc/passwd',
  'not an address',
])('An address that is not https on a listed site is never requested: %s', async (address) => {
  await expect(fetchPicture(address, hosts)).rejects.toMatchObject({ status: 422 });
  expect(asked).toEqual([]);
});

test.each([
  'https://127.0.0.1/a.png',
  'https://2130706433/a.png',
  'https://0x7f.1/a.png',
  'https://169.254.169.254/latest/meta-data',
  'https://[::1]/a.png',
  'https://[::ffff:10.0.0.1]/a.png',
  'https://localhost/a.png',
  'https://metadata.google.internal/a.png',
  'https://printer.local/a.png',
  'https://intranet/a.png',
])('An internal address is never requested, even if it is listed: %s', async (address) => {
  const listed = URL.parse(address)?.hostname ?? '';
  await expect(fetchPicture(address, [...hosts, listed])).rejects.toMatchObject({ status: 422 });
  expect(asked).toEqual([]);
});

test('Redirects to an internal or unlisted address, and endless redirects, are not followed', async () => {
  for (const location of [
    'https://127.0.0.1/',
    'http://old-site.com/',
    '//other-site.com/a.png',
    'file:///x',
  ]) {
    answer = () => new Response(null, { status: 301, headers: { Location: location } });
    await expect(fetchPicture('https://old-site.com/a.png', hosts), location).rejects.toMatchObject({
      status: 422,
    });
  }
  expect(new Set(asked)).toEqual(new Set(['https://old-site.com/a.png']));
  answer = () => new Response(null, { status: 301, headers: { Location: '/a.png' } });
  await expect(fetchPicture('https://old-site.com/a.png', hosts)).rejects.toMatchObject({ status: 422 });
});

test('A picture that is missing, too large or cut off is refused', async () => {
  answer = () => new Response(null, { status: 404 });
  await expect(fetchPicture('https://old-site.com/a.png', hosts)).rejects.toMatchObject({ status: 422 });
  answer = () => new Response(new Uint8Array(10 * 1024 * 1024 + 1));
  await expect(fetchPicture('https://old-site.com/a.png', hosts)).rejects.toThrow(/too large/);
  answer = () =>
    new Response(
      new ReadableStream({
        pull(controller) {
          controller.error(new DOMException('The operation timed out.', 'TimeoutError'));
        },
      }),
    );
  await expect(fetchPicture('https://old-site.com/a.png', hosts)).rejects.toMatchObject({ status: 422 });
});
