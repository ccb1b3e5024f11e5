/** The headers that keep private responses out of caches, and restrict what pages load. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sharedSystem } from '../support/shared-system.ts';
import * as z from 'zod';
import { readWorkerConfig } from '#deploy/worker-config.ts';
import { findScreen } from '#contract/all-screens.ts';
import type { ListedCall } from '#contract/all-calls.ts';
import { fillPath } from '#contract/route-pattern.ts';
import type { Screen } from '#contract/screens.ts';
import { newId } from '#contract/ids.ts';
import { callNamed, callPath } from '../support/calls.ts';
import { newVerificationToken } from '../support/cast.ts';
import { livePage } from '../support/content.ts';
import { sharedBuild } from '../support/system.ts';
import { signInAdministrator, Visitor, type Answer } from '../support/visitor.ts';

/** The pages behind emailed links, whose URLs contain a secret. */
const mailedPages = [
  '/verify-email',
  '/reset-password',
  '/invitation',
  '/confirm-subscription',
  '/unsubscribe',
];

/** The directives of a policy, which map names to sources. */
function policyOf({ headers }: Answer): Map<string, readonly string[]> {
  const policy = headers.get('Content-Security-Policy') ?? '';
  return new Map(
    policy.split(';').map((directive) => {
      const [name = '', ...sources] = directive.trim().split(/\s+/);
      return [name, sources];
    }),
  );
}

/**
 * Checks what every response has.
 * @param what the pattern of a page, or another name for the message
 */
function expectCommonHeaders({ headers }: Answer, what: string): void {
  const maxAge = /max-age=(\d+)/.exec(headers.get('Strict-Transport-Security') ?? '')?.[1];
  expect(Number(maxAge), what).toBeGreaterThanOrEqual(31_536_000);
  expect(headers.get('X-Content-Type-Options'), what).toBe('nosniff');
  expect(headers.get('Referrer-Policy'), what).toBe(
    mailedPages.includes(what) ? 'no-referrer' : 'strict-origin-when-cross-origin',
  );
  expect(headers.get('Content-Security-Policy'), what).toContain("default-src 'none'");
  expect(headers.get('Content-Security-Policy'), what).not.toMatch(
    /unsafe-|(^|\s)\*(\s|;|$)|http:(?!\/\/127\.0\.0\.1:)/,
  );
  for (const name of headers.keys()) expect(name, what).not.toMatch(/^(server|x-powered-by|access-control-)/);
}

function expectNotStored(answer: Answer, what: string): void {
  expectCommonHeaders(answer, what);
  expect(answer.headers.get('Cache-Control'), what).toBe('no-store');
}

/** Checks that a page loads only what it may, and that a cache keeps it only if it is the same for everyone. */
async function expectPageHeaders(
  caller: Visitor,
  { pattern, kind, takesCards = false }: Screen,
  stripeOrigin: string,
): Promise<void> {
  const path = fillPath(pattern, newId());
  const answer = kind === 'content' ? await livePage(caller, path) : await caller.get(path);
  expectCommonHeaders(answer, pattern);
  const isPublic = !(answer.headers.get('Cache-Control') ?? '').includes('no-store');
  expect(isPublic, pattern).toBe(kind === 'content');
  if (answer.status === 302) return;
  const policy = policyOf(answer);
  const framers = kind === 'preview' && answer.status === 200 ? ["'self'"] : ["'none'"];
  expect(policy.get('frame-ancestors'), pattern).toEqual(framers);
  expect(policy.get('base-uri'), pattern).toEqual(["'none'"]);
  expect(policy.get('form-action'), pattern).toEqual(["'self'"]);
  expect(policy.has('object-src'), pattern).toBe(false);
  const hosts = ['script-src', 'connect-src', 'frame-src', 'style-src', 'font-src'].flatMap((name) =>
    (policy.get(name) ?? []).filter((source) => !/^'(self|none|sha256-[\w+/=]+)'$/.test(source)),
  );
  expect([...new Set(hosts)], pattern).toEqual(takesCards ? [stripeOrigin] : []);
  expect(answer.text, pattern).not.toMatch(/<[a-z][^>]*\s(style|on[a-z]+)="/i);
  // Wallets open windows that communicate with the page, and use the browser's payment dialog in Stripe's frames.
  const [opener, payment] = takesCards
    ? ['same-origin-allow-popups', `payment=(self "${stripeOrigin}")`]
    : ['same-origin', 'payment=()'];
  expect(answer.headers.get('Cross-Origin-Opener-Policy'), pattern).toBe(opener);
  expect(answer.headers.get('Permissions-Policy'), pattern).toContain(payment);
}

/** Checks that no cache keeps the response of a call. The request is invalid for every call, so it changes nothing. */
async function expectCallHeaders(caller: Visitor, { name, method, path }: ListedCall): Promise<void> {
  const body = method === 'GET' ? undefined : {};
  const answer = await caller.send(method, callPath(path, path.includes(':id') ? newId() : '0'), body);
  expectNotStored(answer, name);
  expect(answer.headers.get('Content-Security-Policy'), name).toContain("frame-ancestors 'none'");
  if (answer.status >= 400)
    expect(answer.headers.get('Content-Type'), name).toContain('application/problem+json');
}

const url = sharedSystem.url;
const visitor = new Visitor(url);
const administrator = await signInAdministrator(url);

test('Each kind of page states what it may load, and caches keep it only if it is the same for everyone', async () => {
  const id = newId();
  const stripeOrigin = new URL(sharedSystem.stripe.url).origin;
  for (const path of [
    ...['/', '/login', '/reset-password', `/order-now/${id}`, `/pay-now/${id}`],
    ...['/my-order', '/pending-order', '/admin', '/preview'],
  ]) {
    const { screen } = findScreen(path) ?? {};
    if (!screen) throw new Error(`There is no page ${path}.`);
    for (const caller of [visitor, administrator]) await expectPageHeaders(caller, screen, stripeOrigin);
  }
});

test('No cache keeps the response of a call, whether it succeeds or fails', async () => {
  const open = ['GET /banner', 'GET /banner/:id', 'GET /orders', 'POST /auth/login', 'GET /setup'] as const;
  for (const name of open) await expectCallHeaders(visitor, callNamed(name));
  for (const name of ['GET /orders', 'GET /orders.csv', 'GET /media'] as const)
    await expectCallHeaders(administrator, callNamed(name));
});

test('The secret in the address of an emailed link is not cached, is not sent to other pages, and does not break its form', async () => {
  for (const path of mailedPages) {
    const token = path === '/verify-email' ? await newVerificationToken(url) : newId();
    const page = await visitor.get(`${path}?token=${token}`);
    expect(page.headers.get('Cache-Control'), path).toBe('no-store');
    expect(page.headers.get('Referrer-Policy'), path).toBe('no-referrer');
    const [form = ''] = /<form[^>]* data-account-form[^>]*>/.exec(page.text) ?? [];
    const action = / action="([^"]+)"/.exec(form)?.[1] ?? '';
    // What a browser without JavaScript sends from a page with `no-referrer`.
    const sent = { 'Content-Type': 'application/x-www-form-urlencoded', Origin: 'null' };
    const fields = `token=${token}&password=a%20long%20password`;
    const post = (site: string) =>
      visitor.send('POST', action, fields, { headers: { ...sent, 'Sec-Fetch-Site': site } });
    const answer = await post('same-origin');
    expect([answer.status, answer.headers.get('Location')?.split('?')[0]]).toEqual([303, path]);
    // A mail service with the link may unsubscribe its reader. It is not redirected to a page of this site.
    expect((await post('cross-site')).status, path).toBe(path === '/unsubscribe' ? 204 : 403);
  }
});

test('No cache keeps the response of an address that the contract does not list', async () => {
  const paths = ['/nothing', '/shell/admin', '/api/nothing', '/revision.json', '/pricing', '/contact/'];
  for (const path of paths) expectNotStored(await visitor.get(path), path);
});

test('No cache keeps a hashed file that this release does not have', async () => {
  for (const path of ['/_astro/nothing.js', '/_astro/nothing.js?x=1', '/_astro/', '/%5Fastro/nothing.js'])
    for (const method of ['GET', 'HEAD']) {
      const answer = await visitor.send(method, path);
      expect(answer.status, path).toBe(404);
      expectNotStored(answer, path);
    }
});

test('The Worker handles everything that is deployed, except hashed files', async () => {
  const { assets } = await readWorkerConfig();
  const isFirst = (path: string) =>
    z
      .array(z.string())
      .parse(assets['run_worker_first'])
      .some((rule) => (rule.endsWith('*') ? path.startsWith(rule.slice(0, -1)) : path === rule));
  const names = await readdir(join(sharedBuild, 'dist'));
  expect(names).toContain('_astro');
  for (const name of names.filter((one) => !['_astro', '_headers'].includes(one)))
    expect(isFirst(`/${name}`), name).toBe(true);
  expect(isFirst('/_astro/nothing.js')).toBe(false);
  expect(isFirst('/')).toBe(true);
});

test('Files have the same headers, and hashed ones are cached forever', async () => {
  const pages = await Promise.all(['/', '/contact', '/login'].map((path) => visitor.get(path)));
  const hashed = new Set(pages.flatMap(({ text }) => text.match(/\/_astro\/[\w.-]+/g) ?? []));
  expect(hashed.size).toBeGreaterThan(3);
  for (const path of [...hashed, '/robots.txt', '/og.png']) {
    const answer = await visitor.get(path);
    expect(answer.status, path).toBe(200);
    expectCommonHeaders(answer, path);
    const cached = hashed.has(path) ? /^public, max-age=31536000, immutable$/ : /^public, max-age=\d+$/;
    expect(answer.headers.get('Cache-Control'), path).toMatch(cached);
  }
});

test('A content page is the same for everyone, signed in or not, with any query string', async () => {
  const others = { 'Accept-Language': 'de', Accept: '*/*', 'User-Agent': 'curl' };
  // The first content page, and one with a form.
  for (const path of ['/', '/contact']) {
    const page = await livePage(visitor, path);
    for (const answer of [
      await livePage(administrator, path),
      await livePage(visitor, `${path}?utm_source=x&%3Cscript%3E=1`),
      await livePage(visitor, path, { headers: others }),
      await livePage(visitor, path, { headers: { 'X-Forwarded-Host': 'evil.example' } }),
    ]) {
      expect(answer.text).toBe(page.text);
      expect(answer.headers.get('ETag')).toBe(page.headers.get('ETag'));
    }
    expect(page.text).not.toContain('localhost');
  }
});

test('A deployed site redirects plain HTTP to the same address with HTTPS', async () => {
  const worker = await sharedSystem.startWorker({ vars: { ENVIRONMENT: 'production' } });
  for (const [method, path] of [
    ['GET', '/pricing/?utm_source=mail'],
    ['POST', '/api/auth/login'],
    ['GET', '/media/x'],
  ] as const) {
    const answer = await fetch(`${worker.url}${path}`, { method, redirect: 'manual' });
    const location = `${worker.url.replace('http:', 'https:')}${path}`;
    expect([answer.status, answer.headers.get('Location')]).toEqual([308, location]);
  }
  expect((await fetch(`${url}/`, { redirect: 'manual' })).status).toBe(200);
});
