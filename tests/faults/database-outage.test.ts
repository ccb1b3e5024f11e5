/**
 * The database is unavailable and comes back. The site stays up for visitors, and nothing unsaved is reported as saved.
 */
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { newId } from '#contract/ids.ts';
import { contentPages } from '#contract/screens.ts';
import { liveRevision } from '../support/content.ts';
import { openApp } from '../support/in-process-app.ts';
import { openSystem } from '../support/in-process-system.ts';
import { untilMs } from '../support/limits.ts';
import { startDatabase } from '../support/test-database.ts';
import { signInAdministrator, Visitor } from '../support/visitor.ts';

const paths = contentPages.map(({ pattern }) => pattern);

const system = await openSystem();
const { url } = await system.startWorker();
const administrator = await signInAdministrator(url);
const visitor = new Visitor(url);
afterAll(() => system.stop());

/** Waits until visitors are served from the database again. */
const whenBack = () =>
  vi.waitFor(
    async () => {
      const { headers } = await visitor.get('/');
      expect(headers.get('Cache-Control')).toBe('public, max-age=0, must-revalidate');
    },
    { timeout: untilMs, interval: 50 },
  );

test('A Worker that starts without its database serves the deployed pages, and the stored ones once the database is back', async () => {
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
  const lost = await administrator.put(`/api/update-banner/${newId()}`, { bannerHeading: 'Lost' });
  expect(lost.json, lost.text).toMatchObject({ title: 'Not available right now', status: 503 });
  await system.database.start();
  await whenBack();
  expect(await liveRevision(visitor)).toBe(1);
  await system.worker.tick();
  expect((await visitor.get('/api/health')).json).toEqual({ status: 'ok' });
});

test('If the database refuses the configured token, calls answer that the site is temporarily unavailable', async () => {
  const server = await startDatabase(undefined, { authToken: 'the next token' });
  onTestFinished(server.close);
  const app = openApp().get('/probe', async (c) => c.json((await c.var.db.run('SELECT 1')).rows.length));
  const ask = (TURSO_AUTH_TOKEN: string) =>
    app.request('/probe', {}, { TURSO_DATABASE_URL: server.url, TURSO_AUTH_TOKEN });
  const refused = await ask('the last token');
  expect([refused.status, refused.headers.has('Retry-After')]).toEqual([503, true]);
  expect((await ask('the next token')).status).toBe(200);
});
