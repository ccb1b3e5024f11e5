import { verify } from 'hono/jwt';
import { createServer } from 'node:http';
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createIdToken, sendIdToken } from '#worker/accounts/token-sync.ts';
import { listen } from '../support/listen.ts';
import { openAccountsApp } from './accounts-app.ts';

const key = 'a-signing-key-for-tests';
const issuer = 'http://site.test';
const password = 'violet-harbor-91';

let status = 204;
/** Until this settles, the listener does not answer. */
let held: Promise<undefined> | undefined;
let closed = 0;
const calls: { method: string; token: string }[] = [];

const server = createServer((request, response) => {
  calls.push({
    method: request.method ?? '',
    token: (request.headers.authorization ?? '').replace(/^Bearer /, ''),
  });
  void (held ?? Promise.resolve()).then(() => response.writeHead(status).end());
  response.once('close', () => (closed += 1));
});
const listener = await listen(server);
const url = `${listener.url}/session`;
afterAll(() => listener.close());
beforeEach(() => {
  calls.length = 0;
  status = 204;
  held = undefined;
  closed = 0;
});

describe('An ID token', () => {
  const account = { id: 'account-1', email: 'somebody@example.com', emailVerified: true };

  test('is sent until it is five minutes old', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-21T12:00:00Z') });
    const token = await createIdToken(account, { issuer, audience: url, key });
    vi.setSystemTime(Date.now() + 300_000);
    expect([await sendIdToken(url, 'POST', token), calls.length]).toEqual([204, 1]);
    vi.setSystemTime(Date.now() + 1_000);
    expect([await sendIdToken(url, 'POST', token), calls.length]).toEqual([undefined, 1]);
  });
});

describe('Token sync', () => {
  test('reports sign-in and sign-out with a signed token of the account', async () => {
    const app = await openAccountsApp({ TOKEN_SYNC_URL: url, TOKEN_SIGNING_KEY: key });
    const browser = app.openBrowser();
    await browser.post('/api/auth/register', { email: 'Synced@example.com', password });
    await app.settle();
    await browser.post('/api/auth/logout');
    await app.settle();
    expect(calls.map(({ method }) => method)).toEqual(['POST', 'DELETE']);
    for (const { token } of calls) {
      const claims = await verify(token, key, 'HS256');
      expect(claims).toMatchObject({
        iss: issuer,
        aud: new URL(url).origin,
        email: 'synced@example.com',
        email_verified: false,
      });
      expect(Number(claims.exp) - Number(claims['iat'])).toBe(300);
    }
    await app.close();
  });

  test('neither delays nor fails a request', async () => {
    const app = await openAccountsApp({ TOKEN_SYNC_URL: url, TOKEN_SIGNING_KEY: key });
    const signUp = (email: string) => app.openBrowser().post('/api/auth/register', { email, password });
    status = 500;
    expect((await signUp('refused@example.com')).status).toBe(201);
    await app.settle();
    const answered = closed;
    const { promise, resolve } = Promise.withResolvers<undefined>();
    held = promise;
    expect((await signUp('slow@example.com')).status).toBe(201);
    // The listener has not answered, and no request has given up on it: nothing waited for it.
    expect(closed).toBe(answered);
    resolve(undefined);
    await app.settle();
    expect(calls).toHaveLength(2);
    await app.close();
  });
});
