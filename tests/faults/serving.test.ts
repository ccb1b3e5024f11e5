/** What visitors get while others save, through a shared cache, and from two releases at once. */
import { createClient } from '@libsql/client';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { readWorkerConfig } from '#deploy/worker-config.ts';
import { freePort, type WorkerProcess } from '#dev/system/worker-process.ts';
import { contentPages, framePaths } from '#contract/screens.ts';
import { answerThroughCache } from '#worker/publishing/gateway.ts';
import { firstRecord, isStandIn, revisionOf, save, type PlainRecord } from '../support/content.ts';
import { startDatabaseProxy } from '../support/database-proxy.ts';
import { fullSize, untilMs } from '../support/limits.ts';
import { makeRelease, otherBuild } from '../support/release.ts';
import { SharedCache } from '../support/shared-cache.ts';
import { startTestSystem, type TestSystem } from '../support/system.ts';
import { fetchAlone, signInAdministrator, Visitor } from '../support/visitor.ts';

const paths = contentPages.map(({ pattern }) => pattern);

let system: TestSystem;
let administrator: Visitor;
let banner: PlainRecord;

beforeAll(async () => {
  system = await startTestSystem();
  administrator = await signInAdministrator(system.url);
  banner = await firstRecord(administrator, '/banner');
});
afterAll(() => system.stop());

/** @returns the revision */
const saveHeading = async (bannerHeading: string): Promise<number> =>
  revisionOf(await save(administrator, `/update-banner/${banner._id}`, { bannerHeading }));

test('Readers during a burst of saves see whole pages, each of a committed revision, and never go back', async () => {
  const readers = 8;
  const readsEach = (fullSize ? 10_000 : 800) / readers;
  const savesAtLeast = 8;
  const headings = new Map([[await saveHeading('Burst 0'), 'Burst 0']]);
  const seen: { readonly revision: number; readonly text: string }[] = [];
  let isReading = true;

  const read = async () => {
    const visitor = new Visitor(system.url);
    // However slow the saves are here, the burst has a few of them.
    for (let count = 0, last = 0; count < readsEach || headings.size <= savesAtLeast; count += 1) {
      const page = await visitor.get('/');
      expect(page.status).toBe(200);
      expect(page.text.endsWith('</html>') || page.text.trimEnd().endsWith('</html>')).toBe(true);
      const revision = revisionOf(page);
      expect(revision).toBeGreaterThanOrEqual(last);
      last = revision;
      seen.push({ revision, text: /Burst \d+/.exec(page.text)?.[0] ?? 'none' });
    }
  };
  const write = async () => {
    for (let count = 1; isReading; count += 1) {
      const heading = `Burst ${String(count)}`;
      headings.set(await saveHeading(heading), heading);
    }
  };
  const reading = Promise.all(Array.from({ length: readers }, read)).finally(() => (isReading = false));
  await Promise.all([reading, write()]);

  expect(seen.length).toBeGreaterThanOrEqual(readers * readsEach);
  expect(new Set(seen.map(({ revision }) => revision)).size).toBeGreaterThan(5);
  for (const { revision, text } of seen) expect(text).toBe(headings.get(revision));
});

/** The entrypoint behind the cache, as it answers when it is asked. */
const askPages = (request: Request): Promise<Response> => {
  const { pathname, search } = new URL(request.url);
  return fetchAlone(new URL(`/dev/pages${pathname}${search}`, system.url), { headers: request.headers });
};

/** The Worker with the shared cache where wrangler.toml puts it: before the pages alone. */
async function openCachedSite(origin = askPages) {
  const { exports } = z
    .looseObject({
      exports: z.record(z.string(), z.looseObject({ cache: z.object({ enabled: z.boolean() }) })),
    })
    .parse(await readWorkerConfig());
  const cache = new SharedCache();
  const place = (name: string, entrypoint: (request: Request) => Promise<Response>) =>
    exports[name]?.cache.enabled ? cache.before(name, entrypoint) : { fetch: entrypoint };
  const pages = cache.before('Pages', origin);
  const site = place('default', async (request) => {
    const answer = await answerThroughCache(request, place('Pages', origin));
    return answer ?? fetchAlone(request, { redirect: 'manual' });
  });
  const get = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await site.fetch(new Request(new URL(path, system.url), { headers }));
    const text = await answer.text();
    return {
      status: answer.status,
      headers: answer.headers,
      text,
      from: answer.headers.get('Cf-Cache-Status'),
    };
  };
  return { cache, pages, get };
}

const cookiesOf = ({ cookies }: Visitor) =>
  Array.from(cookies, ([name, value]) => `${name}=${value}`).join('; ');

test('Through a shared cache a save is seen at once, and within a minute when its purge is lost', async () => {
  const { cache, pages, get } = await openCachedSite();
  await saveHeading('Cached one');
  expect((await get('/')).from).toBe('MISS');
  expect((await get('/')).from).toBe('HIT');
  await get('/contact');

  await saveHeading('Cached two');
  expect(await pages.purge(['content:/'])).toEqual({ success: true, errors: [] });
  expect((await get('/')).text).toContain('Cached two');
  expect((await get('/contact')).from).toBe('HIT');

  await saveHeading('Cached three');
  cache.purgesLeft = 0;
  expect(await pages.purge(['content:/'])).toMatchObject({ success: false });
  cache.now = 29;
  expect((await get('/')).text).toContain('Cached two');
  cache.now = 59;
  expect((await get('/')).from).toBe('UPDATING');
  expect((await get('/')).text).toContain('Cached three');
  await saveHeading('Cached four');
  cache.now = 59 + 60;
  expect((await get('/')).text).toContain('Cached four');
});

test('A purge at once after a save is not undone by what an isolate remembers', async () => {
  const { pages, get } = await openCachedSite();
  const other = await system.startWorker({
    port: await freePort(),
    dataDir: await mkdtemp(join(system.dataDir, 'other-')),
  });
  const elsewhere = new Visitor(other.url);
  for (const [name, value] of administrator.cookies) elsewhere.cookies.set(name, value);
  for (let round = 0; round < 5; round += 1) {
    // The isolate behind the cache has just been told which revision is live; the save comes from another.
    await new Visitor(system.url).get('/');
    const heading = `Elsewhere ${String(round)}`;
    await save(elsewhere, `/update-banner/${banner._id}`, { bannerHeading: heading });
    await pages.purge(['content:/']);
    expect((await get('/')).text).toContain(heading);
  }
  await other.stop();
});

test('A page has one place in the cache, for any query and any visitor', async () => {
  const asked: { readonly search: string; readonly headers: unknown }[] = [];
  const { cache, get } = await openCachedSite((request) => {
    asked.push({ search: new URL(request.url).search, headers: [...request.headers] });
    return askPages(request);
  });
  const page = await get('/pricing/');
  expect(page.from).toBe('MISS');
  for (const [path, headers] of [
    ['/pricing/?utm_source=a&gclid=b', {}],
    ['/pricing/?utm_source=b', { Cookie: cookiesOf(administrator) }],
    ['/pricing/', { Authorization: 'Bearer x', 'X-Forwarded-Host': 'evil.example', 'Accept-Language': 'de' }],
  ] as const)
    expect(await get(path, headers), path).toMatchObject({ from: 'HIT', text: page.text });
  const again = await get('/pricing/', { 'If-None-Match': page.headers.get('ETag') ?? '' });
  expect([again.status, again.text, again.from]).toEqual([304, '', 'HIT']);

  // What the cache asks for is the whole page, also for a visitor who has it.
  cache.now = 1_000;
  const stale = await get('/pricing/?a=1', {
    'If-None-Match': page.headers.get('ETag') ?? '',
    Cookie: 'a=b',
  });
  expect([stale.status, stale.from]).toEqual([304, 'EXPIRED']);
  expect(await get('/pricing/')).toMatchObject({ status: 200, from: 'HIT', text: page.text });
  expect(asked).toEqual([
    { search: '', headers: [] },
    { search: '', headers: [] },
  ]);
});

test('Nothing but a content page meets the shared cache', async () => {
  const { get } = await openCachedSite();
  for (const path of [
    ...['/admin', '/login', '/thanks', '/nowhere', '/pricing', '/contact/', '/_astro/nothing.js'],
    ...['/api/auth/session', '/api/total-orders', '/api/banner', '/revision.json'],
  ])
    expect((await get(path, { Cookie: cookiesOf(administrator) })).from, path).toBe(null);
});

test('While the database is away the cache goes on with what it has for a day, and keeps no stand-in', async () => {
  const { cache, get } = await openCachedSite();
  await saveHeading('Before the outage');
  const page = await get('/');
  await system.database.stop();
  try {
    await vi.waitFor(
      async () => expect((await askPages(new Request(new URL('/', system.url)))).status).toBe(503),
      {
        timeout: untilMs,
        interval: 50,
      },
    );
    for (const hours of [1, 23]) {
      cache.now = hours * 3_600;
      expect(await get('/')).toMatchObject({ status: 200, from: 'STALE', text: page.text });
    }
    cache.now = 25 * 3_600;
    for (const path of ['/', '/contact']) {
      const standIn = await get(path);
      expect([standIn.status, standIn.from, standIn.headers.get('Cache-Control')]).toEqual([
        200,
        null,
        'no-store',
      ]);
    }
  } finally {
    await system.database.start();
  }
  const heading = 'After the outage';
  await vi.waitFor(() => saveHeading(heading), { timeout: untilMs, interval: 50 });
  await vi.waitFor(async () => expect((await get('/')).text).toContain(heading), {
    timeout: untilMs,
    interval: 50,
  });
});

test('When the entrypoint behind the cache fails, visitors get the page all the same', async () => {
  for (const fail of [
    () => Promise.resolve(new Response('', { status: 500 })),
    () => Promise.reject(new Error('The entrypoint is gone.')),
  ]) {
    const { get } = await openCachedSite(fail);
    expect(await get('/contact')).toMatchObject({ status: 200, from: null });
  }
});

test('Two releases over one database serve each its own pages and files, and both what was saved', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'storefront-release-'));
  const proxy = await startDatabaseProxy(system.database.url);
  const database = createClient({ url: system.database.url, authToken: system.database.authToken });
  let other: WorkerProcess | undefined;
  try {
    const { before, after } = await makeRelease();
    expect(after).not.toBe(before);
    other = await system.startWorker({
      port: await freePort(),
      dataDir: folder,
      buildDir: otherBuild,
      vars: { TURSO_DATABASE_URL: proxy.url },
    });
    const [old, next] = [new Visitor(system.url), new Visitor(other.url)];

    // The first visitors of a release share its one render: look, read, write.
    const asked = proxy.requests;
    const crowd = 20;
    const first = await Promise.all(Array.from({ length: crowd }, () => next.get('/')));
    const live = first.filter((page) => !isStandIn(page));
    expect(new Set(live.map(({ text }) => text)).size).toBeLessThanOrEqual(1);
    expect(proxy.requests - asked).toBeLessThan(crowd / 2);

    for (const heading of ['Saved at the old release', 'Saved again']) {
      await saveHeading(heading);
      await vi.waitFor(async () => expect((await next.get('/')).text).toContain(heading), {
        timeout: untilMs,
        interval: 50,
      });
      expect((await old.get('/')).text).toContain(heading);
    }
    for (const [visitor, own, foreign] of [
      [old, before, after],
      [next, after, before],
    ] as const) {
      for (const path of paths) {
        const page = await visitor.get(path);
        expect(page.text, path).not.toContain(foreign);
        const files = new Set(page.text.match(/\/_astro\/[\w.-]+/g));
        for (const file of files) expect((await visitor.get(file)).status, file).toBe(200);
      }
      expect((await visitor.get('/')).text).toContain(own);
      expect((await visitor.get(`/_astro/${foreign}`)).status).toBe(404);
    }
    const { rows } = await database.execute('SELECT "buildId", count(*) AS count FROM pages GROUP BY 1');
    const stored = paths.length + framePaths.length;
    expect(rows.map(({ count }) => Number(count))).toEqual([stored, stored]);
  } finally {
    database.close();
    await other?.stop();
    await proxy.close();
    await rm(folder, { recursive: true, force: true });
  }
});
