/** The headers that keep caches from private answers, and pages from loading what they may not. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { sharedSystem } from '../support/shared-system.ts';
import * as z from 'zod';
import { readWorkerConfig } from '#deploy/worker-config.ts';
import { findScreen } from '#contract/all-screens.ts';
import { newId } from '#contract/ids.ts';
import { callNamed } from '../support/calls.ts';
import { livePage } from '../support/content.ts';
import { sharedBuild } from '../support/system.ts';
import { signInAdministrator, Visitor } from '../support/visitor.ts';
import {
  expectCallHeaders,
  expectCommonHeaders,
  expectPageHeaders,
  mailedPages,
} from './expected-headers.ts';

const url = sharedSystem.url;
const visitor = new Visitor(url);
let administrator: Visitor;
beforeAll(async () => {
  administrator = await signInAdministrator(url);
});

test('A page of each kind says what it may load, and caches keep it only when it is the same for everyone', async () => {
  const id = newId();
  const stripeOrigin = new URL(sharedSystem.stripe.url).origin;
  for (const path of [
    ...[
      '/',
      '/login',
      '/reset-password',
      `/order-now/${id}`,
      `/pay-now/${id}`,
      '/my-order',
      '/admin',
      '/preview',
    ],
  ]) {
    const { screen } = findScreen(path) ?? {};
    if (!screen) throw new Error(`There is no page ${path}.`);
    for (const caller of [visitor, administrator]) await expectPageHeaders(caller, screen, stripeOrigin);
  }
});

test('No cache keeps the answer of a call, whether it succeeds or fails', async () => {
  for (const name of [
    'GET /banner',
    'GET /banner/:id',
    'GET /orders',
    'POST /auth/login',
    'GET /setup',
  ] as const)
    await expectCallHeaders(visitor, callNamed(name));
  for (const name of ['GET /orders', 'GET /orders.csv', 'GET /media'] as const)
    await expectCallHeaders(administrator, callNamed(name));
});

test('The secret in the address of a mailed link is kept by no cache, sent to no other page, and no obstacle to its form', async () => {
  for (const path of mailedPages) {
    const token = newId();
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
    // A mail service may unsubscribe whoever has the link. It is not led on to a page of this site.
    expect((await post('cross-site')).status, path).toBe(path === '/unsubscribe' ? 204 : 403);
  }
});

test('No cache keeps an address that is not in the manifest', async () => {
  for (const path of [
    '/nothing',
    '/shell/admin',
    '/api/nothing',
    '/revision.json',
    '/pricing',
    '/contact/',
  ]) {
    const answer = await visitor.get(path);
    expectCommonHeaders(answer, path);
    expect(answer.headers.get('Cache-Control'), path).toBe('no-store');
  }
});

test('No cache keeps a hashed file that this release does not have', async () => {
  for (const path of ['/_astro/nothing.js', '/_astro/nothing.js?x=1', '/_astro/', '/%5Fastro/nothing.js'])
    for (const method of ['GET', 'HEAD']) {
      const answer = await visitor.send(method, path);
      expect(answer.status, path).toBe(404);
      expectCommonHeaders(answer, path);
      expect(answer.headers.get('Cache-Control'), path).toBe('no-store');
    }
});

test('The Worker comes first for everything that is deployed, except hashed files', async () => {
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

test('Files carry the same headers, and hashed ones are kept for good', async () => {
  const pages = await Promise.all(['/', '/contact', '/login'].map((path) => visitor.get(path)));
  const hashed = new Set(pages.flatMap(({ text }) => text.match(/\/_astro\/[\w.-]+/g) ?? []));
  expect(hashed.size).toBeGreaterThan(3);
  for (const path of hashed) {
    const answer = await visitor.get(path);
    expect(answer.status, path).toBe(200);
    expectCommonHeaders(answer, path);
    expect(answer.headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable');
  }
  for (const path of ['/robots.txt', '/sitemap.xml', '/favicon.svg']) {
    const answer = await visitor.get(path);
    expect(answer.status, path).toBe(200);
    expectCommonHeaders(answer, path);
    expect(answer.headers.get('Cache-Control')).toMatch(/^public, max-age=\d+$/);
  }
});
/** Content pages: the first, and one with a form. */
const contentPaths = ['/', '/contact'];

test('The cache near the visitor keeps a content page, and the browser asks for it again', async () => {
  for (const path of contentPaths) {
    const { headers, status } = await livePage(visitor, path);
    expect(status).toBe(200);
    expect(headers.get('Cache-Control')).toBe('public, max-age=0, must-revalidate');
    const edge = headers.get('Cloudflare-CDN-Cache-Control') ?? '';
    expect(edge).toBe('max-age=30, stale-while-revalidate=30, stale-if-error=86400');
    expect(headers.get('Cache-Tag')).toBe(`content,content:${path}`);
    expect(Number(headers.get('X-Content-Revision'))).toBeGreaterThan(0);
    expect(headers.has('Set-Cookie')).toBe(false);
    expect(headers.has('Vary')).toBe(false);
  }
});

test('A content page is the same for everyone, signed in or not, with any query string', async () => {
  const others = { 'Accept-Language': 'de', Accept: '*/*', 'User-Agent': 'curl' };
  for (const path of contentPaths) {
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

test('A content page answers 304 to a browser that has it, and HEAD without a body', async () => {
  const page = await livePage(visitor, '/');
  const etag = page.headers.get('ETag') ?? '';
  expect(etag).toMatch(/^"[0-9a-f]{32}"$/);
  const known = await livePage(visitor, '/', { headers: { 'If-None-Match': `W/${etag}` } });
  expect([known.status, known.text, known.headers.get('ETag')]).toEqual([304, '', etag]);
  expect(known.headers.get('Content-Security-Policy')).toBe(page.headers.get('Content-Security-Policy'));
  expect((await visitor.get('/', { headers: { 'If-None-Match': '"other"' } })).status).toBe(200);
  const head = await visitor.send('HEAD', '/');
  expect([head.status, head.text, head.headers.get('ETag')]).toEqual([200, '', etag]);
  expect(head.headers.get('Cache-Control')).toBe(page.headers.get('Cache-Control'));
});
