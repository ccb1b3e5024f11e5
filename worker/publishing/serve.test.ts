/**
 * Tests how pages are served: cache headers, policy and role of each response, who may see which page, and what
 * visitors get when neither memory nor the database has a page.
 */
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import type { Account } from '#contract/accounts.ts';
import type { Role } from '#contract/audience.ts';
import { callAddress } from '#contract/call-address.ts';
import { newId } from '#contract/ids.ts';
import { contentPages, framePaths, redirectsFrame } from '#contract/screens.ts';
import { openDatabase } from '../db/client.ts';
import type { Env } from '../env.ts';
import { createApp } from '../http/app.ts';
import type * as LiveModule from './live.ts';
import type { Live, LivePage } from './page-set.ts';
import type * as PagesModule from './pages.ts';
import type * as ServeContent from './serve-content.ts';
import type * as ServeScreens from './serve-screens.ts';

vi.mock('#site-renderer', () => ({ buildId: 'this-build', renderPage: () => Promise.resolve('') }));
vi.mock('cloudflare:workers', () => ({
  WorkerEntrypoint: class {
    ctx: unknown;
    env: unknown;
    constructor(ctx: unknown, env: unknown) {
      this.ctx = ctx;
      this.env = env;
    }
  },
}));

const origin = 'https://site.test';
const text = (path: string) =>
  path === redirectsFrame
    ? JSON.stringify([
        { from: '/old', to: '/pricing/' },
        { from: '/Contact', to: '/contact' },
        { from: '/asked', to: '/contact?subject=new' },
        { from: '/asked?page=2', to: '/service/' },
        { from: '/away', to: 'https://elsewhere.test/there' },
        { from: '/caf%c3%a9/men%75', to: '/pricing/#packages' },
        { from: '/?p=12', to: '/contact' },
        { from: '/bad', to: 'javascript:alert(1)' },
      ])
    : `<html><head></head><body>${path}</body></html>`;
const pageOf = (path: string, revision: number): LivePage => ({
  path,
  html: text(path),
  etag: `"${path}"`,
  csp: `script-src 'self'; style-src 'self'; frame-src 'none'`,
  revision,
});
const byPath = (paths: readonly string[]) => new Map(paths.map((path) => [path, pageOf(path, 7)]));

/** Each test's state is newer than the one before it. */
let revision = 7;
const live = (): Live => ({
  revision: (revision += 1),
  publishedAt: 1,
  pages: byPath(contentPages.map(({ pattern }) => pattern)),
  frames: byPath(framePaths),
  content: undefined,
  sections: new Map(),
});

const files = new Map<string, string>([
  ...['/shell/pay', '/shell/admin', '/shell/customer', '/shell/preview', '/shell/checkout'].map(
    (path) => [path, `<html><head></head><body>${path}</body></html>`] as const,
  ),
  ['/robots.txt', 'User-agent: *'] as const,
]);
const env: Env = {
  ASSETS: {
    fetch: (input) => {
      const request = input instanceof Request ? input : new Request(input);
      const file = files.get(new URL(request.url).pathname);
      if (file !== undefined && request.headers.get('If-None-Match') === '"file"')
        return Promise.resolve(new Response(null, { status: 304 }));
      return Promise.resolve(new Response(file ?? 'gone', { status: file === undefined ? 404 : 200 }));
    },
  },
  EMAIL: { send: () => Promise.reject(new Error('Nobody mails here.')) },
  FLOOD_LIMIT: { limit: () => Promise.resolve({ success: true }) },
  FILES: {} as R2Bucket,
  IMAGES: {} as ImagesBinding,
  ENVIRONMENT: 'local',
  SITE_URL: origin,
  // No server listens on this port, so the database is down.
  TURSO_DATABASE_URL: 'http://127.0.0.1:9',
  STRIPE_SECRET_KEY: 'sk_test_none',
  STRIPE_WEBHOOK_SECRET: 'whsec_none',
  SEALING_KEYS: 'a-sealing-key-of-the-tests-0123456789',
  MAIL_FROM: 'site@site.test',
  NOTIFY_EMAIL: 'firm@site.test',
  SITE_TIMEZONE: 'UTC',
};

/** What the runtime would write into a page: `selector name=value`, or the inserted text. */
const written: string[] = [];
/** Content that is not marked as HTML is inserted as text. */
const shown = (text: string, how?: { html: boolean }) => (how?.html ? text : text.replaceAll('<', '&lt;'));
class Rewriter {
  readonly parts: [string, { element(part: unknown): void }][] = [];
  on(selector: string, handlers: { element(part: unknown): void }): this {
    this.parts.push([selector, handlers]);
    return this;
  }
  transform(response: Response): Response {
    for (const [selector, handlers] of this.parts)
      handlers.element({
        append: (text: string, how?: { html: boolean }) => written.push(`${selector} + ${shown(text, how)}`),
        replace: (text: string, how?: { html: boolean }) => written.push(`${selector} = ${shown(text, how)}`),
        setAttribute: (name: string, value: string) => written.push(`${selector} ${name}=${value}`),
        getAttribute: () => null,
        removeAttribute: (name: string) => written.push(`${selector} without ${name}`),
        remove: () => written.push(`${selector} is gone`),
      });
    return new Response(response.body, response);
  }
}

const accountOf = (role: Role, more: Partial<Account> = {}): Account => ({
  id: newId(),
  email: 'ann@site.test',
  emailVerified: true,
  role,
  lacks: null,
  hasPasskey: false,
  confirmedAt: 0,
  authMethod: 'nothing',
  sessionId: '',
  ...more,
});

const running: Promise<unknown>[] = [];
const keep = {
  waitUntil: (work: Promise<unknown>) => void running.push(work),
  passThroughOnException: () => undefined,
  props: {},
};

interface Opened extends RequestInit {
  readonly settings?: Partial<Env>;
  /** The isolate that serves the request; by default the one with pages in memory. */
  readonly by?: typeof ServeScreens;
}

async function open(
  path: string,
  account?: Account,
  { settings = {}, by, ...request }: Opened = {},
): Promise<{ status: number; headers: Headers; text: string }> {
  written.length = 0;
  const app = createApp();
  app.use(async (c, next) => {
    c.set('requestId', 'test');
    c.set('log', () => undefined);
    c.set('db', openDatabase(c.env));
    c.set('account', account);
    await next();
  });
  app.all('*', (by ?? here).answerPage);
  const answer = await app.request(`${origin}${path}`, request, { ...env, ...settings }, keep);
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}
const policyOf = ({ headers }: { headers: Headers }) => headers.get('Content-Security-Policy') ?? '';

/** An isolate with pages in memory, and a new one. */
let [here, started] = [{}, {}] as [typeof ServeContent & typeof ServeScreens, typeof ServeScreens];
let [memory, entrypoint] = [{}, {}] as [typeof LiveModule, typeof PagesModule];
beforeAll(async () => {
  vi.resetModules();
  here = { ...(await import('./serve-content.ts')), ...(await import('./serve-screens.ts')) };
  memory = await import('./live.ts');
  entrypoint = await import('./pages.ts');
  vi.resetModules();
  started = await import('./serve-screens.ts');
});
afterAll(() => void vi.resetModules());

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.stubGlobal('HTMLRewriter', Rewriter);
  memory.adopt(live());
});
afterEach(async () => {
  vi.unstubAllGlobals();
  await Promise.allSettled(running.splice(0));
});

const later = (ms: number) => {
  vi.setSystemTime(Date.now() + ms);
};

test('A page confirmed within the last second is served from memory to GET and HEAD only', () => {
  const get = (path: string, request: RequestInit = {}) =>
    here.answerFromMemory(new Request(`${origin}${path}`, request), env);
  expect(get('/pricing/')?.status).toBe(200);
  for (const [path, request] of [
    ['/pricing/', { method: 'HEAD' }],
    // The headers that a browser sends for `cache: 'no-store'` (https://fetch.spec.whatwg.org/#http-network-or-cache-fetch).
    ['/pricing/', { headers: { 'Cache-Control': 'no-cache' } }],
    ['/', { method: 'POST' }],
    ['/login', {}],
    ['/nowhere', {}],
  ] as const)
    expect(get(path, request), path).toBeUndefined();
  expect(get('/pricing/')?.headers.get('Cache-Tag')).toBe('content,content:/pricing/');
  later(999);
  expect(get('/')?.status).toBe(200);
  later(1);
  expect(get('/')).toBeUndefined();
});

test('An older state replaces memory only if the lookup started from the state in memory', () => {
  const newer = live();
  const older = { ...newer, revision: newer.revision - 1 };
  memory.adopt(newer);
  expect(memory.adopt(older)).toBe(newer);
  expect(memory.adopt(older, { ...newer })).toBe(newer);
  expect(memory.adopt({ ...newer })).not.toBe(newer);
  memory.adopt(newer);
  expect(memory.adopt(older, newer)).toBe(older);
});

test('The shared cache may store a live page, and no cache may store an unconfirmed one', async () => {
  const encode = vi.spyOn(TextEncoder.prototype, 'encode');
  const page = pageOf('/service/', 41);
  const ask = (fresh: boolean, headers: Record<string, string> = {}) =>
    here.answerLive(
      new Request(`${origin}/service/`, { headers: { 'CF-Ray': 'ray', ...headers } }),
      env,
      page,
      fresh,
    );
  const fresh = ask(true);
  expect(Object.fromEntries(fresh.headers)).toMatchObject({
    'x-content-revision': '41',
    'x-request-id': 'ray',
    'x-content-type-options': 'nosniff',
    'cache-control': 'public, max-age=0, must-revalidate',
    'cloudflare-cdn-cache-control': 'max-age=30, stale-while-revalidate=30, stale-if-error=86400',
    'cache-tag': 'content,content:/service/',
    etag: '"/service/"',
    'content-security-policy': page.csp,
    'content-type': 'text/html; charset=utf-8',
  });
  expect(await fresh.text()).toBe(page.html);
  const stale = ask(false);
  expect(stale.headers.get('Cache-Control')).toBe('no-store');
  for (const name of ['Cloudflare-CDN-Cache-Control', 'Cache-Tag'])
    expect(stale.headers.has(name)).toBe(false);
  // Headers of one response do not leak into the next.
  expect(ask(true).headers.has('Cache-Tag')).toBe(true);
  const known = ask(true, { 'If-None-Match': 'W/"/service/"' });
  expect([known.status, await known.text()]).toEqual([304, '']);
  expect(ask(true, { 'If-None-Match': '"other"' }).status).toBe(200);
  // Its text is encoded once, however often it is served.
  expect(encode.mock.calls.filter(([text]) => text === page.html)).toHaveLength(1);
});

test('The policy allows Turnstile on the contact form only if its keys are set', async () => {
  const form = `<form action="${callAddress('POST /add-message')}"></form>`;
  const keys = { TURNSTILE_SITE_KEY: 'site', TURNSTILE_SECRET_KEY: 'secret' };
  const ask = (html: string, settings: Partial<Env> = {}) =>
    policyOf(
      here.answerLive(new Request(origin), { ...env, ...settings }, { ...pageOf('/', 1), html }, true),
    ).includes('https://challenges.cloudflare.com');
  expect([ask(form), ask(form, keys), ask('<p>', keys)]).toEqual([false, true, false]);
  memory.adopt({ ...live(), frames: new Map([['/thanks', { ...pageOf('/thanks', 1), html: form }]]) });
  expect(policyOf(await open('/thanks', undefined, { settings: keys }))).toContain('challenges');
  expect(policyOf(await open('/thanks', undefined, { settings: keys }))).toContain('challenges');
});

test('While the database is down, a page comes from memory and no cache may store it', async () => {
  expect((await open('/service/')).headers.get('Cache-Tag')).toContain('content');
  later(1_000);
  const page = await open('/service/');
  expect([page.status, page.headers.get('Cache-Control')]).toEqual([200, 'no-store']);
  expect(page.text).toContain('/service/');
});

test('While the database is down, the deployed page of an article that was removed since is not served', async () => {
  const sitemap = { ...pageOf('/sitemap.xml', 7), html: `<loc>${origin}/articles/kept</loc>` };
  const copy = { revision: 7, publishedAt: 1, pages: [sitemap], frames: [] };
  const object = { json: () => Promise.resolve(copy) };
  const settings = { FILES: { get: () => Promise.resolve(object) } as unknown as R2Bucket };
  for (const path of ['/articles/kept', '/articles/removed']) {
    files.set(path, path);
    onTestFinished(() => void files.delete(path));
  }
  later(10_000);
  expect(await open('/articles/kept', undefined, { settings })).toMatchObject({
    status: 200,
    text: '/articles/kept',
  });
  expect(await open('/articles/removed', undefined, { settings })).toMatchObject({
    status: 404,
    text: text('/404'),
  });
});

test('A page that is available nowhere else is served from the deployed files, or reported as unavailable', async () => {
  for (const path of ['/service/', '/thanks']) {
    expect(await open(path, undefined, { by: started })).toMatchObject({
      status: 501,
      text: expect.stringContaining('This page is not built yet.') as string,
    });
    files.set(path, `<html><script>deployed()</script>${path}</html>`);
    onTestFinished(() => void files.delete(path));
    const page = await open(path, undefined, { by: started });
    expect(page).toMatchObject({ status: 200, text: files.get(path) });
    expect(policyOf(page)).toMatch(/script-src 'self' 'sha256-/);
    expect(page.headers.get('Content-Type')).toBe('text/html; charset=utf-8');
    expect(page.headers.has('Cache-Tag')).toBe(false);
  }
  files.set('/404', 'No such page.');
  files.set(redirectsFrame, text(redirectsFrame));
  onTestFinished(() => {
    files.delete('/404');
    files.delete(redirectsFrame);
  });
  expect(await open('/nowhere', undefined, { by: started })).toMatchObject({
    status: 404,
    text: 'No such page.',
  });
  expect((await open('/old', undefined, { by: started })).headers.get('Location')).toBe('/pricing/');
  expect((await open('/admin', accountOf('Admin'), { by: started })).text).toContain('/shell/admin');
  expect(written.some((part) => part.startsWith('header'))).toBe(false);
});

test('The login page shows the data of the request, and redirects signed-in visitors', async () => {
  const login = await open('/login?next=/dashboard');
  expect(login).toMatchObject({ status: 200, text: text('/login') });
  expect(written).toContain('input[name="next"] value=/dashboard');
  const signedIn = await open('/login', accountOf('User'));
  expect([signedIn.status, signedIn.headers.get('Location')]).toEqual([302, '/dashboard']);
  for (const [path, role, location] of [
    ['/login', 'Support', '/admin'],
    ['/login?next=/my-order', 'Support', '/my-order'],
    ['/login?next=//evil.example', 'User', '/dashboard'],
  ] as const)
    expect((await open(path, accountOf(role))).headers.get('Location')).toBe(location);
  // The page looks up the package that the visitor was about to order.
  const fetched = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new Error('The database is down.'));
  await open(`/login?next=/order-now/${newId()}`);
  expect(fetched).toHaveBeenCalled();
});

test('A page has one address and allows only reads; unknown addresses get the 404 page', async () => {
  for (const [from, to] of [
    ['/pricing?a=1', '/pricing/?a=1'],
    ['/contact/', '/contact'],
    ['/Pricing/?a=B', '/pricing/?a=B'],
    ['/LOGIN', '/login'],
  ] as const) {
    const moved = await open(from);
    expect([moved.status, moved.headers.get('Location')]).toEqual([308, to]);
  }
  const posted = await open('/', undefined, { method: 'POST' });
  expect([posted.status, posted.headers.get('Allow')]).toEqual([405, 'GET, HEAD']);
  expect((await open('/', undefined, { method: 'HEAD' })).status).toBe(200);
  for (const path of ['/nowhere/at/all', '/404', '/404.html', '/shell/admin', '/SHELL/logo', '/shell'])
    expect(await open(path), path).toMatchObject({ status: 404, text: text('/404') });
  expect((await open('/shellac')).status).toBe(404);
  expect((await open('/admin/nowhere', accountOf('User'))).text).toBe(text('/404'));
  const ofStaff = await open('/admin/nowhere', accountOf('Editor'));
  expect([ofStaff.status, ofStaff.text]).toEqual([404, expect.stringContaining('/shell/admin')]);
  const file = await open('/robots.txt');
  expect([file.status, file.text, file.headers.get('Cache-Control')]).toEqual([
    200,
    'User-agent: *',
    'public, max-age=3600',
  ]);
  expect((await open('/robots.txt', undefined, { headers: { 'If-None-Match': '"file"' } })).status).toBe(304);
  for (const path of ['/shellac.txt', '/images/404.svg']) {
    files.set(path, 'A file.');
    onTestFinished(() => void files.delete(path));
    expect(await open(path), path).toMatchObject({ status: 200, text: 'A file.' });
  }
  for (const path of ['/shell', '/404']) {
    files.set(path, 'A file of the build.');
    onTestFinished(() => void files.delete(path));
    expect(await open(path), path).toMatchObject({ status: 404, text: text('/404') });
  }
});

test('A redirect keeps the query and never leads to a script address', async () => {
  const leads = async (path: string) => {
    const { status, headers } = await open(path);
    return [status, headers.get('Location')];
  };
  expect(await leads('/old')).toEqual([301, '/pricing/']);
  expect(await leads('/OLD')).toEqual([301, '/pricing/']);
  expect(await leads('/old/?utm_source=mail')).toEqual([301, '/pricing/?utm_source=mail']);
  expect(await leads('/asked?utm_source=mail')).toEqual([301, '/contact?subject=new']);
  // The redirect with the most parameters wins, and keeps the others.
  expect(await leads('/asked?page=2&a=1')).toEqual([301, '/service/?a=1']);
  expect(await leads('/away?a=1')).toEqual([301, 'https://elsewhere.test/there?a=1']);
  // Browsers and links spell an address differently.
  for (const path of ['/café/menu', '/caf%C3%A9/%6denu/'])
    expect(await leads(`${path}?a=1`), path).toEqual([301, '/pricing/?a=1#packages']);
  expect(await leads('/?utm_source=mail&p=12')).toEqual([301, '/contact?utm_source=mail']);
  expect((await open('/?p=13')).status).toBe(200);
  expect((await open('/contact?a=1')).status).toBe(200);
  // A lookup works for every address that a browser can request.
  for (const path of ['/bad', '/older', '//[']) expect(await leads(path)).toEqual([404, null]);
});

test('The admin panel says that a site on workers.dev sends no email unless Resend is set up', async () => {
  const trial = { SITE_URL: 'https://storefront.agency.workers.dev' };
  await open('/total-orders', accountOf('Admin'), { settings: trial });
  expect(written).toContain('html data-trial=yes');
  for (const settings of [{}, { ...trial, MAIL_TRANSPORT: 'resend' }]) {
    await open('/total-orders', accountOf('Admin'), { settings });
    expect(written).not.toContain('html data-trial=yes');
  }
});

test('The cache gets only the paths of content pages, and the app handles its failures', async () => {
  const asked: Request[] = [];
  const cancelled = vi.fn();
  const body = () => new ReadableStream({ cancel: cancelled, pull: (to) => to.enqueue(new Uint8Array(4)) });
  const ask = (
    path: string,
    request: RequestInit = {},
    answer: () => Promise<Response> = () =>
      Promise.resolve(new Response(body(), { headers: { ETag: '"a"', 'X-From': 'cache' } })),
  ) =>
    here.answerThroughCache(new Request(`${origin}${path}`, request), {
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
  // A response without a body has nothing to cancel.
  expect(await ask('/', {}, () => Promise.resolve(new Response(null, { status: 503 })))).toBeUndefined();
  const empty = await ask('/', { method: 'HEAD' }, () => Promise.resolve(new Response(null)));
  expect([empty?.status, empty?.body]).toEqual([200, null]);
});

test('The cache gets only pages that the database has confirmed, and its entrypoint purges itself', async () => {
  const purge = vi.fn(() => Promise.resolve({ success: true, errors: [] }));
  const open = (settings: Partial<Env>, context: object) =>
    new entrypoint.Pages({ ...keep, ...context } as unknown as ExecutionContext, { ...env, ...settings });
  const request = new Request(`${origin}/`);
  for (const settings of [{}, { MAIL_FROM: '' }]) {
    const answer = await open(settings, {}).fetch(request);
    expect([answer.status, answer.headers.get('Cache-Control'), answer.headers.get('Retry-After')]).toEqual([
      503,
      'no-store',
      '1',
    ]);
  }
  // The lookup that it started continues.
  expect(running).toHaveLength(1);
  expect(await open({}, { cache: { purge } }).purge(['content:/'])).toMatchObject({ success: true });
  expect(purge).toHaveBeenCalledWith({ tags: ['content:/'] });
  expect(await open({}, {}).purge(['content'])).toBeUndefined();
});
