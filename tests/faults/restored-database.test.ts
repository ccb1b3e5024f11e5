/**
 * The database is brought back to an earlier moment, as by a point-in-time recovery, while the Worker runs and remembers
 * what is no more: visitors see what was restored, and a save is applied to that.
 */
import { createClient } from '@libsql/client';
import { copyFile, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { freePort, type WorkerProcess } from '#dev/system/worker-process.ts';
import { firstRecord, liveRevision, revisionOf, save, type PlainRecord } from '../support/content.ts';
import { untilMs } from '../support/limits.ts';
import { startTestSystem, type TestSystem } from '../support/system.ts';
import { signInAdministrator, Visitor } from '../support/visitor.ts';

let system: TestSystem;
let other: WorkerProcess;
let administrator: Visitor;
let banner: PlainRecord;

beforeAll(async () => {
  system = await startTestSystem();
  other = await system.startWorker({ port: await freePort(), dataDir: await folderIn('other') });
  administrator = await signInAdministrator(system.url);
  banner = await firstRecord(administrator, '/banner');
});
afterAll(() => system.stop());

/** Each test begins with a heading that is kept in a copy of the database, and one that is not. */
let keptRevision = 0;
beforeEach(async () => {
  keptRevision = revisionOf(await saveFields({ bannerHeading: 'Kept', bannerDetails: 'Kept' }));
  await copyDatabase(system.dataDir, await folderIn('copy'));
  for (const bannerHeading of ['Lost', 'Lost again']) await saveFields({ bannerHeading });
});

async function folderIn(name: string): Promise<string> {
  const folder = join(system.dataDir, name);
  await mkdir(folder, { recursive: true });
  return folder;
}

const saveFields = (fields: object, by: Visitor = administrator) =>
  save(by, `/update-banner/${banner._id}`, fields);

/** The same person at the other Worker, which has a memory of its own. */
function atOther(): Visitor {
  const visitor = new Visitor(other.url);
  for (const [name, value] of administrator.cookies) visitor.cookies.set(name, value);
  return visitor;
}

/** Copies the database's files while nobody writes them. */
async function copyDatabase(from: string, to: string): Promise<void> {
  await system.database.stop();
  const files = (folder: string) =>
    readdir(folder).then((names) => names.filter((name) => name.startsWith('database.sqlite')));
  for (const name of await files(to)) await rm(join(to, name));
  for (const name of await files(from)) await copyFile(join(from, name), join(to, name));
  await system.database.start();
}

const restore = async () => copyDatabase(await folderIn('copy'), system.dataDir);

async function expectHeading(visitor: Visitor, heading: string, revision: number): Promise<void> {
  await vi.waitFor(
    async () => {
      const page = await visitor.get('/');
      expect(page.text).toContain(`>${heading}<`);
      expect(revisionOf(page)).toBe(revision);
      expect(await liveRevision(visitor)).toBe(revision);
    },
    { timeout: untilMs, interval: 100 },
  );
}

test('Visitors see the restored page, and a save goes on from it', async () => {
  const visitor = new Visitor(system.url);
  await expectHeading(visitor, 'Lost again', keptRevision + 2);
  await restore();
  await expectHeading(visitor, 'Kept', keptRevision);
  const saved = await saveFields({ bannerDetails: 'Saved after the restore' });
  expect(revisionOf(saved)).toBe(keptRevision + 1);
  expect(saved.json).toMatchObject({ bannerHeading: 'Kept', bannerDetails: 'Saved after the restore' });
  await expectHeading(visitor, 'Kept', keptRevision + 1);
});

test('The first thing after a restore may be a save, and it brings nothing back that was lost', async () => {
  await restore();
  const saved = await saveFields({ bannerDetails: 'Saved at once' });
  expect(revisionOf(saved)).toBe(keptRevision + 1);
  expect(saved.json).toMatchObject({ bannerHeading: 'Kept', bannerDetails: 'Saved at once' });
  await expectHeading(new Visitor(system.url), 'Kept', keptRevision + 1);
});

test('A Worker that has only shown pages takes a save after a restore too', async () => {
  await expectHeading(new Visitor(other.url), 'Lost again', keptRevision + 2);
  await restore();
  const saved = await saveFields({ bannerDetails: 'Saved elsewhere' }, atOther());
  expect(revisionOf(saved)).toBe(keptRevision + 1);
  expect(saved.json).toMatchObject({ bannerHeading: 'Kept', bannerDetails: 'Saved elsewhere' });
});

test('A number that is given anew after a restore is not taken for the publication that had it before', async () => {
  await restore();
  // Elsewhere two saves reach the very number that this Worker remembers.
  for (const bannerHeading of ['Anew', 'Anew again']) await saveFields({ bannerHeading }, atOther());
  const saved = await saveFields({ bannerDetails: 'Saved on top' });
  expect(revisionOf(saved)).toBe(keptRevision + 3);
  expect(saved.json).toMatchObject({ bannerHeading: 'Anew again', bannerDetails: 'Saved on top' });
  await expectHeading(new Visitor(system.url), 'Anew again', keptRevision + 3);
});

test('Pages of revisions that are no more do not stand in the way, where they were left in the database', async () => {
  const visitor = new Visitor(system.url);
  await expectHeading(visitor, 'Lost again', keptRevision + 2);
  const database = createClient({ url: system.database.url, authToken: system.database.authToken });
  await database.batch(
    [
      'DROP TRIGGER publications_keeps_rows',
      'DROP TRIGGER content_history_keeps_rows',
      { sql: 'DELETE FROM publications WHERE revision > ?', args: [keptRevision] },
      { sql: 'DELETE FROM content_history WHERE revision > ?', args: [keptRevision] },
      "UPDATE banners SET bannerHeading = 'Kept', version = version - 2",
    ],
    'write',
  );
  database.close();
  await expectHeading(visitor, 'Kept', keptRevision);
  expect(revisionOf(await saveFields({ bannerHeading: 'Next' }))).toBe(keptRevision + 1);
  await expectHeading(visitor, 'Next', keptRevision + 1);
  await expectHeading(new Visitor(other.url), 'Next', keptRevision + 1);
});
