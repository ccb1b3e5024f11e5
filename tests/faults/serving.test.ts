/** What visitors get while others save, through a shared cache, and from two releases at once. */
import { createClient } from '@libsql/client';
import { cp, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { freePort } from '../../dev/system/worker-process.ts';
import { contentPages, framePaths } from '../../worker/contract/screens.ts';
import { firstRecord, isStandIn, revisionOf, save, type PlainRecord } from '../support/content.ts';
import { startDatabaseProxy } from '../support/database-proxy.ts';
import { untilMs } from '../support/limits.ts';
import { SharedCache } from '../support/shared-cache.ts';
import { sharedBuild, startTestSystem, type TestSystem } from '../support/system.ts';
import { signInAdministrator, Visitor } from '../support/visitor.ts';

const isFull = process.env['FULL'] === '1';
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
  const readsEach = (isFull ? 10_000 : 800) / readers;
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

test('Through a shared cache a save is seen at once, and within a minute when its purge is lost', async () => {
  const cache = new SharedCache((path) => fetch(new URL(path, system.url)));
  await saveHeading('Cached one');
  expect((await cache.get('/')).from).toBe('origin');
  expect(await cache.get('/')).toMatchObject({ from: 'cache' });
  await cache.get('/contact');

  await saveHeading('Cached two');
  cache.purge(['content:/']);
  expect((await cache.get('/')).text).toContain('Cached two');
  expect((await cache.get('/contact')).from).toBe('cache');

  await saveHeading('Cached three');
  cache.now = 29;
  expect((await cache.get('/')).text).toContain('Cached two');
  cache.now = 59;
  await cache.get('/');
  expect((await cache.get('/')).text).toContain('Cached three');
  await saveHeading('Cached four');
  cache.now = 59 + 60;
  expect((await cache.get('/')).text).toContain('Cached four');
});

test('A shared cache keeps nothing that is private or only a stand-in for the live page', async () => {
  const cache = new SharedCache((path) =>
    fetch(new URL(path, system.url), {
      redirect: 'manual',
      headers: {
        Cookie: Array.from(administrator.cookies, ([name, value]) => `${name}=${value}`).join('; '),
      },
    }),
  );
  for (const path of ['/admin', '/api/auth/session', '/api/total-orders', '/login', '/revision.json']) {
    await cache.get(path);
    expect((await cache.get(path)).from, path).toBe('origin');
  }
  await saveHeading('Before the outage');
  await cache.get('/');
  await system.database.stop();
  try {
    // The stand-in may be shown where what the cache has is stale, but never kept.
    await vi.waitFor(
      async () => {
        cache.now += 100;
        expect((await cache.get('/')).headers.get('Cache-Control')).toBe('no-store');
      },
      { timeout: untilMs, interval: 50 },
    );
    expect((await cache.get('/')).from).toBe('origin');
  } finally {
    await system.database.start();
  }
  const heading = 'After the outage';
  await vi.waitFor(() => saveHeading(heading), { timeout: untilMs, interval: 50 });
  expect((await cache.get('/')).text).toContain(heading);
});

test('When the whole Worker fails, a shared cache goes on serving what it has for a day', async () => {
  let isFailing = false;
  const cache = new SharedCache((path) =>
    isFailing ? Promise.resolve(new Response('', { status: 500 })) : fetch(new URL(path, system.url)),
  );
  const page = await cache.get('/contact');
  isFailing = true;
  for (const hours of [1, 23]) {
    cache.now = hours * 3_600;
    expect(await cache.get('/contact')).toMatchObject({ from: 'cache', text: page.text });
  }
  cache.now = 25 * 3_600;
  await expect(cache.get('/contact')).rejects.toThrow('500');
});

/** Makes another release of a build: one of its files has another name, as after a change of its bytes. */
async function makeRelease(from: string, to: string): Promise<{ before: string; after: string }> {
  for (const part of ['dist', '.renderer']) await cp(join(from, part), join(to, part), { recursive: true });
  const page = await readFile(join(to, 'dist/index.html'), 'utf8');
  const before = /\/_astro\/([\w.-]+)/.exec(page)?.[1] ?? '';
  const after = before.replace(/\.[\w-]+(?=\.\w+$)/, '.another1');
  expect(after).not.toBe(before);
  const files = await readdir(to, { recursive: true, withFileTypes: true });
  for (const file of files.filter((entry) => entry.isFile())) {
    const path = join(file.parentPath, file.name);
    if (/\.(html|m?js|css|json)$/.test(file.name)) {
      const text = await readFile(path, 'utf8');
      if (text.includes(before)) await writeFile(path, text.replaceAll(before, after));
    }
    if (file.name === before) await rename(path, join(file.parentPath, after));
  }
  const entry = join(to, '.renderer/index.mjs');
  const text = await readFile(entry, 'utf8');
  await writeFile(entry, text.replace(/buildId = '\w+'/, "buildId = 'anotherrelease01'"));
  return { before, after };
}

test('Two releases over one database serve each its own pages and files, and both what was saved', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'storefront-release-'));
  const proxy = await startDatabaseProxy(system.database.url);
  const database = createClient({ url: system.database.url, authToken: system.database.authToken });
  try {
    const { before, after } = await makeRelease(sharedBuild, folder);
    const other = await system.startWorker({
      port: await freePort(),
      dataDir: folder,
      buildDir: folder,
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
    await proxy.close();
    await rm(folder, { recursive: true, force: true });
  }
});
