/**
 * Tests when an isolate queries the database and what it adopts. Each test decides how the database answers: with
 * stored or missing pages, with an older state, or not at all, so that the fallback copy takes over.
 */
import type { InStatement, ResultSet } from '@libsql/client/http';
import { drizzle } from 'drizzle-orm/libsql/http';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { framePaths } from '#contract/screens.ts';
import type { Database } from '../db/client.ts';
import type { Env } from '../env.ts';
import type * as LiveModule from './live.ts';
import type * as LiveContentModule from './live-content.ts';
import { renderedPaths, type LivePage } from './page-set.ts';

const renderPage = vi.fn((path: string) => Promise.resolve(`rendered ${path}`));
vi.mock('#site-renderer', () => ({ buildId: 'this-build', renderPage: (path: string) => renderPage(path) }));

let live = {} as typeof LiveModule & typeof LiveContentModule;
let paths: readonly string[] = [];

let published: { revision: number; at: number }[];
let storedRevision: number | undefined;
let stored: LivePage[];
/** The queries that it received, and how it answers. */
const asked: { mode: string; sql: string; args: readonly unknown[] }[][] = [];
let answer: (results: () => ResultSet[]) => Promise<ResultSet[]>;
const inTime = (results: () => ResultSet[]) => Promise.resolve(results());

/** The rows of a result, with their values in the order of the selected columns. */
const resultOf = (rows: readonly object[]) => ({ rows: rows.map(Object.values) }) as unknown as ResultSet;
function batch(statements: readonly InStatement[], mode: string): Promise<ResultSet[]> {
  const made = statements.map((one) => {
    const { sql, args } = one as { sql: string; args: readonly unknown[] };
    return { mode, sql, args };
  });
  asked.push(made);
  return answer(() => made.map(({ sql, args }) => resultOf(rowsFor(sql, args))));
}
/** The parameters of the condition that selects pages. The pages whose HTML is wanted come before them. */
const conditionOf = (args: readonly unknown[] = []): readonly unknown[] =>
  args.slice(args.indexOf('this-build'));
function rowsFor(sql: string, args: readonly unknown[]): readonly object[] {
  if (sql.startsWith('insert')) return [];
  if (sql.includes('from "page_sets"'))
    return storedRevision === undefined ? [] : [{ revision: storedRevision }];
  if (sql.includes('from "pages"')) {
    const [, newest] = conditionOf(args);
    const newerThan = sql.includes('"revision" >') ? Number(newest) : Infinity;
    return stored.filter(({ path, revision }) => revision > newerThan || args.includes(path));
  }
  if (!sql.includes('from "publications"')) return [];
  const newest = Math.max(...published.map(({ revision }) => revision));
  const known = sql.includes(' limit ') ? newest : Number(args[0]);
  return published
    .filter(({ revision }) => revision === known || revision === newest)
    .toSorted((one, other) => other.revision - one.revision);
}
const db = drizzle({ batch } as unknown as Database['$client']) as unknown as Database;

const pageOf = (path: string, revision: number, html = `stored ${path}`): LivePage => ({
  path,
  html,
  etag: `"${html}"`,
  csp: '',
  revision,
});
const storeAll = (revision: number) => {
  stored = paths.map((path) => pageOf(path, revision));
  storedRevision = revision;
};

let copy: { revision: number; publishedAt: number; html: string } | undefined;
const get = vi.fn(() => {
  const pages = [pageOf('/', copy?.revision ?? 0, copy?.html)];
  return Promise.resolve(copy ? { json: () => Promise.resolve({ ...copy, pages, frames: [] }) } : null);
});
const env = { FILES: { get } } as unknown as Pick<Env, 'FILES'>;

const kept: Promise<unknown>[] = [];
const visit = async ({ path = '/', ...options }: LiveModule.LiveOptions = {}) => {
  const keep = (work: Promise<unknown>) => void kept.push(work);
  const { live: found, fresh } = await live.liveState(db, env, keep, { path, ...options });
  return [found?.revision, found?.pages.get(path)?.html, fresh] as const;
};
const later = (ms: number) => vi.advanceTimersByTimeAsync(ms);

beforeEach(async () => {
  vi.useFakeTimers({ now: 1_800_000_000_000 });
  vi.resetModules();
  live = { ...(await import('./live.ts')), ...(await import('./live-content.ts')) };
  paths = renderedPaths;
  // Loads the modules first, so that no request of a test waits for them.
  await import('./fallback-copy.ts');
  [published, copy, answer] = [[{ revision: 5, at: 50 }], undefined, inTime];
  storeAll(5);
  asked.length = 0;
  renderPage.mockClear();
  get.mockClear();
});
afterEach(() => void kept.splice(0));

test('An isolate adopts the stored pages of this build, and keeps pages and frames separate', async () => {
  const found = await live.lookUpLive(db);
  expect([found.revision, found.publishedAt]).toEqual([5, 50]);
  expect([...found.frames.keys()].toSorted()).toEqual(framePaths.toSorted());
  expect(found.pages.size + found.frames.size).toBe(paths.length);
  expect([...found.pages.keys()].some((path) => framePaths.includes(path))).toBe(false);
  expect(found.pages.get('/')).toEqual(pageOf('/', 5));
  expect([asked.length, asked[0]?.[0]?.mode, renderPage.mock.calls.length]).toEqual([1, 'read', 0]);
});

test.each([
  ['belongs to a later revision', () => (storedRevision = 6)],
  ['is missing', () => ([stored, storedRevision] = [[], undefined])],
  ['lacks a frame', () => (stored = stored.filter(({ path }) => path !== '/404'))],
])('A stored set of pages that %s is rendered and stored again', async (_, spoil) => {
  spoil();
  const found = await live.lookUpLive(db);
  expect(renderPage.mock.calls.map(([path]) => path)).toEqual(paths);
  expect(found.pages.get('/')).toMatchObject({ html: 'rendered /', revision: 5 });
  expect(found.sections.get('/')).toEqual(new Set());
  const written = asked.at(-1) ?? [];
  expect(written[0]?.args).toEqual(expect.arrayContaining(['this-build', '/', 'rendered /', 5]));
  expect(written.map(({ mode }) => mode)).toEqual(Array(paths.length + 1).fill('write'));
});

test('Before the first publication, pages have revision 0', async () => {
  [published, stored, storedRevision] = [[], [], undefined];
  const found = await live.lookUpLive(db);
  expect([found.revision, found.publishedAt, found.pages.get('/')?.revision]).toEqual([0, 0, 0]);
});

test('An isolate reads only the pages that a newer publication changed', async () => {
  const before = await live.lookUpLive(db);
  expect(await live.lookUpLive(db)).toBe(before);
  published.push({ revision: 6, at: 60 });
  [stored, storedRevision] = [[...stored, pageOf('/', 6, 'newer'), pageOf('/404', 6, 'newer frame')], 6];
  const found = await live.lookUpLive(db);
  expect([found.revision, found.pages.get('/')?.html, found.frames.get('/404')?.html]).toEqual([
    6,
    'newer',
    'newer frame',
  ]);
  expect(found.pages.get('/contact')).toBe(before.pages.get('/contact'));
  expect(asked.map(([, , pages]) => conditionOf(pages?.args))).toEqual([
    ['this-build', ...paths],
    ['this-build', 5],
    ['this-build', 5],
  ]);
  expect(renderPage).not.toHaveBeenCalled();
});

test('Only the primary can tell that the database was restored. An isolate then drops everything it knew', async () => {
  published = [4, 5].map((revision) => ({ revision, at: 10 * revision }));
  const before = await live.lookUpLive(db);
  // A lagging replica does not have the newest revision; the primary does.
  const all = published;
  const count = asked.length;
  answer = (results) => {
    published = asked.at(-1)?.[0]?.mode === 'read' ? all.slice(0, 1) : all;
    return inTime(results);
  };
  expect(await live.lookUpLive(db)).toBe(before);
  expect(asked.slice(count).map(([one]) => one?.mode)).toEqual(['read', 'write']);
  // Another publication reuses the same number at another time.
  [published, answer] = [[{ revision: 5, at: 51 }], inTime];
  stored = paths.map((path) => pageOf(path, 3, `restored ${path}`));
  const found = await live.lookUpLive(db);
  expect([found.publishedAt, found.pages.get('/contact')?.html]).toEqual([51, 'restored /contact']);
  expect(asked.at(-1)?.[2]?.mode).toBe('write');
  expect(conditionOf(asked.at(-1)?.[2]?.args)).toEqual(['this-build', 5, ...paths]);
});

test('With pages in memory, a visitor waits one second for a database that hangs, and the next one does not wait', async () => {
  await visit();
  await later(1_000);
  answer = () => new Promise(() => undefined);
  const waiting = visit();
  let isAnswered = false;
  void waiting.then(() => (isAnswered = true));
  await later(999);
  expect(isAnswered).toBe(false);
  await later(1);
  expect(await waiting).toEqual([5, 'stored /', false]);
  expect(live.trustedPage('/')).toBeUndefined();
  const count = asked.length;
  expect(await visit()).toEqual([5, 'stored /', false]);
  expect(await visit({ mayTrust: false })).toEqual([5, 'stored /', false]);
  expect(asked).toHaveLength(count);
  // A second later, the isolate queries the database again, and no one waits for it.
  await later(1_000);
  expect(await visit()).toEqual([5, 'stored /', false]);
  expect(asked).toHaveLength(count + 1);
  answer = inTime;
  await later(1_000);
  expect(await visit()).toEqual([5, 'stored /', false]);
  await later(0);
  expect(await visit()).toEqual([5, 'stored /', true]);
});

test('A new isolate waits five seconds for the database and one second for the copy', async () => {
  answer = () => new Promise(() => undefined);
  copy = { revision: 3, publishedAt: 30, html: 'copied' };
  const first = visit();
  await later(4_999);
  // Concurrent visitors share the lookup.
  const second = visit();
  expect([asked.length, get.mock.calls.length]).toEqual([1, 0]);
  await later(1);
  expect(await first).toEqual([3, 'copied', false]);
  await later(5_000);
  expect(await second).toEqual([3, 'copied', false]);
});

test('If the bucket hangs too, a visitor waits at most one more second', async () => {
  answer = () => Promise.reject(new Error('The database is down.'));
  get.mockReturnValueOnce(new Promise(() => undefined));
  const waiting = visit();
  let isAnswered = false;
  void waiting.then(() => (isAnswered = true));
  await later(999);
  expect(isAnswered).toBe(false);
  await later(1);
  expect(await waiting).toEqual([undefined, undefined, false]);
  // Work that continues after the response never fails a request.
  await expect(Promise.all(kept)).resolves.toHaveLength(1);
});

test('While the database is down, an isolate reads the copy every five seconds and serves the newer of copy and memory', async () => {
  await visit();
  await later(1_000);
  answer = () => Promise.reject(new Error('The database is down.'));
  copy = { revision: 6, publishedAt: 50, html: 'as old' };
  expect((await visit())[1]).toBe('stored /');
  copy = { revision: 6, publishedAt: 60, html: 'newer' };
  await later(4_999);
  expect((await visit())[1]).toBe('stored /');
  expect(get).toHaveBeenCalledTimes(1);
  await later(1);
  expect((await visit())[1]).toBe('newer');
  expect(get).toHaveBeenCalledTimes(2);
  copy = { revision: 7, publishedAt: 55, html: 'older' };
  await later(5_001);
  expect((await visit())[1]).toBe('newer');
  // The query in the background failed, so the next visitor starts none.
  await later(0);
  const count = asked.length;
  await visit();
  expect(asked).toHaveLength(count);
  get.mockRejectedValueOnce(new Error('The bucket is down.'));
  await later(5_001);
  expect((await visit())[1]).toBe('newer');
  // Only one visitor waits for a bucket that hangs.
  get.mockReturnValueOnce(new Promise(() => undefined));
  await later(5_001);
  void visit();
  const served = vi.fn();
  void visit().then(served);
  await later(0);
  expect(served).toHaveBeenCalledOnce();
  await later(1_000);
});

test('A lookup that hangs is abandoned, but its late answer is still used', async () => {
  await visit();
  await later(1_000);
  const { promise, resolve } = Promise.withResolvers<undefined>();
  answer = (results) => promise.then(() => results());
  const waiting = visit();
  await later(1_000);
  await waiting;
  published.push({ revision: 6, at: 60 });
  [stored, storedRevision] = [[...stored, pageOf('/', 6, 'late news')], 6];
  resolve(undefined);
  await later(0);
  expect(await visit()).toEqual([6, 'late news', true]);
});

test('Concurrent visitors cause one query, and no one waits for a lookup that has ended', async () => {
  const visitors = await Promise.all([visit(), visit(), visit({ mayTrust: false })]);
  expect(visitors).toEqual(Array(3).fill([5, 'stored /', true]));
  expect(asked).toHaveLength(1);
  await visit();
  expect(asked).toHaveLength(1);
  await visit({ mayTrust: false });
  expect(asked).toHaveLength(2);
});

test('A new isolate reads only the requested page, and keeps the pages of earlier requests', async () => {
  expect(live.trustedPage('/')).toBeUndefined();
  const both = await Promise.all([visit(), visit({ path: '/contact' })]);
  expect(both).toEqual([
    [5, 'stored /', true],
    [5, 'stored /contact', true],
  ]);
  expect(asked.map(([, , pages]) => conditionOf(pages?.args))).toEqual([
    ['this-build', '/'],
    ['this-build', '/contact'],
  ]);
  expect(live.remembered()?.pages.size).toBe(2);
  expect(await visit()).toEqual([5, 'stored /', true]);
  expect(asked).toHaveLength(2);
  expect(await visit({ path: '/pricing/' })).toEqual([5, 'stored /pricing/', true]);
  // An unknown path does not cause a render of every page.
  expect(await visit({ path: '/nowhere/at/all' })).toEqual([5, undefined, true]);
  expect([asked.length, renderPage.mock.calls.length]).toEqual([3, 0]);
});

test('If a save comes between two lookups, its state contains no page of the one before', async () => {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  answer = (results) => (asked.length === 2 ? promise.then(results) : inTime(results));
  const [first, second] = [visit(), visit({ path: '/contact' })];
  await first;
  published.push({ revision: 6, at: 60 });
  storeAll(6);
  resolve(undefined);
  expect(await second).toEqual([6, 'stored /contact', true]);
  expect(live.trustedPage('/')).toBeUndefined();
});

test('Pages read for a visitor and pages read for a save belong to one state', async () => {
  await visit();
  const read = await live.readLive(db);
  expect([read.pages.size + read.frames.size, conditionOf(asked.at(-1)?.[2]?.args)]).toEqual([
    paths.length,
    ['this-build', 5, ...paths.filter((path) => path !== '/')],
  ]);
});

test('When a page’s second is over, one visitor’s request confirms it, and the others get it for another second', async () => {
  await visit();
  await later(999);
  expect(live.trustedPage('/')).toEqual(pageOf('/', 5));
  await later(1);
  expect(live.trustedPage('/contact')).toBeUndefined();
  expect(live.trustedPage('/')).toBeUndefined();
  expect(live.trustedPage('/')).toEqual(pageOf('/', 5));
  await later(999);
  expect(live.trustedPage('/')).toEqual(pageOf('/', 5));
  await later(1);
  expect(live.trustedPage('/')).toBeUndefined();
  published.push({ revision: 6, at: 60 });
  [stored, storedRevision] = [[...stored, pageOf('/', 6, 'newer')], 6];
  await visit();
  expect(live.trustedPage('/')).toEqual(pageOf('/', 6, 'newer'));
  await later(1_500);
  expect(live.trustedPage('/')).toBeUndefined();
  expect(live.trustedPage('/')).toEqual(pageOf('/', 6, 'newer'));
});

test('While the database is down, a page that no one requested before comes from the copy', async () => {
  await visit({ path: '/contact' });
  await later(1_000);
  answer = () => Promise.reject(new Error('The database is down.'));
  copy = { revision: 4, publishedAt: 40, html: 'copied' };
  expect(await visit({ path: '/contact' })).toEqual([5, 'stored /contact', false]);
  expect(await visit()).toEqual([4, 'copied', false]);
  expect(await visit({ path: '/contact' })).toEqual([5, 'stored /contact', false]);
  expect(get).toHaveBeenCalledTimes(1);
});

test('A save reads content and pages of one moment, and memory keeps them', async () => {
  const read = await live.readLive(db);
  expect([read.revision, asked.length, (asked[0]?.length ?? 0) > 3]).toEqual([5, 1, true]);
  expect(read.content.banner).toEqual([]);
  expect(live.remembered()).toBe(read);
});

test('For a save, pages that are not stored are rendered from the content of the same moment', async () => {
  [stored, storedRevision] = [[], undefined];
  const read = await live.readLive(db);
  expect([read.revision, read.pages.get('/')?.html]).toEqual([5, 'rendered /']);
  // The content is read only once.
  expect(asked.map(([one]) => one?.mode)).toEqual(['read', 'write']);
});

test('Two publications of the same time are distinguished by their revisions', async () => {
  await live.lookUpLive(db);
  published = [{ revision: 4, at: 50 }];
  [stored, storedRevision] = [paths.map((path) => pageOf(path, 4, `restored ${path}`)), 4];
  const found = await live.lookUpLive(db);
  expect([found.revision, found.pages.get('/contact')?.html]).toEqual([4, 'restored /contact']);
});
