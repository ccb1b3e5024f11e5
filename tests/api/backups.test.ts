/** The nightly backup in the bucket. It contains a single moment while people work, and is complete or absent. */
import { createClient } from '@libsql/client';
import { sql } from 'drizzle-orm';
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { load } from '#deploy/load.ts';
import { newId } from '#contract/ids.ts';
import { publications } from '#worker/content/schema.ts';
import { writeBatch } from '#worker/db/client.ts';
import { messages, subscribers } from '#worker/inbox/schema.ts';
import { makeBackup } from '#worker/operations/backup.ts';
import { readJobFaults } from '#worker/operations/jobs.ts';
import { jobRuns } from '#worker/operations/schema.ts';
import { contentsOf, dumpOf, loadIntoNew, message, openBackups } from '../support/backups.ts';

const hour = 3_600_000;
const silent = () => undefined;

type Backups = Awaited<ReturnType<typeof openBackups>>;
let backups: Backups;
let { database, bucket, env, keys, restore } = {} as Backups;
beforeAll(async () => {
  backups = await openBackups();
  ({ database, bucket, env, keys, restore } = backups);
});
beforeEach(async () => {
  vi.setSystemTime(Date.now());
  const { objects } = await bucket.list({ prefix: 'backups/' });
  await bucket.delete(objects.map(({ key }) => key));
  await database.db.delete(jobRuns);
});
afterAll(() => backups.close());

describe('A large database', () => {
  beforeAll(async () => {
    const { db } = database;
    const texts = Array.from({ length: 50 }, (_, index) => `${index} 🙂 `.repeat(2 + (index % 7) * 500));
    await writeBatch(
      db,
      texts.map((text) => db.insert(messages).values(message(text))),
    );
    // One row is larger than a normal database response may be. Even compressed, it is larger than a part of an upload.
    await db.insert(messages).values(message(randomBytes(8_000_000).toString('base64')));
    // Together, they are larger than what a connection buffers while nobody reads from it.
    for (let count = 0; count < 10; count += 1)
      await db.insert(messages).values(message('x'.repeat(1_000_000)));
  });
  // The other tests are faster with a small database.
  afterAll(() => database.db.delete(messages));

  test('is backed up and restored unchanged, without the data that signs people in', async () => {
    await makeBackup(env, silent, database.db);
    const [key = '', ...more] = await keys();
    expect(key).toMatch(/^backups\/\d{4}-\d\d-\d\d\.sql\.gz$/);
    expect(more).toEqual([]);
    expect(await readJobFaults(env, database.db, Date.now())).toEqual([]);
    const before = await contentsOf(database.db.$client);
    await restore(key, async (client) => {
      for (const table of ['sessions', 'recovery_codes'])
        expect((await client.execute(`SELECT count(*) FROM ${table}`)).rows[0]?.[0], table).toBe(0);
      expect(await contentsOf(client)).toEqual(before);
      const indexes = "SELECT name FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL ORDER BY name";
      expect((await client.execute(indexes)).rows).toEqual((await database.db.$client.execute(indexes)).rows);
    });
  });

  test('is backed up as of one moment during writes', async () => {
    const { db } = database;
    const before = await contentsOf(db.$client);
    const dump = await dumpOf(env, async () => {
      await db.delete(messages).where(sql`rowid % 2 = 0`);
      await db.insert(subscribers).values({ _id: newId(), subemail: 'late@site.test' });
      await db.run(`INSERT INTO "no rowid" VALUES ('late', 1, NULL)`);
    });
    expect(await contentsOf(db.$client)).not.toEqual(before);
    await loadIntoNew(Readable.from(dump), async ({ client }) => {
      expect(await contentsOf(client)).toEqual(before);
    });
  });
});

/**
 * Replaces the database's responses to reads.
 * @param answer gets the number of the call, from 1
 */
function answerReads(answer: (count: number, read: () => Promise<Response>) => Promise<Response>): void {
  const { fetch } = globalThis;
  let count = 0;
  vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) => {
    const read = () => fetch(input, init);
    const url = input instanceof Request ? input.url : String(input);
    return url.endsWith('/v3/cursor') ? answer((count += 1), read) : read();
  });
}

test('No backup is created if the tables change while it begins', async () => {
  answerReads(async (count, read) => {
    if (count === 2) await database.db.run('CREATE TABLE "made late" (a)');
    return read();
  });
  await expect(dumpOf(env)).rejects.toThrow('The schema was changed');
});

const withUploads = (change: (upload: R2MultipartUpload) => object): R2Bucket =>
  new Proxy(bucket, {
    get: (files, name) => {
      if (name === 'createMultipartUpload')
        return async (key: string) => change(await files.createMultipartUpload(key));
      const own = Reflect.get(files, name) as unknown;
      return typeof own === 'function' ? (own.bind(files) as unknown) : own;
    },
  });

/**
 * The bucket that fails a number of times.
 * @param step of an upload
 */
function failing(step: 'uploadPart' | 'complete', times: number) {
  const away = () => Promise.reject(new TypeError('The bucket is down.'));
  let left = times;
  return withUploads((upload) => ({
    uploadPart: upload.uploadPart.bind(upload),
    complete: upload.complete.bind(upload),
    abort: upload.abort.bind(upload),
    ...(left-- > 0 && { [step]: away }),
  }));
}

const faultTexts = async () => (await readJobFaults(env, database.db, Date.now())).map(({ text }) => text);

test('A failing backup is reported after the third attempt, and is created an hour later', async () => {
  await makeBackup({ ...env, FILES: failing('uploadPart', 3) }, silent, database.db);
  expect(await faultTexts()).toEqual([expect.stringContaining('No backup could be made (TypeError).')]);
  expect(await keys()).toEqual([]);
  vi.setSystemTime(Date.now() + hour);
  await makeBackup(env, silent, database.db);
  expect(await keys()).toHaveLength(1);
  expect(await faultTexts()).toEqual([]);
});

test('A backup that was interrupted starts again and is complete', async () => {
  await makeBackup({ ...env, FILES: failing('complete', 2) }, silent, database.db);
  expect(await faultTexts()).toEqual([]);
  const [key = ''] = await keys();
  const before = await contentsOf(database.db.$client);
  await restore(key, async (client) => expect(await contentsOf(client)).toEqual(before));
});

test('A backup that is interrupted by the database is discarded and reported', async () => {
  answerReads(async (_, read) => {
    const lines = (await (await read()).text()).split('\n');
    return new Response(lines.slice(0, -4).join('\n'));
  });
  const logged: unknown[] = [];
  await makeBackup(env, (event, facts) => logged.push([event, facts?.['error']]), database.db);
  expect(logged).toEqual(Array(3).fill(['backup.failed', 'LibsqlError:CURSOR_CUT_OFF']));
  expect(await keys()).toEqual([]);
  expect(await faultTexts()).toEqual([expect.stringContaining('(LibsqlError:CURSOR_CUT_OFF)')]);
});

test('A site that never had a backup is reported', async () => {
  const filled = { revision: 1, at: Date.now() - 27 * hour, by: '', changedPages: [] };
  await database.db.insert(publications).values(filled);
  const away = { head: () => Promise.reject(new TypeError('The bucket is down.')) } as unknown as R2Bucket;
  expect(await faultTexts()).toEqual(['No backup has been made yet. Check the log of the Worker.']);
  await makeBackup({ ...env, FILES: away }, silent, database.db);
  expect(await faultTexts()).toEqual([expect.stringContaining('No backup could be made (TypeError).')]);
});

test('Thirty daily backups are kept, and two concurrent runs create one complete backup', async () => {
  for (let day = 1; day <= 31; day += 1)
    await bucket.put(`backups/2020-01-${String(day).padStart(2, '0')}.sql.gz`, 'old');
  // A file that somebody else put there is kept.
  const other = 'backups/2019.sql';
  await bucket.put(other, 'other');
  await Promise.all([makeBackup(env, silent, database.db), makeBackup(env, silent, database.db)]);
  const left = (await keys()).filter((key) => key !== other);
  expect(await bucket.head(other)).not.toBeNull();
  expect(left).toHaveLength(30);
  expect(left).not.toContain('backups/2020-01-02.sql.gz');
  expect(left).toContain('backups/2020-01-03.sql.gz');
  const before = await contentsOf(database.db.$client);
  await restore(left.at(-1) ?? '', async (client) => expect(await contentsOf(client)).toEqual(before));
});

test('The backup of the day is not overwritten, and a restored database records which backup it came from', async () => {
  await makeBackup(env, silent, database.db);
  const [key = ''] = await keys();
  const { uploaded, etag } = (await bucket.head(key)) ?? {};
  await database.db.update(jobRuns).set({ succeededAt: 1 });
  await makeBackup(env, silent, database.db);
  expect((await bucket.head(key))?.etag).toBe(etag);
  const [run] = await database.db.select().from(jobRuns);
  expect(run).toMatchObject({ name: 'backup', succeededAt: uploaded?.getTime(), failure: null });
});

test('A file that is not a backup, or not a complete one, is refused', async () => {
  const loadText = async (text: string) => {
    const client = createClient({ url: ':memory:' });
    await load(client, Readable.from([new TextEncoder().encode(text)]));
  };
  await expect(loadText('CREATE TABLE a (b);\n')).rejects.toThrow('not a backup');
  const begin = 'PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\n-- Backup of 2026-11-21T00:00:00.000Z\n';
  for (const rest of ['', 'CREATE TABLE a (b);\n', 'CREATE TABLE a (b);\nCOMMIT;'])
    await expect(loadText(begin + rest)).rejects.toThrow('The end of this backup is missing.');
});
