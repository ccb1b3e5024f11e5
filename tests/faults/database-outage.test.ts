/** The database goes away and comes back: visitors keep the site, nothing is shown as saved that is not. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test, vi } from 'vitest';
import { startLibsqlServer } from '#dev/libsql/server.ts';
import { freePort } from '#dev/system/worker-process.ts';
import { contentPages } from '#contract/screens.ts';
import {
  changedPagesOf,
  firstRecord,
  isStandIn,
  liveRevision,
  revisionOf,
  save,
} from '../support/content.ts';
import { dumpDatabase } from '../support/database.ts';
import { openApp } from '../support/in-process-app.ts';
import { untilMs } from '../support/limits.ts';
import { startTestSystem } from '../support/system.ts';
import { signInAdministrator, Visitor } from '../support/visitor.ts';

const paths = contentPages.map(({ pattern }) => pattern);

/** Waits until visitors are served from the database again. */
const whenBack = (visitor: Visitor) =>
  vi.waitFor(
    async () => {
      const { headers } = await visitor.get('/');
      expect(headers.get('Cache-Control')).toBe('public, max-age=0, must-revalidate');
    },
    { timeout: untilMs, interval: 50 },
  );

test('A Worker that never saw the database serves the deployed pages, and the stored ones once it is there', async () => {
  const system = await startTestSystem();
  try {
    const visitor = new Visitor(system.url);
    await system.database.stop();
    for (const path of [...paths, '/login', '/thanks', '/register']) {
      const page = await visitor.get(path);
      expect(page.status, path).toBe(200);
      expect(page.text, path).toContain('</html>');
      expect(page.headers.get('Cache-Control'), path).toBe('no-store');
      expect(page.headers.get('Content-Security-Policy'), path).not.toContain('unsafe');
    }
    for (const path of ['/api/health', '/api/pricings', '/api/banner']) {
      const answer = await visitor.get(path);
      expect(answer.status, answer.text).toBe(503);
      expect(answer.headers.get('Content-Type')).toContain('application/problem+json');
      expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(0);
    }
    await system.database.start();
    await whenBack(visitor);
    expect(await liveRevision(visitor)).toBe(1);
    await system.worker.tick();
    expect((await visitor.get('/api/health')).json).toEqual({ status: 'ok' });
  } finally {
    await system.stop();
  }
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

test('With the database away a Worker that has just started shows the pages last published, not those of the deployment', async () => {
  const system = await startTestSystem();
  try {
    const administrator = await signInAdministrator(system.url);
    const [banner, logo] = [
      await firstRecord(administrator, '/banner'),
      await firstRecord(administrator, '/logo'),
    ];
    const saveHeading = (bannerHeading: string) =>
      save(administrator, `/update-banner/${banner._id}`, { bannerHeading });
    await save(administrator, `/logo/${logo._id}`, { logo: '/images/video-poster.svg' });
    // Of a burst of saves the last one is kept.
    for (const heading of ['Published one', 'Published two', 'Published last']) await saveHeading(heading);
    await whenKept(system, 'Published last');

    await system.worker.stop();
    await system.startWorker();
    await system.database.stop();
    const visitor = new Visitor(system.url);
    const first = await Promise.all(Array.from({ length: 10 }, () => visitor.get('/')));
    for (const page of first) {
      expect([page.status, isStandIn(page), page.text.includes('Published last')]).toEqual([200, true, true]);
      expect(page.headers.has('Cloudflare-CDN-Cache-Control')).toBe(false);
    }
    for (const path of ['/thanks', '/nowhere', '/login'])
      expect((await visitor.get(path)).text, path).toContain('src="/images/video-poster.svg"');
    expect(await liveRevision(visitor)).toBe(5);

    await system.database.start();
    await whenBack(visitor);
    expect((await visitor.get('/')).text).toContain('Published last');
  } finally {
    await system.stop();
  }
});

test('The cron brings the copy of the pages in line with the database', async () => {
  const system = await startTestSystem();
  try {
    const administrator = await signInAdministrator(system.url);
    const banner = await firstRecord(administrator, '/banner');
    await system.worker.tick();
    await whenKept(system, banner['bannerHeading'] ?? '');
    // A publication of which the bucket was never told.
    const other = await system.startWorker({
      port: await freePort(),
      dataDir: await mkdtemp(join(system.dataDir, 'other-')),
    });
    const elsewhere = new Visitor(other.url);
    for (const [name, value] of administrator.cookies) elsewhere.cookies.set(name, value);
    await save(elsewhere, `/update-banner/${banner._id}`, { bannerHeading: 'Published elsewhere' });
    await system.worker.tick();
    await system.worker.stop();
    await system.startWorker();
    await system.database.stop();
    expect((await new Visitor(system.url).get('/')).text).toContain('Published elsewhere');
  } finally {
    await system.stop();
  }
});

test('While the database is away the last pages stay, a save is refused, and nothing of it is ever seen', async () => {
  const system = await startTestSystem();
  try {
    const visitor = new Visitor(system.url);
    const administrator = await signInAdministrator(system.url);
    const banner = await firstRecord(administrator, '/banner');
    const path = `/update-banner/${banner._id}`;
    const saved = await save(administrator, path, { bannerHeading: 'The heading before the outage' });
    const page = await visitor.get('/');
    expect(page.text).toContain('The heading before the outage');
    const before = await dumpDatabase(system);

    await system.database.stop();
    const lost = await administrator.put(`/api${path}`, { bannerHeading: 'A heading that was lost' });
    expect(lost.status, lost.text).toBe(503);
    expect(lost.json).toMatchObject({ title: 'Not available right now', status: 503 });
    expect(Number(lost.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect(lost.headers.has('X-Content-Revision')).toBe(false);
    expect(lost.headers.has('Set-Cookie')).toBe(false);
    const during = await vi.waitFor(
      async () => {
        const answer = await visitor.get('/');
        expect(answer.headers.get('Cache-Control')).toBe('no-store');
        return answer;
      },
      { timeout: untilMs, interval: 50 },
    );
    expect([during.status, during.text]).toEqual([200, page.text]);
    // Who is signed in makes no difference to what is the same for everyone.
    for (const path of [...paths, '/thanks', '/register'])
      expect((await administrator.get(path)).status, path).toBe(200);
    const shell = await administrator.get('/admin');
    expect([shell.status, shell.text.includes('SQLITE')]).toEqual([503, false]);
    const message = await visitor.post('/api/add-subscriber', { subemail: 'somebody@customers.example' });
    expect(message.status).toBe(503);

    await system.database.start();
    await whenBack(visitor);
    expect(await dumpDatabase(system)).toEqual(before);
    expect((await visitor.get('/')).text).toBe(page.text);
    const again = await save(administrator, path, { bannerHeading: 'The heading after the outage' });
    expect(revisionOf(again)).toBe(revisionOf(saved) + 1);
    expect((await visitor.get('/')).text).toContain('The heading after the outage');
  } finally {
    await system.stop();
  }
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

test('After a restart the first request may be a save, by somebody who is still signed in', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'storefront-restart-'));
  try {
    const first = await startTestSystem({ dataDir });
    const administrator = await signInAdministrator(first.url);
    const banner = await firstRecord(administrator, '/banner');
    const saved = await save(administrator, `/update-banner/${banner._id}`, {
      bannerHeading: 'Before the restart',
    });
    const secrets = await readFile(join(dataDir, 'secrets.json'), 'utf8');
    await first.stop();

    const second = await startTestSystem({ dataDir });
    try {
      expect(second.seeded).toBe(false);
      expect(await readFile(join(dataDir, 'secrets.json'), 'utf8')).toBe(secrets);
      const returning = new Visitor(second.url);
      for (const [name, value] of administrator.cookies) returning.cookies.set(name, value);
      const again = await save(returning, `/update-banner/${banner._id}`, {
        bannerDetails: 'After the restart',
      });
      expect(revisionOf(again)).toBe(revisionOf(saved) + 1);
      expect(changedPagesOf(again)).toEqual(['/']);
      const page = await returning.get('/');
      expect(page.text).toContain('Before the restart');
      expect(page.text).toContain('After the restart');
      expect(revisionOf(page)).toBe(revisionOf(again));
      expect(revisionOf(await returning.get('/contact'))).toBe(1);
    } finally {
      await second.stop();
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
});
