/** A database of a test's own that is backed up into a bucket by runs of the cron, and restored into another database. */
import { createClient, type Client } from '@libsql/client';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { load, type Loaded } from '#deploy/load.ts';
import { startLibsqlServer } from '#dev/libsql/server.ts';
import { newId } from '#contract/ids.ts';
import { accounts, sessions } from '#worker/accounts/schema.ts';
import type { Env } from '#worker/env.ts';
import type { messages } from '#worker/inbox/schema.ts';
import { makeBackup } from '#worker/operations/backup.ts';
import { withoutRows } from '#worker/operations/dump.ts';
import { openBucket } from './bucket.ts';
import { openTestDatabase } from './test-database.ts';

export const message = (text: string): typeof messages.$inferInsert => ({
  _id: newId(),
  name: "O'Brien",
  email: 'ana@site.test',
  number: '',
  subject: 'Line\none \u2028 two',
  message: text,
  messageStatus: 'UnRead',
  receivedAt: 1,
});

/** With a table of many rows and no row ids, and a session, of which a backup holds nothing. */
export async function openBackups() {
  const database = await openTestDatabase();
  const bucket = await openBucket();
  const env: Env = { ...database.env, FILES: bucket.files };
  const { db } = database;
  await db.run('CREATE TABLE "no rowid" (a TEXT, b INTEGER, c BLOB, PRIMARY KEY (a, b)) WITHOUT ROWID');
  await db.run(`INSERT INTO "no rowid" WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 1199)
    SELECT i % 3, i, zeroblob(i % 50) FROM n`);
  const account = { id: newId(), email: 'ana@site.test', createdAt: 1 };
  await db.insert(accounts).values(account);
  const device = 'Firefox on Windows';
  await db.insert(sessions).values({
    id: 's',
    _id: 's',
    accountId: account.id,
    passwordVersion: 1,
    createdAt: 1,
    lastUsedAt: 1,
    device,
  });

  const keys = async () => (await bucket.files.list({ prefix: 'backups/' })).objects.map(({ key }) => key);

  /** Runs of the cron, each as short as can be, until the backup is there. @returns how many it took */
  async function runUntilMade(meanwhile: (run: number) => Promise<unknown> = () => Promise.resolve()) {
    for (let run = 1; ; run += 1) {
      await makeBackup(env, () => undefined, { runMs: 0 });
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

  return {
    database,
    bucket,
    env,
    keys,
    runUntilMade,
    restore,
    close: async () => {
      await database.close();
      await bucket.close();
    },
  };
}

/** How many rows each table of a backup has, and what they hold together. */
export async function contentsOf(client: Client): Promise<Record<string, unknown>> {
  const { rows } = await client.execute(
    `SELECT of.name AS "table", group_concat('quote("' || info.name || '")', '||') AS columns
     FROM sqlite_master AS of, pragma_table_info(of.name) AS info
     WHERE of.type = 'table' AND of.name NOT LIKE 'customer_search%' GROUP BY 1`,
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
