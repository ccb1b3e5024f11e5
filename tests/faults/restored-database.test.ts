/**
 * The database is brought back to an earlier moment, as by a point-in-time recovery, while the Worker runs and remembers
 * what is no more: visitors see what was restored, and a save is applied to that.
 */
import { copyFile, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
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

async function folderIn(name: string): Promise<string> {
  const folder = join(system.dataDir, name);
  await mkdir(folder, { recursive: true });
  return folder;
}

const saveFields = (fields: object, by = administrator) => save(by, `/update-banner/${banner._id}`, fields);

/** Copies the database's files while nobody writes them. */
async function copyDatabase(from: string, to: string): Promise<void> {
  await system.database.stop();
  const files = (folder: string) =>
    readdir(folder).then((names) => names.filter((name) => name.startsWith('database.sqlite')));
  for (const name of await files(to)) await rm(join(to, name));
  for (const name of await files(from)) await copyFile(join(from, name), join(to, name));
  await system.database.start();
}

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

test('After a restore every Worker shows what is there, and a save at any of them goes on from it', async () => {
  const kept = revisionOf(await saveFields({ bannerHeading: 'Kept', bannerDetails: 'Kept' }));
  await copyDatabase(system.dataDir, await folderIn('copy'));
  for (const bannerHeading of ['Lost', 'Lost again']) await saveFields({ bannerHeading });
  const [here, elsewhere] = [new Visitor(system.url), new Visitor(other.url)];
  for (const visitor of [here, elsewhere]) await expectHeading(visitor, 'Lost again', kept + 2);
  await copyDatabase(await folderIn('copy'), system.dataDir);

  // The other Worker has only shown pages so far; this one remembers the content of what was lost.
  const administratorThere = new Visitor(other.url);
  for (const [name, value] of administrator.cookies) administratorThere.cookies.set(name, value);
  const saved = await saveFields({ bannerDetails: 'Saved elsewhere' }, administratorThere);
  expect(revisionOf(saved)).toBe(kept + 1);
  expect(saved.json).toMatchObject({ bannerHeading: 'Kept', bannerDetails: 'Saved elsewhere' });
  // A second save there reaches the very number that this Worker remembers.
  await saveFields({ bannerHeading: 'Anew' }, administratorThere);
  const next = await saveFields({ bannerText: 'Saved on top' });
  expect(revisionOf(next)).toBe(kept + 3);
  expect(next.json).toMatchObject({ bannerHeading: 'Anew', bannerDetails: 'Saved elsewhere' });
  for (const visitor of [here, elsewhere]) await expectHeading(visitor, 'Anew', kept + 3);
});
