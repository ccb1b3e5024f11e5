/** What visitors get while others save, and from two releases at the same time. */
import { createClient } from '@libsql/client';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { freePort } from '#dev/system/worker-process.ts';
import { contentFiles, contentPages, framePaths } from '#contract/screens.ts';
import { firstRecord, isStandIn, revisionOf, save } from '../support/content.ts';
import { startDatabaseProxy } from '../support/database-proxy.ts';
import { untilMs } from '../support/limits.ts';
import { makeOtherBuild, otherBuild } from '../support/other-build.ts';
import { startTestSystem } from '../support/system.ts';
import { signInAdministrator, Visitor } from '../support/visitor.ts';

const paths = contentPages.map(({ pattern }) => pattern);

const system = await startTestSystem();
const administrator = await signInAdministrator(system.url);
const banner = await firstRecord(administrator, '/banner');
afterAll(() => system.stop());

/** @returns the new revision */
const saveHeading = async (bannerHeading: string): Promise<number> =>
  revisionOf(await save(administrator, `/update-banner/${banner._id}`, { bannerHeading }));

test('Two releases over one database each serve their own pages and files, and both serve what was saved', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'storefront-release-'));
  const proxy = await startDatabaseProxy(system.database.url);
  const database = createClient({ url: system.database.url, authToken: system.database.authToken });
  onTestFinished(async () => {
    database.close();
    await proxy.close();
    await rm(folder, { recursive: true, force: true });
  });
  const { before, after } = await makeOtherBuild();
  expect(after).not.toBe(before);
  const other = await system.startWorker({
    port: await freePort(),
    dataDir: folder,
    buildDir: otherBuild,
    vars: { TURSO_DATABASE_URL: proxy.url },
  });
  onTestFinished(() => other.stop());
  const [old, next] = [new Visitor(system.url), new Visitor(other.url)];

  // The first visitors of a release share one render: look up, read, write.
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
    const staff = await signInAdministrator(visitor.url);
    for (const path of [...paths, '/admin']) {
      const page = await staff.get(path);
      expect(page.text, path).not.toContain(foreign);
      const files = new Set(page.text.match(/\/_astro\/[\w.-]+/g));
      expect(files.size, path).toBeGreaterThan(0);
      for (const file of files) expect((await visitor.get(file)).status, file).toBe(200);
    }
    expect((await visitor.get('/')).text).toContain(own);
    expect((await visitor.get(`/_astro/${foreign}`)).status).toBe(404);
  }
  const { rows } = await database.execute(
    `SELECT "buildId", count(*) AS count FROM pages WHERE html <> '' GROUP BY 1`,
  );
  const stored = paths.length + contentFiles.length + framePaths.length;
  expect(rows.map(({ count }) => Number(count))).toEqual([stored, stored]);
});
