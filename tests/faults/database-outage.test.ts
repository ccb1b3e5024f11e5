/** The database goes away and comes back: visitors keep the site, nothing is shown as saved that is not. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startLibsqlServer } from '#dev/libsql/server.ts';
import { contentPages } from '#contract/screens.ts';
import { firstRecord, isStandIn, liveRevision, revisionOf, save } from '../support/content.ts';
import { dumpDatabase } from '../support/database.ts';
import { openApp } from '../support/in-process-app.ts';
import { untilMs } from '../support/limits.ts';
import { startTestSystem, type TestSystem } from '../support/system.ts';
import { signInAdministrator, Visitor } from '../support/visitor.ts';

const paths = contentPages.map(({ pattern }) => pattern);

let system: TestSystem;
let administrator: Visitor;
let visitor: Visitor;
beforeAll(async () => {
  system = await startTestSystem();
  administrator = await signInAdministrator(system.url);
  visitor = new Visitor(system.url);
});
afterAll(() => system.stop());

const saveHeading = async (bannerHeading: string) => {
  const { _id } = await firstRecord(administrator, '/banner');
  return save(administrator, `/update-banner/${_id}`, { bannerHeading });
};

/** Waits until visitors are served from the database again. */
const whenBack = () =>
  vi.waitFor(
    async () => {
      const { headers } = await visitor.get('/');
      expect(headers.get('Cache-Control')).toBe('public, max-age=0, must-revalidate');
    },
    { timeout: untilMs, interval: 50 },
  );

test('A Worker that never saw the database serves the deployed pages, and the stored ones once it is there', async () => {
  await system.database.stop();
  for (const path of [...paths, '/login', '/thanks', '/register']) {
    const page = await visitor.get(path);
    expect(page.status, path).toBe(200);
    expect(page.text, path).toContain('</html>');
    expect(page.headers.get('Cache-Control'), path).toBe('no-store');
    expect(page.headers.get('Content-Security-Policy'), path).not.toContain('unsafe');
  }
  for (const path of ['/api/health', '/api/banner']) {
    const answer = await visitor.get(path);
    expect(answer.status, answer.text).toBe(503);
    expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(0);
  }
  await system.database.start();
  await whenBack();
  expect(await liveRevision(visitor)).toBe(1);
  await system.worker.tick();
  expect((await visitor.get('/api/health')).json).toEqual({ status: 'ok' });
});

/** Waits until the local bucket holds a text: its bytes are kept first, then an entry that names them. */
const whenKept = ({ dataDir }: { readonly dataDir: string }, text: string) =>
  vi.waitFor(
    async () => {
      const bucket = join(dataDir, 'wrangler/v3/r2');
      const indexes = await readdir(join(bucket, 'miniflare-R2BucketObject'));
      const index = indexes.find((file) => file.endsWith('.sqlite') && file !== 'metadata.sqlite') ?? '';
      const entries = new DatabaseSync(join(bucket, 'miniflare-R2BucketObject', index), { readOnly: true });
      const names = entries
        .prepare('SELECT blob_id AS name FROM _mf_objects WHERE blob_id IS NOT NULL')
        .all();
      entries.close();
      const texts = await Promise.all(
        names.map(({ name }) =>
          readFile(join(bucket, 'files-local/blobs', String(name)), 'utf8').catch(() => ''),
        ),
      );
      expect(texts.some((one) => one.includes(text))).toBe(true);
    },
    { timeout: untilMs, interval: 100 },
  );

test('With the database away a Worker that has just started shows what was published last, and refuses a save', async () => {
  const { _id } = await firstRecord(administrator, '/banner');
  // The last save of a burst is kept.
  for (const heading of ['Published one', 'Published last']) await saveHeading(heading);
  await whenKept(system, 'Published last');
  const before = await dumpDatabase(system);
  await system.worker.stop();
  await system.startWorker();
  await system.database.stop();
  for (const page of await Promise.all(Array.from({ length: 10 }, () => visitor.get('/')))) {
    expect([page.status, isStandIn(page), page.text.includes('Published last')]).toEqual([200, true, true]);
    expect(page.headers.has('Cloudflare-CDN-Cache-Control')).toBe(false);
  }
  const lost = await administrator.put(`/api/update-banner/${_id}`, { bannerHeading: 'Lost' });
  expect(lost.json, lost.text).toMatchObject({ title: 'Not available right now', status: 503 });
  expect([lost.headers.has('X-Content-Revision'), lost.headers.has('Set-Cookie')]).toEqual([false, false]);
  const shell = await administrator.get('/admin');
  expect([shell.status, shell.text.includes('SQLITE')]).toEqual([503, false]);
  const subscriber = { subemail: 'somebody@customers.example' };
  expect((await visitor.post('/api/add-subscriber', subscriber)).status).toBe(503);

  await system.database.start();
  await whenBack();
  expect(await dumpDatabase(system)).toEqual(before);
  expect((await visitor.get('/')).text).toContain('Published last');
});

test('After a restart the first request may be a save, by somebody who is still signed in', async () => {
  const saved = await saveHeading('Before the restart');
  const { _id } = await firstRecord(administrator, '/banner');
  await system.worker.stop();
  await system.startWorker();
  const again = await save(administrator, `/update-banner/${_id}`, { bannerDetails: 'After the restart' });
  expect(revisionOf(again)).toBe(revisionOf(saved) + 1);
  const page = await visitor.get('/');
  expect(page.text).toContain('Before the restart');
  expect(page.text).toContain('After the restart');
});

test('While the database takes the token of the settings no more, calls say that the site is away for a moment', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'storefront-token-'));
  const server = await startLibsqlServer({
    file: join(folder, 'database.sqlite'),
    authToken: 'the next token',
  });
  const app = openApp().get('/probe', async (c) => c.json((await c.var.db.run('SELECT 1')).rows.length));
  const ask = (TURSO_AUTH_TOKEN: string) =>
    app.request('/probe', {}, { TURSO_DATABASE_URL: server.url, TURSO_AUTH_TOKEN });
  try {
    const refused = await ask('the last token');
    expect([refused.status, refused.headers.has('Retry-After')]).toEqual([503, true]);
    expect((await ask('the next token')).status).toBe(200);
  } finally {
    await server.close();
    await rm(folder, { recursive: true });
  }
});
