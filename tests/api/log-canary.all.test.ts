/** What the Worker's log may not hold: its lines are searched after people have typed, followed and sent secrets. */
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { allCalls } from '#contract/calls/index.ts';
import { newId } from '#contract/ids.ts';
import { allScreens } from '#contract/all-screens.ts';
import { callPath } from '../support/calls.ts';
import { mailedToken } from '../support/cast.ts';
import { untilMs } from '../support/limits.ts';
import { administrator as owner, startTestSystem, type TestSystem } from '../support/system.ts';
import { fetchAlone, newEmail, signInAdministrator, signUp, Visitor } from '../support/visitor.ts';

let system: TestSystem;
beforeAll(async () => {
  system = await startTestSystem();
});
afterAll(() => system.stop());

const patience = { timeout: untilMs, interval: 50 };

/** A word that nothing else contains. */
const canary = (what: string) => `canary${what}${randomBytes(6).toString('hex')}`;

const inQuery = canary('query');
const inPath = canary('path');
const typed = canary('typed');
const password = canary('password');

/** Sends a request whose answer does not matter. */
async function send(visitor: Visitor, method: string, path: string, body?: object): Promise<void> {
  const cookie = Array.from(visitor.cookies, ([name, value]) => `${name}=${value}`).join('; ');
  const headers = { Origin: system.url, 'Content-Type': 'application/json', Cookie: cookie };
  const sent = body && method !== 'GET' ? { body: JSON.stringify(body) } : {};
  const answer = await fetchAlone(new URL(path, system.url), {
    method,
    redirect: 'manual',
    headers,
    ...sent,
  });
  await answer.arrayBuffer();
}

/** Asks for every page and call with a query, and with a body that no call takes. */
async function askForEverything(visitor: Visitor): Promise<void> {
  const addresses = [
    ...allScreens.map(({ pattern }) => ['GET', pattern.replace(/:\w+/, newId())] as const),
    ...allCalls.map(({ method, path }) => [method, callPath(path, newId())] as const),
    ...['/nothing', '/favicon.ico', '/_astro/nothing.js', '/revision.json', '/pricing'].map(
      (path) => ['GET', path] as const,
    ),
    ...[`/${inPath}`, `/api/${inPath}`, `/api/order/${inPath}`].map((path) => ['GET', path] as const),
  ];
  for (const [method, path] of addresses)
    // The visitor stays signed in.
    if (!/logout|\/auth\/(account|sessions)/.test(path))
      await send(visitor, method, `${path}?${inQuery}=${inQuery}`, { [typed]: typed });
}

test('No line of the log holds a secret, a query or anything that somebody typed, even when calls fail', async () => {
  const email = newEmail(canary('email'));
  const customer = await signUp(system.url, email, password);
  const verification = await mailedToken(system.url, email, '/verify-email');
  await customer.get(`/verify-email?token=${verification}`);
  await send(customer, 'POST', '/api/auth/verify', { token: verification, password: `${password}-wrong` });
  await customer.post('/api/auth/verify', { token: verification, password });
  await customer.post('/api/auth/reset', { email });
  const reset = await mailedToken(system.url, email, '/reset-password');
  await customer.get(`/reset-password?token=${reset}`);
  await send(customer, 'POST', '/api/auth/reset/confirm', { token: reset, password: 'x' });
  await send(customer, 'POST', '/api/auth/login', { email, password: `${password}-wrong` });
  const message = { name: typed, email, number: typed, subject: typed, message: typed };
  await customer.post('/api/add-message', message);
  await customer.send('POST', '/api/add-message', new URLSearchParams(message).toString(), {
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  });
  // A mail that does not go out.
  await signUp(system.url, `${canary('bouncing')}@bounce.invalid`, password);

  const administrator = await signInAdministrator(system.url);
  const cookies = [customer, administrator]
    .flatMap(({ cookies }) => [...cookies])
    .filter(([name]) => name.startsWith('__Host-'))
    .map(([, value]) => value);
  expect(cookies.length).toBeGreaterThan(1);
  await askForEverything(administrator);
  await system.worker.tick();

  await system.database.stop();
  await askForEverything(new Visitor(system.url));
  // Valid requests, whose values stand in the queries that fail.
  await send(customer, 'POST', '/api/auth/login', { email, password });
  await send(customer, 'POST', '/api/auth/reset', { email });
  await send(customer, 'PUT', '/api/auth/profile', {
    name: typed,
    company: typed,
    phone: typed,
    website: '',
  });
  await send(customer, 'POST', '/api/add-message', message);
  await send(customer, 'POST', '/api/add-subscriber', { subemail: email });
  await send(administrator, 'POST', '/api/add-user', { userEmail: email });
  await system.worker.tick();
  await system.database.start();

  const last = (await new Visitor(system.url).get('/api/health')).headers.get('X-Request-Id') ?? 'none';
  const log = await vi.waitFor(async () => {
    const text = await readFile(join(system.dataDir, 'worker.log'), 'utf8');
    expect(text).toContain(last);
    return text;
  }, patience);
  const lines = log.split('\n');
  for (const event of ['request.answered', 'request.failed', 'mail.failed', 'cron.failed'])
    expect(
      lines.some((line) => line.includes(`"event":"${event}"`)),
      event,
    ).toBe(true);
  const secrets = z.record(z.string(), z.string());
  const settings = Object.values(
    secrets.parse(JSON.parse(await readFile(join(system.dataDir, 'secrets.json'), 'utf8'))),
  );
  const forbidden = [
    inQuery,
    inPath,
    typed,
    password,
    email,
    verification,
    reset,
    owner.email,
    owner.password,
  ];
  for (const word of [...forbidden, ...cookies, ...settings, 'canary', '@bounce.invalid', '?'])
    expect(lines.filter((line) => line.includes(word))).toEqual([]);
});
