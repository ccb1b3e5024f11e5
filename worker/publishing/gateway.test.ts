import { expect, test, vi } from 'vitest';
import { answerThroughCache } from './gateway.ts';

const origin = 'https://site.test';

test('Through the cache goes a content page by its path alone, and whatever fails there is left to the app', async () => {
  const asked: Request[] = [];
  const cancelled = vi.fn();
  const body = () => new ReadableStream({ cancel: cancelled, pull: (to) => to.enqueue(new Uint8Array(4)) });
  const ask = (
    path: string,
    request: RequestInit = {},
    answer: () => Promise<Response> = () =>
      Promise.resolve(new Response(body(), { headers: { ETag: '"a"', 'X-From': 'cache' } })),
  ) =>
    answerThroughCache(new Request(`${origin}${path}`, request), {
      fetch: (inner) => {
        asked.push(inner);
        return answer();
      },
    });
  const page = await ask('/?utm_source=mail', { headers: { Cookie: 'a=b', 'CF-Ray': 'ray' } });
  expect([page?.status, page?.headers.get('X-From'), page?.headers.get('X-Request-Id')]).toEqual([
    200,
    'cache',
    'ray',
  ]);
  await page?.body?.cancel();
  expect([asked[0]?.url, asked[0]?.headers.has('Cookie')]).toEqual([`${origin}/`, false]);
  for (const [path, method] of [
    ['/', 'POST'],
    ['/login', 'GET'],
    ['/pricing', 'GET'],
  ] as const)
    expect(await ask(path, { method }), path).toBeUndefined();
  expect(asked).toHaveLength(1);
  cancelled.mockClear();
  const head = await ask('/', { method: 'HEAD' });
  expect([head?.status, head?.body]).toEqual([200, null]);
  const known = await ask('/', { headers: { 'If-None-Match': '"a"' } });
  expect([known?.status, known?.body]).toEqual([304, null]);
  expect(cancelled).toHaveBeenCalledTimes(2);
  expect((await ask('/', { headers: { 'If-None-Match': '"b"' } }))?.status).toBe(200);
  expect(await ask('/', {}, () => Promise.resolve(new Response(body(), { status: 503 })))).toBeUndefined();
  expect(cancelled).toHaveBeenCalledTimes(3);
  expect(await ask('/', {}, () => Promise.reject(new Error('cut')))).toBeUndefined();
  // An answer without a body has nothing to be given up.
  expect(await ask('/', {}, () => Promise.resolve(new Response(null, { status: 503 })))).toBeUndefined();
  const empty = await ask('/', { method: 'HEAD' }, () => Promise.resolve(new Response(null)));
  expect([empty?.status, empty?.body]).toEqual([200, null]);
});
