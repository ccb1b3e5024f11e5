/** The nightly backup in the bucket: over several runs of the cron, while people work. */
import { createClient } from '@libsql/client';
import { eq } from 'drizzle-orm';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { load } from '#deploy/load.ts';
import { newId } from '#contract/ids.ts';
import { publications } from '#worker/content/schema.ts';
import { writeBatch } from '#worker/db/client.ts';
import { messages, subscribers } from '#worker/inbox/schema.ts';
import { makeBackup } from '#worker/operations/backup.ts';
import { readJobFaults } from '#worker/operations/jobs.ts';
import { jobRuns } from '#worker/operations/schema.ts';
import { contentsOf, message, openBackups } from '../support/backups.ts';

const hour = 3_600_000;
const silent = () => undefined;

type Backups = Awaited<ReturnType<typeof openBackups>>;
let backups: Backups;
let { database, bucket, env, keys, runUntilMade, restore } = {} as Backups;
beforeAll(async () => {
  backups = await openBackups();
  ({ database, bucket, env, keys, runUntilMade, restore } = backups);
  const texts = Array.from({ length: 20 }, (_, index) => `${index} 🙂 `.repeat(2 + (index % 7) * 500));
  const { db } = database;
  // One row is larger than a page of the dump.
  await db.insert(messages).values(message('x'.repeat(3_000_000)));
  await writeBatch(
    db,
    texts.map((text) => db.insert(messages).values(message(text))),
  );
});
beforeEach(async () => {
  vi.setSystemTime(Date.now());
  const { objects } = await bucket.files.list({ prefix: 'backups/' });
  await bucket.files.delete(objects.map(({ key }) => key));
  await database.db.delete(jobRuns);
});
afterAll(async () => {
  vi.useRealTimers();
  await backups.close();
});

test('A database is backed up over several runs, and restored as it was', async () => {
  const { runs, key } = await runUntilMade();
  expect(runs).toBeGreaterThan(5);
  expect(key).toMatch(/^backups\/\d{4}-\d\d-\d\d\.sql\.gz$/);
  expect(await keys()).toEqual([key]);
  expect(await readJobFaults(database.db, Date.now())).toEqual([]);
  const before = await contentsOf(database.db.$client);
  await restore(key, async (client, loaded) => {
    expect(loaded.isChanged).toBe(false);
    expect(Number((await client.execute('SELECT count(*) AS n FROM sessions')).rows[0]?.['n'])).toBe(0);
    expect(await contentsOf(client)).toEqual(before);
    const indexes = "SELECT name FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL ORDER BY name";
    expect((await client.execute(indexes)).rows).toEqual((await database.db.$client.execute(indexes)).rows);
  });
});

test('A backup during which something was changed is begun anew; the third one is kept, and says so', async () => {
  const subscribe = (run: number) =>
    run <= 3
      ? database.db.insert(subscribers).values({ _id: newId(), subemail: `${run}@site.test` })
      : silent();
  const calm = await runUntilMade(async (run) => subscribe(run));
  await restore(calm.key, async (client, loaded) => {
    expect(loaded.isChanged).toBe(false);
    const { rows } = await client.execute('SELECT subemail FROM subscribers');
    expect(rows).toHaveLength(3);
  });
  await bucket.files.delete(calm.key);
  vi.setSystemTime(Date.now() + 24 * hour);
  const busy = await runUntilMade((run) =>
    database.db.insert(subscribers).values({ _id: newId(), subemail: `busy${run}@site.test` }),
  );
  expect(busy.runs).toBeGreaterThan(calm.runs);
  expect(await restore(busy.key, (_, loaded) => Promise.resolve(loaded))).toMatchObject({ isChanged: true });
});

/** The bucket with other multipart uploads. */
const withUploads = (change: (upload: R2MultipartUpload) => object): R2Bucket =>
  new Proxy(bucket.files, {
    get: (files, name) => {
      if (name === 'resumeMultipartUpload')
        return (key: string, id: string) => change(files.resumeMultipartUpload(key, id));
      const own = Reflect.get(files, name) as unknown;
      return typeof own === 'function' ? (own.bind(files) as unknown) : own;
    },
  });

test('A backup that cannot be made is told of after its third try, and begun again an hour later', async () => {
  const away = () => Promise.reject(new TypeError('The bucket is away.'));
  const broken = withUploads(() => ({ uploadPart: away, abort: () => Promise.resolve() }));
  for (const fails of [false, false, true]) {
    await makeBackup({ ...env, FILES: broken }, silent);
    const faults = await readJobFaults(database.db, Date.now());
    expect(faults.map(({ text }) => text.includes('No backup could be made (TypeError).'))).toEqual(
      fails ? [true] : [],
    );
  }
  await makeBackup(env, silent);
  expect(await keys()).toEqual([]);
  vi.setSystemTime(Date.now() + hour);
  await makeBackup(env, silent);
  expect(await keys()).toHaveLength(1);
  expect(await readJobFaults(database.db, Date.now())).toEqual([]);
});

test('A backup that cannot be put together at once is put together later, and is whole', async () => {
  const failing = withUploads((upload) => ({
    uploadPart: upload.uploadPart.bind(upload),
    complete: () => Promise.reject(new TypeError('The bucket is away.')),
  }));
  await makeBackup({ ...env, FILES: failing }, silent);
  expect(await keys()).toEqual(['backups/unfinished']);
  await makeBackup(env, silent);
  const [key = ''] = await keys();
  expect(await restore(key, (_, loaded) => Promise.resolve(loaded))).toMatchObject({ isChanged: false });
});

test('A site of which no backup was ever made is told so', async () => {
  const filled = { revision: 1, at: Date.now() - 27 * hour, by: '', changedPages: [] };
  await database.db.insert(publications).values(filled);
  const away = { head: () => Promise.reject(new TypeError('The bucket is away.')) } as unknown as R2Bucket;
  const texts = async () => (await readJobFaults(database.db, Date.now())).map(({ text }) => text);
  expect(await texts()).toEqual(['No backup has been made yet. Look at the log of the Worker.']);
  await expect(makeBackup({ ...env, FILES: away }, silent)).rejects.toThrow('The bucket is away.');
  expect(await texts()).toEqual([expect.stringContaining('No backup could be made (TypeError).')]);
});

test('Thirty backups are kept, one a day, and of two runs at once one works', async () => {
  for (let day = 1; day <= 31; day += 1)
    await bucket.files.put(`backups/2020-01-${String(day).padStart(2, '0')}.sql.gz`, 'old');
  // What another release may have left is in nobody's way.
  await bucket.files.put('backups/unfinished', '{"key":"backups/2020-02-01.sql.gz"}\n');
  const made = vi.fn();
  const log = (event: string) => {
    if (event === 'backup.made') made();
  };
  await Promise.all([makeBackup(env, log), makeBackup(env, log)]);
  await makeBackup(env, log);
  expect(made).toHaveBeenCalledTimes(1);
  const left = await keys();
  expect(left).toHaveLength(30);
  expect(left).not.toContain('backups/2020-01-02.sql.gz');
  expect(left).toContain('backups/2020-01-03.sql.gz');

  // A database that was restored from it does not know that it was made, and finds it there.
  const isBackup = eq(jobRuns.name, 'backup');
  await database.db.update(jobRuns).set({ succeededAt: 1 });
  await makeBackup(env, log);
  expect(made).toHaveBeenCalledTimes(1);
  const [{ succeededAt } = { succeededAt: 0 }] = await database.db.select().from(jobRuns).where(isBackup);
  const { uploaded } = (await bucket.files.head(left.at(-1) ?? '')) ?? {};
  expect(succeededAt).toBe(uploaded?.getTime());
});

test('A file that is no backup, or not all of one, is refused', async () => {
  const loadText = async (text: string) => {
    const client = createClient({ url: ':memory:' });
    await load(client, Readable.from([new TextEncoder().encode(text)]));
  };
  await expect(loadText('CREATE TABLE a (b);\n')).rejects.toThrow('not a backup');
  await expect(loadText('-- Backup of 2026-11-21T00:00:00.000Z\nCREATE TABLE a (b);\n')).rejects.toThrow(
    'The end of this backup is missing.',
  );
});
