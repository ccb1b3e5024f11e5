/** A separate database for a test. The test backs it up into a bucket and restores it into another database. */
import { createClient, type Client } from '@libsql/client';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { load } from '#deploy/load.ts';
import { newId } from '#contract/ids.ts';
import { accounts, recoveryCodes } from '#worker/accounts/schema.ts';
import type { Env } from '#worker/env.ts';
import type { messages } from '#worker/inbox/schema.ts';
import { dumpDatabase, withoutRows } from '#worker/operations/dump.ts';
import { insertSession } from './accounts.ts';
import { openBucket } from './bucket.ts';
import { openTestDatabase, startDatabase } from './test-database.ts';

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

/**
 * Opens a database with a table of many rows and no row ids. It also has a session and a recovery code, which backups
 * leave out.
 */
export async function openBackups() {
  const database = await openTestDatabase();
  const bucket = await openBucket();
  const env: Env = { ...database.env, FILES: bucket };
  const { db } = database;
  await db.run('CREATE TABLE "no rowid" (a TEXT, b INTEGER, c BLOB, PRIMARY KEY (a, b)) WITHOUT ROWID');
  await db.run(`INSERT INTO "no rowid" WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 1199)
    SELECT i % 3, i, zeroblob(i % 50) FROM n`);
  const account = { id: newId(), email: 'ana@site.test', createdAt: 1 };
  await db.insert(accounts).values(account);
  await insertSession(db, account.email);
  await db.insert(recoveryCodes).values({ id: 'a-hash', accountId: account.id, madeAt: 1 });

  const keys = async () => (await bucket.list({ prefix: 'backups/' })).objects.map(({ key }) => key);

  /** Loads a backup in the bucket into a new database. */
  async function restore(key: string, work: (client: Client) => Promise<void>): Promise<void> {
    const object = await bucket.get(key);
    const bytes = new Uint8Array((await object?.arrayBuffer()) ?? []);
    await loadIntoNew(Readable.from([bytes]).pipe(createGunzip()), ({ client }) => work(client));
  }

  return { database, bucket, env, keys, restore, close: database.close };
}

/**
 * Reads a database into a dump.
 * @param afterFirst runs once reading has begun
 */
export async function dumpOf(
  env: Env,
  afterFirst: () => Promise<void> = () => Promise.resolve(),
): Promise<Uint8Array[]> {
  const pieces: Uint8Array[] = [];
  for await (const text of dumpDatabase(env)) {
    pieces.push(new TextEncoder().encode(text));
    if (pieces.length === 1) await afterFirst();
  }
  return pieces;
}

/** A database that a backup was loaded into. */
interface LoadedDatabase {
  readonly client: Client;
  readonly url: string;
  /** When the backup was created, in ms. */
  readonly at: number;
}

/** Loads a dump into a new database. */
export async function loadIntoNew(
  dump: AsyncIterable<Uint8Array>,
  work: (loaded: LoadedDatabase) => Promise<void>,
): Promise<void> {
  const server = await startDatabase();
  const client = createClient({ url: server.url });
  try {
    await work({ client, url: server.url, at: await load(client, dump) });
  } finally {
    client.close();
    await server.close();
  }
}

/** How many rows each table of a backup has, and a digest of their contents. */
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
