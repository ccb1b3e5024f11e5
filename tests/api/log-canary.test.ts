/** What the Worker's log may not hold: every line of it is read after people have typed, followed and sent secrets. */
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { allCalls } from '#contract/calls/index.ts';
import { newId } from '#contract/ids.ts';
import { allScreens } from '#contract/all-screens.ts';
import { callPath } from '../support/calls.ts';
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

const mail = z.object({ to: z.string(), text: z.string() });

/** The secret of the newest link that was mailed to an address. */
async function mailedToken(to: string, page: string): Promise<string> {
  const link = new RegExp(`${page}\\?token=([\\w-]+)`);
  return vi.waitFor(async () => {
    const answer = await fetch(`${system.url}/dev/mailbox`, { headers: { Accept: 'application/json' } });
    const found = z
      .array(mail)
      .parse(await answer.json())
      .flatMap(({ to: recipient, text }) => (recipient === to ? (link.exec(text)?.[1] ?? []) : []))[0];
    if (found === undefined) throw new Error(`No link to ${page} came to ${to}.`);
    return found;
  }, patience);
}

/** Sends a request for its own sake; what is answered is other tests' matter. */
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

/** Every page and call there is, with something in the query, asked for by somebody; what is sent holds for none of them. */
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
    // Anyone who asks stays signed in.
    if (!/logout|\/auth\/(account|sessions)/.test(path))
      await send(visitor, method, `${path}?${inQuery}=${inQuery}`, { [typed]: typed });
}

test('No line of the log holds a secret, a query or what somebody typed, also when calls fail', async () => {
  const email = newEmail(canary('email'));
  const customer = await signUp(system.url, email, password);
  const verification = await mailedToken(email, '/verify-email');
  await customer.get(`/verify-email?token=${verification}`);
  await send(customer, 'POST', '/api/auth/verify', { token: verification, password: `${password}-wrong` });
  await customer.post('/api/auth/verify', { token: verification, password });
  await customer.post('/api/auth/reset', { email });
  const reset = await mailedToken(email, '/reset-password');
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
  for (const visitor of [new Visitor(system.url), customer, administrator]) await askForEverything(visitor);
  await system.worker.tick();

  await system.database.stop();
  for (const visitor of [new Visitor(system.url), administrator]) await askForEverything(visitor);
  // What holds, and would have been written: its values stand in the queries that fail.
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
