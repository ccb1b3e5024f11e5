/** `npm run import` as a deployer runs it. */
import { execFile } from 'node:child_process';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { releaseChanges, releases } from '#worker/content/schema.ts';
import { openTestDatabase } from '../support/test-database.ts';

test('Articles from files are put into a release, and the command names what it leaves out', async () => {
  const { env, db, close } = await openTestDatabase();
  onTestFinished(close);
  const folder = await mkdtemp(join(tmpdir(), 'import-'));
  const text = '![A map](https://old.example/map.png)\n\nRates by city.';
  await writeFile(join(folder, 'rates.md'), `---\ntitle: Local rates\nsummary: By city.\n---\n${text}`);
  const command = ['--disable-warning=ExperimentalWarning', 'deploy/import.ts', folder];
  const { stdout } = await promisify(execFile)(process.execPath, command, {
    env: { ...process.env, TURSO_DATABASE_URL: env.TURSO_DATABASE_URL, SITE_TIMEZONE: 'America/Chicago' },
  });
  const [release] = await db.select().from(releases);
  expect(release?.title).toMatch(/^Imported articles, \w+ \d+, \d+, \d+:\d\d [AP]M C[DS]T$/);
  expect(stdout).toContain(`1 article imported into “${release?.title ?? ''}”.`);
  expect(stdout).toContain('picture https://old.example/map.png. The command does not fetch pictures.');
  const [change] = await db.select().from(releaseChanges);
  expect(change).toMatchObject({ releaseId: release?._id, action: 'add', value: { title: 'Local rates' } });
});
