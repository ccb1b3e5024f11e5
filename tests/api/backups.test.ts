/**
 * The nightly backup in the bucket: of a database that no single answer can hold, over several runs, while people work. And
 * what the cron deletes.
 */
import { createClient, type Client } from '@libsql/client';
import { eq } from 'drizzle-orm';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { load, type Loaded } from '#deploy/load.ts';
import { startLibsqlServer } from '#dev/libsql/server.ts';
import { newId } from '#contract/ids.ts';
import { accounts, sessions } from '#worker/accounts/schema.ts';
import { publications } from '#worker/content/schema.ts';
import { writeBatch } from '#worker/db/client.ts';
import type { Env } from '#worker/env.ts';
import { messages, subscribers } from '#worker/inbox/schema.ts';
import { makeBackup } from '#worker/operations/backup.ts';
import { readFirst, withoutRows } from '#worker/operations/dump.ts';
import { readJobFaults } from '#worker/operations/jobs.ts';
import { jobRuns } from '#worker/operations/schema.ts';
import { pageSets, pages } from '#worker/publishing/schema.ts';
import { pruneBuilds } from '#worker/publishing/keep.ts';
import { openBucket } from '../support/bucket.ts';
import { openTestDatabase, type TestDatabase } from '../support/test-database.ts';

vi.mock('#site-renderer', () => ({ buildId: 'running' }));

const hour = 3_600_000;
const day = 24 * hour;

let database: TestDatabase;
let bucket: Awaited<ReturnType<typeof openBucket>>;
let env: Env;
beforeAll(async () => {
  database = await openTestDatabase();
  bucket = await openBucket();
  env = { ...database.env, FILES: bucket.files };
  await fill();
});
beforeEach(async () => {
  vi.setSystemTime(Date.now());
  const { objects } = await bucket.files.list({ prefix: 'backups/' });
  await bucket.files.delete(objects.map(({ key }) => key));
  await database.db.delete(jobRuns);
});
afterAll(async () => {
  vi.useRealTimers();
  await database.close();
  await bucket.close();
});

const message = (text: string): typeof messages.$inferInsert => ({
  _id: newId(),
  name: "O'Brien",
  email: 'ana@site.test',
  number: '',
  subject: 'Line\none \u2028 two',
  message: text,
  messageStatus: 'UnRead',
  receivedAt: 1,
});

/** More than the server puts into one answer, in rows of very different size, one of them larger than a page. */
async function fill(): Promise<void> {
  const { db } = database;
  for (let batch = 0; batch < 6; batch += 1)
    await writeBatch(
      db,
      Array.from({ length: 100 }, (_, index) =>
        db.insert(messages).values(message(`${batch} ${index} 🙂 `.repeat(2 + (index % 7) * 500))),
      ),
    );
  await db.insert(messages).values(message('x'.repeat(3_000_000)));
  await db.run('CREATE TABLE "no rowid" (a TEXT, b INTEGER, c BLOB, PRIMARY KEY (a, b)) WITHOUT ROWID');
  await db.run(`INSERT INTO "no rowid" WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 1199)
    SELECT i % 3, i, zeroblob(i % 50) FROM n`);
  const account = { id: newId(), email: 'ana@site.test', createdAt: 1 };
  await db.insert(accounts).values(account);
  const device = 'Firefox on Windows';
  await db.insert(sessions).values({
    id: 's',
    _id: newId(),
    accountId: account.id,
    passwordVersion: 1,
    createdAt: 1,
    lastUsedAt: 1,
    device,
  });
}

const silent = () => undefined;
const keys = async () => (await bucket.files.list({ prefix: 'backups/' })).objects.map(({ key }) => key);

/** Runs of the cron, each as short as can be, until the backup is there. @returns how many it took */
async function runUntilMade(meanwhile: (run: number) => Promise<unknown> = () => Promise.resolve()) {
  for (let run = 1; ; run += 1) {
    await makeBackup(env, silent, { runMs: 0 });
    const [key] = (await keys()).filter((name) => name.endsWith('.gz'));
    if (key !== undefined) return { runs: run, key };
    await meanwhile(run);
  }
}

/** Loads a backup into a new database. */
async function restore<T>(key: string, work: (client: Client, loaded: Loaded) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'backup-'));
  const server = await startLibsqlServer({ file: join(folder, 'restored.db') });
  const client = createClient({ url: server.url });
  try {
    const object = await bucket.files.get(key);
    const bytes = new Uint8Array((await object?.arrayBuffer()) ?? []);
    return await work(client, await load(client, Readable.from([bytes]).pipe(createGunzip())));
  } finally {
    client.close();
    await server.close();
    await rm(folder, { recursive: true });
  }
}

/** How many rows each table of a backup has, and what they hold together. */
async function contentsOf(client: Client): Promise<Record<string, unknown>> {
  const { rows } = await client.execute(
    `SELECT of.name AS "table", group_concat('quote("' || info.name || '")', '||') AS columns
     FROM sqlite_master AS of, pragma_table_info(of.name) AS info WHERE of.type = 'table' GROUP BY 1`,
  );
  const leftOut: readonly unknown[] = [...withoutRows, 'job_runs'];
  const contents: Record<string, unknown> = {};
  for (const { table, columns } of rows as unknown as { table: string; columns: string }[]) {
    if (leftOut.includes(table)) continue;
    const { rows: found } = await client.execute(
      `SELECT count(*), sum(length(${columns})), group_concat(substr(${columns}, 40, 20)) FROM "${table}"`,
    );
    contents[table] = Array.from(found[0] ?? []);
  }
  return contents;
}

test('A database that no single answer can hold is backed up over several runs, and restored as it was', async () => {
  await expect(database.db.$client.execute('SELECT * FROM messages')).rejects.toThrow('RESPONSE_TOO_LARGE');
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

test('A backup that cannot be made is told of after its third try, and begun again an hour later', async () => {
  const createMultipartUpload: R2Bucket['createMultipartUpload'] = bucket.files.createMultipartUpload.bind(
    bucket.files,
  );
  const broken = {
    ...env,
    FILES: {
      head: (key: string) => bucket.files.head(key),
      get: (key: string) => bucket.files.get(key),
      put: (key: string, value: Uint8Array) => bucket.files.put(key, value),
      delete: (key: string) => bucket.files.delete(key),
      createMultipartUpload,
      resumeMultipartUpload: () => ({
        uploadPart: () => Promise.reject(new TypeError('The bucket is away.')),
        abort: () => Promise.resolve(),
      }),
    } as unknown as R2Bucket,
  };
  for (const fails of [false, false, true]) {
    await makeBackup(broken, silent);
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
  const resume: R2Bucket['resumeMultipartUpload'] = bucket.files.resumeMultipartUpload.bind(bucket.files);
  const failing = {
    head: (key: string) => bucket.files.head(key),
    get: (key: string) => bucket.files.get(key),
    put: (key: string, value: Uint8Array) => bucket.files.put(key, value),
    createMultipartUpload: bucket.files.createMultipartUpload.bind(bucket.files),
    resumeMultipartUpload: (key: string, id: string) => {
      const upload = resume(key, id);
      return {
        uploadPart: upload.uploadPart.bind(upload),
        complete: () => Promise.reject(new TypeError('The bucket is away.')),
      };
    },
  };
  await makeBackup({ ...env, FILES: failing as unknown as R2Bucket }, silent);
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

  // A database that was restored from it does not know that it was made; another isolate finds it there.
  const isBackup = eq(jobRuns.name, 'backup');
  await database.db.update(jobRuns).set({ succeededAt: 1 }).where(isBackup);
  vi.resetModules();
  await (await import('#worker/operations/backup.ts')).makeBackup(env, log);
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

test('Every table that a backup treats apart is there', async () => {
  const { rows } = await database.db.$client.execute("SELECT name FROM sqlite_master WHERE type = 'table'");
  expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining([...withoutRows, ...readFirst]));
});

test('What builds have stored that are no more is deleted after a month, a few at a time; what runs stays', async () => {
  const { db } = database;
  const builds = ['running', 'previous', ...Array.from({ length: 7 }, (_, index) => `old${index}`)];
  for (const [age, buildId] of builds.entries()) {
    const renderedAt = Date.now() - (buildId === 'previous' ? 29 : 31 + age) * day;
    await db.insert(pageSets).values({ buildId, revision: 1, renderedAt });
    const page = { buildId, html: '<p>', etag: '"1"', csp: '', revision: 1 };
    await db.insert(pages).values(['/', '/contact'].map((path) => ({ ...page, path })));
    await bucket.files.put(`pages/builds/${buildId}.json`, '{}');
  }
  const left = async () => ({
    sets: (await db.select().from(pageSets)).map(({ buildId }) => buildId),
    pages: new Set((await db.select().from(pages)).map(({ buildId }) => buildId)).size,
    copies: (await bucket.files.list({ prefix: 'pages/' })).objects.length,
  });
  await pruneBuilds(db, bucket.files, silent);
  expect(await left()).toMatchObject({ sets: ['running', 'previous', 'old0', 'old1'], pages: 4, copies: 4 });
  await pruneBuilds(db, bucket.files, silent);
  await pruneBuilds(db, bucket.files, silent);
  expect(await left()).toEqual({ sets: ['running', 'previous'], pages: 2, copies: 2 });
});
