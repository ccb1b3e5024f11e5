/** What every answer carries, so that nothing private is kept by a cache and a page runs its own scripts alone. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import * as z from 'zod';
import { readWorkerConfig } from '#deploy/worker-config.ts';
import { allCalls } from '#contract/calls/index.ts';
import { callPath } from '../support/calls.ts';
import { newId } from '#contract/ids.ts';
import { allScreens } from '#contract/all-screens.ts';
import { fillPath } from '#contract/route-pattern.ts';
import { contentPages } from '#contract/screens.ts';
import { sharedBuild } from '../support/system.ts';
import { livePage } from '../support/content.ts';
import { signInAdministrator, Visitor, type Answer } from '../support/visitor.ts';

const url = inject('systemUrl');
const visitor = new Visitor(url);
let administrator: Visitor;
beforeAll(async () => {
  administrator = await signInAdministrator(url);
});

/** The directives of a policy: name to sources. */
function policyOf({ headers }: Answer): Map<string, readonly string[]> {
  const policy = headers.get('Content-Security-Policy') ?? '';
  return new Map(
    policy.split(';').map((directive) => {
      const [name = '', ...sources] = directive.trim().split(/\s+/);
      return [name, sources];
    }),
  );
}

/** The pages behind mailed links, whose addresses hold a secret. */
const mailedPages = [
  '/verify-email',
  '/reset-password',
  '/invitation',
  '/confirm-subscription',
  '/unsubscribe',
];

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
  for (const name of headers.keys()) expect(name).not.toMatch(/^(server|x-powered-by|access-control-)/);
}

const isPublic = (answer: Answer) => !(answer.headers.get('Cache-Control') ?? '').includes('no-store');

test.each(allScreens.map((screen) => [screen.pattern, screen] as const))(
  'The page %s says what it may load, and is kept by a cache only when it is the same for everyone',
  async (pattern, { kind }) => {
    for (const caller of [visitor, administrator]) {
      const path = fillPath(pattern, newId());
      const answer = kind === 'content' ? await livePage(caller, path) : await caller.get(path);
      expectCommonHeaders(answer, pattern);
      expect(isPublic(answer)).toBe(kind === 'content');
      if (answer.status === 302) continue;
      const policy = policyOf(answer);
      expect(policy.get('frame-ancestors')).toEqual(
        kind === 'preview' && answer.status === 200 ? ["'self'"] : ["'none'"],
      );
      expect(policy.get('base-uri')).toEqual(["'none'"]);
      expect(policy.get('form-action')).toEqual(["'self'"]);
      expect(policy.has('object-src')).toBe(false);
      const hosts = ['script-src', 'connect-src', 'frame-src', 'style-src', 'font-src'].flatMap((name) =>
        (policy.get(name) ?? []).filter((source) => !/^'(self|none|sha256-[\w+/=]+)'$/.test(source)),
      );
      if (kind === 'pay') expect(new Set(hosts)).toEqual(new Set([new URL(inject('stripeUrl')).origin]));
      else expect(hosts).toEqual([]);
      expect(answer.text).not.toMatch(/<[a-z][^>]*\s(style|on[a-z]+)="/i);
      const stripe = new URL(inject('stripeUrl')).origin;
      // Wallets open windows that speak to the page, and ask the browser in Stripe's frames.
      const [opener, payment] =
        kind === 'pay'
          ? ['same-origin-allow-popups', `payment=(self "${stripe}")`]
          : ['same-origin', 'payment=()'];
      expect(answer.headers.get('Cross-Origin-Opener-Policy')).toBe(opener);
      expect(answer.headers.get('Permissions-Policy')).toContain(payment);
    }
  },
);

test.each(allCalls.map((call) => [`${call.method} ${call.path}`, call] as const))(
  '%s is never kept by a cache, with any answer',
  async (_, { method, path, who }) => {
    const body = method === 'GET' ? undefined : {};
    // Only reads are made as an administrator: what is sent here must change nothing.
    for (const caller of method === 'GET' && who !== 'account' ? [visitor, administrator] : [visitor]) {
      const answer = await caller.send(method, callPath(path, path.includes(':id') ? newId() : '0'), body);
      expectCommonHeaders(answer, `${method} ${path}`);
      expect(answer.headers.get('Cache-Control')).toBe('no-store');
      expect(answer.headers.get('Content-Security-Policy')).toContain("frame-ancestors 'none'");
      if (answer.status >= 400)
        expect(answer.headers.get('Content-Type')).toContain('application/problem+json');
    }
  },
);

test.each(mailedPages)(
  'The secret in the address of %s is kept by no cache, told to no other page, and not in the way of its plain form',
  async (path) => {
    const token = newId();
    const page = await visitor.get(`${path}?token=${token}`);
    expect(page.headers.get('Cache-Control')).toBe('no-store');
    expect(page.headers.get('Referrer-Policy')).toBe('no-referrer');
    const [form = ''] = /<form[^>]* data-account-form[^>]*>/.exec(page.text) ?? [];
    const action = / action="([^"]+)"/.exec(form)?.[1] ?? '';
    // What a browser without JavaScript sends from a page with `no-referrer`.
    const sent = { 'Content-Type': 'application/x-www-form-urlencoded', Origin: 'null' };
    const fields = `token=${token}&password=a%20long%20password`;
    const post = (site: string) =>
      visitor.send('POST', action, fields, { headers: { ...sent, 'Sec-Fetch-Site': site } });
    const answer = await post('same-origin');
    expect([answer.status, answer.headers.get('Location')?.split('?')[0]]).toEqual([303, path]);
    // Anyone who has the link may unsubscribe by it, a mailbox above all; nobody is led on to this site.
    const fromElsewhere = path === '/unsubscribe' ? 204 : 403;
    for (const site of ['cross-site', 'same-site', 'none'])
      expect((await post(site)).status, site).toBe(fromElsewhere);
  },
);

describe('Addresses outside the manifest', () => {
  test.each(['/nothing', '/shell/admin', '/api/nothing', '/revision.json', '/pricing', '/contact/'])(
    '%s is never kept by a cache',
    async (path) => {
      const answer = await visitor.get(path);
      expectCommonHeaders(answer, path);
      expect(answer.headers.get('Cache-Control')).toBe('no-store');
    },
  );

  test.each(['/_astro/nothing.js', '/_astro/nothing.js?x=1', '/_astro/', '/_astro', '/%5Fastro/nothing.js'])(
    'The hashed file %s, which this release does not have, is never kept',
    async (path) => {
      for (const method of ['GET', 'HEAD']) {
        const answer = await visitor.send(method, path);
        expect(answer.status).toBe(404);
        expectCommonHeaders(answer, path);
        expect(answer.headers.get('Cache-Control')).toBe('no-store');
      }
    },
  );

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
});

describe.each(contentPages.map(({ pattern }) => pattern))('The content page %s', (path) => {
  test('is kept by the cache near the visitor, and asked for again by the browser', async () => {
    const { headers, status } = await livePage(visitor, path);
    expect(status).toBe(200);
    expect(headers.get('Cache-Control')).toBe('public, max-age=0, must-revalidate');
    const edge = headers.get('Cloudflare-CDN-Cache-Control') ?? '';
    expect(edge).toBe('max-age=30, stale-while-revalidate=30, stale-if-error=86400');
    expect(headers.get('Cache-Tag')).toBe(`content,content:${path}`);
    expect(Number(headers.get('X-Content-Revision'))).toBeGreaterThan(0);
    expect(headers.has('Set-Cookie')).toBe(false);
    expect(headers.has('Vary')).toBe(false);
  });

  test('is the same for everyone, signed in or not, with any query string', async () => {
    const page = await livePage(visitor, path);
    for (const answer of [
      await livePage(administrator, path),
      await livePage(visitor, `${path}?utm_source=x&%3Cscript%3E=1`),
      await livePage(visitor, path, {
        headers: { 'Accept-Language': 'de', Accept: '*/*', 'User-Agent': 'curl' },
      }),
      await livePage(visitor, path, { headers: { 'X-Forwarded-Host': 'evil.example' } }),
    ]) {
      expect(answer.text).toBe(page.text);
      expect(answer.headers.get('ETag')).toBe(page.headers.get('ETag'));
    }
    expect(page.text).not.toContain('localhost');
  });

  test('answers 304 to anyone who has it, and HEAD without a body', async () => {
    const page = await livePage(visitor, path);
    const etag = page.headers.get('ETag') ?? '';
    expect(etag).toMatch(/^"[0-9a-f]{32}"$/);
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const answer = await livePage(visitor, path, { headers: { 'If-None-Match': known } });
      expect([answer.status, answer.text]).toEqual([304, '']);
      expect(answer.headers.get('ETag')).toBe(etag);
      expect(answer.headers.get('Content-Security-Policy')).toBe(page.headers.get('Content-Security-Policy'));
    }
    expect((await visitor.get(path, { headers: { 'If-None-Match': '"other"' } })).status).toBe(200);
    const head = await visitor.send('HEAD', path);
    expect([head.status, head.text, head.headers.get('ETag')]).toEqual([200, '', etag]);
    expect(head.headers.get('Cache-Control')).toBe(page.headers.get('Cache-Control'));
  });
});
