import { afterEach, expect, test, vi } from 'vitest';
import { api } from './call.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

test('A call sends the headers that its entry declares, and accepts no others', async () => {
  const sent = vi.fn<typeof fetch>(() => Promise.resolve(Response.json({})));
  vi.stubGlobal('fetch', sent);
  await api('POST /release/:id/publish', { id: 'r', ifMatch: '"3"' });
  const { headers } = sent.mock.lastCall?.[1] ?? {};
  expect(Object.fromEntries(new Headers(headers))).toEqual({ accept: 'application/json', 'if-match': '"3"' });
  // @ts-expect-error This call saves nothing, so it takes no version.
  await api('GET /setup', { ifMatch: '"3"' });
  // @ts-expect-error A release is published once, so the call takes no key.
  await api('POST /release/:id/publish', { id: 'r', idempotencyKey: 'k' });
});
