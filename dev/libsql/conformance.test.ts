/**
 * What the official client's own test suite requires of a server (tursodatabase/libsql-client-ts,
 * packages/libsql-client/src/__tests__/client.test.ts), rewritten, and without what `server.test.ts` proves.
 */
import { type Client, createClient, type InStatement, LibsqlBatchError, LibsqlError } from '@libsql/client';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type LibsqlServer, startLibsqlServer } from './server.ts';

let folder: string;
let server: LibsqlServer;
let client: Client;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'libsql-conformance-'));
  server = await startLibsqlServer({ file: join(folder, 'test.db') });
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});
beforeEach(async () => {
  client = createClient({ url: server.url });
  await client.batch(['DROP TABLE IF EXISTS t', 'CREATE TABLE t (a UNIQUE)'], 'write');
});
afterEach(() => client.close());

const firstRow = async (executor: Pick<Client, 'execute'>, statement: InStatement) => {
  const { rows } = await executor.execute(statement);
  return Array.from(rows[0] ?? []);
};
const sum = async (executor: Pick<Client, 'execute'> = client) =>
  (await firstRow(executor, 'SELECT coalesce(sum(a), 0) FROM t'))[0];

/** Expects an error of the client or the server and returns it. */
async function refusalOf(work: Promise<unknown>, code?: string): Promise<LibsqlError> {
  const outcome = await work.then(
    () => 'It went well.',
    (error: unknown) => error,
  );
  if (!(outcome instanceof LibsqlError)) throw new TypeError(`No LibsqlError: ${String(outcome)}`);
  if (code !== undefined) expect(outcome.code).toBe(code);
  return outcome;
}

async function expectFailureAt(index: number, work: Promise<unknown>): Promise<void> {
  const refusal = await refusalOf(work);
  expect(refusal).toBeInstanceOf(LibsqlBatchError);
  expect(refusal).toMatchObject({ statementIndex: index, code: expect.any(String) as unknown });
}

test('A statement reports how many rows it inserted when it begins with WITH', async () => {
  await client.execute('INSERT INTO t VALUES (1), (2), (3)');
  const inserted = await client.execute(
    'WITH x (a) AS (SELECT 2 * a FROM t) INSERT INTO t SELECT a + 9 FROM x',
  );
  expect(inserted.rowsAffected).toBe(3);
});

test('An argument is bound by its number, or by its name with or without the sign', async () => {
  const args = ['one', 'two', 'three'];
  expect(await firstRow(client, { sql: 'SELECT ?2, ?, ?1', args })).toEqual(['two', 'three', 'one']);
  for (const sign of [':', '$', '@']) {
    const sql = `SELECT ${sign}b, ${sign}a, ${sign}b || ${sign}a, ?1`;
    const named = { a: 'one', [`${sign}b`]: 'two' };
    expect(await firstRow(client, { sql, args: named })).toEqual(['two', 'one', 'twoone', 'two']);
  }
});

describe('A batch', () => {
  test.each([0, 2])('reports which statement failed: %s', async (index) => {
    const statements = ['SELECT 1', 'SELECT 2', 'SELECT 3'].with(index, 'SELECT foobar');
    await expectFailureAt(index, client.batch(statements, 'read'));
  });

  test('may contain the same statements many times', async () => {
    const statements = Array.from({ length: 4_000 }, (_, index) => ({
      sql: `SELECT ?, ${index % 200}`,
      args: [index],
    }));
    const results = await client.batch(statements, 'read');
    expect(results.map(({ rows }) => Array.from(rows[0] ?? []))).toEqual(
      statements.map((_, index) => [index, index % 200]),
    );
  });
});

describe('An interactive transaction', () => {
  test.each([
    ['commit', 3],
    ['rollback', 0],
    ['close', 0],
  ] as const)('ends with its %s', async (end, expected) => {
    const transaction = await client.transaction('write');
    await transaction.execute('INSERT INTO t VALUES (1)');
    await transaction.execute('INSERT INTO t VALUES (2)');
    expect(transaction.closed).toBe(false);
    await transaction[end]();
    expect(transaction.closed).toBe(true);
    expect(await sum()).toBe(expected);
    await refusalOf(transaction.execute('SELECT 1'), 'TRANSACTION_CLOSED');
  });

  const create = ['DROP TABLE IF EXISTS t', 'CREATE TABLE t (a UNIQUE)'];
  const inserts = [1, 2, 4].map((value) => ({ sql: 'INSERT INTO t VALUES (?)', args: [value] }));

  test('keeps what a batch did before its error, and nothing after it', async () => {
    const transaction = await client.transaction('write');
    await refusalOf(
      transaction.batch([...create, ...inserts, 'INSERT INTO t VALUES (1)', 'INSERT INTO t VALUES (8)']),
    );
    expect(await sum(transaction)).toBe(7);
    await transaction.commit();
    expect(await sum()).toBe(7);
  });

  test('keeps what a script did before its error, and nothing after it', async () => {
    const transaction = await client.transaction('write');
    const work = transaction.executeMultiple(
      `${create.join(';')}; INSERT INTO t VALUES (1), (2), (4); INSERT INTO t VALUES (1); INSERT INTO t VALUES (8)`,
    );
    await refusalOf(work);
    expect(await sum(transaction)).toBe(7);
    await transaction.commit();
  });
});

test('A script that fails inside its transaction keeps what it did before, and leaves nothing behind', async () => {
  await refusalOf(
    client.executeMultiple(
      'INSERT INTO t VALUES (0); BEGIN; INSERT INTO t VALUES (1); INSERT INTO t VALUES (foo()); COMMIT;',
    ),
  );
  expect(await firstRow(client, 'SELECT count(*), sum(a) FROM t')).toEqual([1, 0]);
});
