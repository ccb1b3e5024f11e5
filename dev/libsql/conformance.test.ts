/**
 * What the official client's own test suite asks of a server (tursodatabase/libsql-client-ts,
 * packages/libsql-client/src/__tests__/client.test.ts), case by case in our own words: the cases that apply to a
 * server of Hrana 2 over HTTP, as sqld is one, and those that the client answers by itself.
 */
import {
  type Client,
  type Config,
  createClient,
  type InStatement,
  type InValue,
  type IntMode,
  LibsqlBatchError,
  LibsqlError,
} from '@libsql/client';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
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
  client = open();
  await client.batch(['DROP TABLE IF EXISTS t', 'CREATE TABLE t (a UNIQUE)'], 'write');
});

/** A client that is closed with its test. */
function open(config: Partial<Config> = {}): Client {
  const opened = createClient({ url: server.url, ...config });
  onTestFinished(() => opened.close());
  return opened;
}

const firstRow = async (executor: Pick<Client, 'execute'>, statement: InStatement) => {
  const { rows } = await executor.execute(statement);
  return Array.from(rows[0] ?? []);
};
const sum = async (executor: Pick<Client, 'execute'> = client) =>
  (await firstRow(executor, 'SELECT coalesce(sum(a), 0) FROM t'))[0];

/** Expects a refusal by the client or the server, and answers it. */
async function refusalOf(work: Promise<unknown>, code?: string): Promise<LibsqlError> {
  const outcome = await work.then(
    () => 'It went well.',
    (error: unknown) => error,
  );
  if (!(outcome instanceof LibsqlError)) throw new TypeError(`No LibsqlError: ${String(outcome)}`);
  if (code !== undefined) expect(outcome.code).toBe(code);
  return outcome;
}

/** Expects a batch to fail at one of its statements. */
async function expectFailureAt(index: number, work: Promise<unknown>): Promise<void> {
  const refusal = await refusalOf(work);
  expect(refusal).toBeInstanceOf(LibsqlBatchError);
  expect(refusal).toMatchObject({ statementIndex: index, code: expect.any(String) as unknown });
}

describe('An address that cannot be right is refused before anything is sent', () => {
  test.each<[string, string, string, RegExp]>([
    ['another protocol', 'ftp://localhost', 'URL_SCHEME_NOT_SUPPORTED', /"ftp:"/],
    ['a parameter that nobody knows', 'ws://localhost?foo=bar', 'URL_PARAM_NOT_SUPPORTED', /"foo"/],
    ['no TLS and no port', 'libsql://localhost?tls=0', 'URL_INVALID', /port/],
    ['a TLS that is neither on nor off', 'libsql://localhost?tls=yes', 'URL_INVALID', /"tls".*"yes"/],
  ])('%s', (_name, url, code, reason) => {
    expect(() => createClient({ url })).toThrow(expect.objectContaining({ code }) as Error);
    expect(() => createClient({ url })).toThrow(reason);
  });

  test('A TLS that contradicts the protocol', () => {
    for (const url of ['ws://h?tls=1', 'wss://h?tls=0', 'http://h?tls=1', 'https://h?tls=0'])
      expect(() => createClient({ url })).toThrow(/TLS/);
  });

  test('An address in the place of the settings', () => {
    expect(() => createClient('ws://localhost' as unknown as Config)).toThrow(/as object, got string/);
  });

  test('An unknown way to read integers', () => {
    expect(() => open({ intMode: 'foo' as IntMode })).toThrow(/"foo"/);
  });

  test('A database in memory is an address too', () => {
    expect(() => open({ url: ':memory:' })).not.toThrow();
  });
});

describe('One statement', () => {
  test('gives a single value, its column and no type for what is computed', async () => {
    const { rows, columns, columnTypes } = await client.execute('SELECT 42');
    expect([columns.length, columnTypes.length, rows.length, rows[0]?.length, rows[0]?.[0]]).toEqual([
      1, 1, 1, 1, 42,
    ]);
  });

  test('gives a row that is read by position and by name', async () => {
    const { rows, columns, columnTypes } = await client.execute(
      "SELECT 1 AS one, 'two' AS two, 0.5 AS three",
    );
    expect([columns, columnTypes]).toEqual([
      ['one', 'two', 'three'],
      ['', '', ''],
    ]);
    expect(Array.from(rows[0] ?? [])).toEqual([1, 'two', 0.5]);
    expect(Object.entries(rows[0] ?? {})).toEqual([
      ['one', 1],
      ['two', 'two'],
      ['three', 0.5],
    ]);
  });

  test('gives several rows in order', async () => {
    const { rows } = await client.execute("VALUES (1, 'one'), (2, 'two'), (3, 'three')");
    expect(rows.map((row) => Array.from(row))).toEqual([
      [1, 'one'],
      [2, 'two'],
      [3, 'three'],
    ]);
  });

  test('that cannot run is refused', async () => {
    await refusalOf(client.execute('SELECT foobar'));
  });

  test('tells how many rows it inserted', async () => {
    expect((await client.execute('INSERT INTO t VALUES (1), (2)')).rowsAffected).toBe(2);
  });

  test('tells how many rows it deleted', async () => {
    await client.execute('INSERT INTO t VALUES (1), (2), (3), (4), (5)');
    expect((await client.execute('DELETE FROM t WHERE a >= 3')).rowsAffected).toBe(3);
  });

  test('tells how many rows it inserted when it opens with WITH', async () => {
    await client.execute('INSERT INTO t VALUES (1), (2), (3)');
    const inserted = await client.execute(
      'WITH x (a) AS (SELECT 2 * a FROM t) INSERT INTO t SELECT a + 9 FROM x',
    );
    expect(inserted.rowsAffected).toBe(3);
  });

  test.each([
    ['on the server', undefined],
    ['in memory', ':memory:'],
  ])('tells the row id under which its row is found again, %s', async (_where, url) => {
    const own = open(url === undefined ? {} : { url });
    await own.batch(
      ['DROP TABLE IF EXISTS t', 'CREATE TABLE t (a)', "INSERT INTO t VALUES ('one'), ('two')"],
      'write',
    );
    const { lastInsertRowid = null } = await own.execute("INSERT INTO t VALUES ('three')");
    expect(await firstRow(own, { sql: 'SELECT a FROM t WHERE rowid = ?', args: [lastInsertRowid] })).toEqual([
      'three',
    ]);
  });

  test('gives what it is asked to return of an insert', async () => {
    const { rows, columns, columnTypes } = await client.execute(
      "INSERT INTO t VALUES (1) RETURNING 42 AS x, 'foo' AS y",
    );
    expect([columns, columnTypes, Array.from(rows[0] ?? [])]).toEqual([
      ['x', 'y'],
      ['', ''],
      [42, 'foo'],
    ]);
  });

  test('goes on after a transaction in a memory that connections share', async () => {
    const memory = open({ url: 'file::memory:?cache=shared' });
    await memory.execute('CREATE TABLE shared (a)');
    (await memory.transaction()).close();
    expect((await memory.execute('SELECT * FROM shared')).rows).toEqual([]);
  });
});

describe('A value comes back as it went in', () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, index) => index ^ 0xab);
  type RoundTrip = [name: string, intMode: IntMode | undefined, passed: InValue, expected: unknown];
  const numbers: [string, number][] = [
    ['zero', 0],
    ['a whole number', -2023],
    ['a fraction', 12.345],
    ['a large number', 1e18],
    ['a large negative number', -1e18],
    ['the largest number', Number.MAX_VALUE],
    ['the most negative number', -Number.MAX_VALUE],
    ['the smallest number', Number.MIN_VALUE],
  ];
  const integers = [0n, -42n, 1152921504608088318n, -1152921504594532842n, 2n ** 63n - 1n, -(2n ** 63n)];
  const modes: (IntMode | undefined)[] = ['bigint', 'number', 'string', undefined];
  const asMode = (value: 0 | 1, mode: IntMode | undefined) =>
    mode === 'bigint' ? BigInt(value) : mode === 'string' ? String(value) : value;

  test.each<RoundTrip>([
    ['text', undefined, 'boomerang', 'boomerang'],
    ['text with line ends and tabs', undefined, 'a\n\r\t ', 'a\n\r\t '],
    [
      'text with accents',
      undefined,
      'Žatecký chmel – čtvrť, über, ñandú',
      'Žatecký chmel – čtvrť, über, ñandú',
    ],
    ...(['number', 'bigint', 'string'] as const).flatMap((mode) =>
      numbers.map(([name, value]): RoundTrip => [name, mode, value, value]),
    ),
    ...[0n, -42n, 2n ** 53n - 1n].map((value): RoundTrip => [
      `integer ${value}`,
      'number',
      value,
      Number(value),
    ]),
    ...integers.map((value): RoundTrip => [`integer ${value}`, 'bigint', value, value]),
    ...integers.map((value): RoundTrip => [`integer ${value}`, 'string', value, String(value)]),
    ['a buffer', undefined, bytes.buffer, bytes.buffer],
    ['bytes', undefined, bytes, bytes.buffer],
    ['null', undefined, null, null],
    ...modes.map((mode): RoundTrip => ['true', mode, true, asMode(1, mode)]),
    ...modes.map((mode): RoundTrip => ['false', mode, false, asMode(0, mode)]),
    ['a date, in milliseconds', 'bigint', new Date('2023-01-02T12:34:56Z'), 1672662896000],
  ])('%s, integers read as %s', async (_name, intMode, passed, expected) => {
    const own = open(intMode === undefined ? {} : { intMode });
    const { rows } = await own.execute({ sql: 'SELECT ?', args: [passed] });
    expect(rows[0]?.[0]).toStrictEqual(expected);
  });

  test.each<[string, unknown, ErrorConstructor | RangeErrorConstructor | TypeErrorConstructor]>([
    ['an integer one beyond what a number holds', 2n ** 53n, RangeError],
    ['an integer far beyond what a number holds', -1152921504594532842n, RangeError],
    ['undefined', undefined, TypeError],
    ['no number', NaN, RangeError],
    ['infinity', Infinity, RangeError],
    ['an integer of more than 64 bits', -(2n ** 100n), RangeError],
  ])('or not at all: %s', async (_name, passed, refusal) => {
    const work = open({ intMode: 'number' }).execute({ sql: 'SELECT ?', args: [passed as InValue] });
    await expect(work).rejects.toBeInstanceOf(refusal);
  });

  test.each([2n ** 63n - 1n, -(2n ** 63n)])('and is an integer of SQLite: %s', async (value) => {
    expect(await firstRow(client, { sql: "SELECT ? || ''", args: [value] })).toEqual([String(value)]);
  });
});

describe('A result as JSON', () => {
  test('is columns, types, rows and counts', async () => {
    const result = await client.execute('SELECT 1 AS a');
    const json = { columns: ['a'], columnTypes: [''], rows: [[1]], rowsAffected: 0, lastInsertRowid: null };
    expect(result.toJSON()).toStrictEqual(json);
    expect(JSON.stringify(result)).toBe(JSON.stringify(json));
  });

  test('has the last row id as text', async () => {
    await client.batch(['DROP TABLE t', 'CREATE TABLE t (id INTEGER PRIMARY KEY NOT NULL)'], 'write');
    expect((await client.execute('INSERT INTO t VALUES (12345)')).toJSON()).toStrictEqual({
      columns: [],
      columnTypes: [],
      rows: [],
      rowsAffected: 1,
      lastInsertRowid: '12345',
    });
  });

  test('has no types for computed values, and blobs as base64', async () => {
    const result = await client.execute("SELECT 42 AS i, 0.5 AS f, NULL AS n, 'foo' AS t, X'626172' AS b");
    expect(result.toJSON()).toMatchObject({
      columns: ['i', 'f', 'n', 't', 'b'],
      columnTypes: ['', '', '', '', ''],
      rows: [[42, 0.5, null, 'foo', 'YmFy']],
    });
  });

  test('has the declared types of columns', async () => {
    await client.batch(
      [
        'DROP TABLE t',
        'CREATE TABLE t (i INTEGER, f FLOAT, t TEXT, b BLOB)',
        "INSERT INTO t VALUES (42, 0.5, 'foo', X'626172')",
      ],
      'write',
    );
    expect((await client.execute('SELECT i, f, t, b FROM t LIMIT 1')).toJSON()).toMatchObject({
      columnTypes: ['INTEGER', 'FLOAT', 'TEXT', 'BLOB'],
      rows: [[42, 0.5, 'foo', 'YmFy']],
    });
  });

  test('has exact integers as text', async () => {
    expect((await open({ intMode: 'bigint' }).execute('SELECT 42')).toJSON()).toMatchObject({
      rows: [['42']],
    });
  });
});

describe('An argument finds its parameter', () => {
  test.each<[string, string, string[], string[]]>([
    ['in order', 'SELECT ?, ?', ['one', 'two'], ['one', 'two']],
    ['by number', 'SELECT ?2, ?3, ?1', ['one', 'two', 'three'], ['two', 'three', 'one']],
    ['by number, one unused', 'SELECT ?3, ?1', ['one', 'two', 'three'], ['three', 'one']],
    ['in order after a number', 'SELECT ?2, ?, ?3', ['one', 'two', 'three'], ['two', 'three', 'three']],
  ])('%s', async (_name, sql, args, expected) => {
    expect(await firstRow(client, { sql, args })).toEqual(expected);
  });

  describe.each([':', '@', '$'])('by name after %s', (sign) => {
    const args = { a: 'one', [`${sign}b`]: 'two' };
    test.each([
      ['given with and without the sign', `SELECT ${sign}b, ${sign}a`, ['two', 'one']],
      ['used more than once', `SELECT ${sign}b, ${sign}a, ${sign}b || ${sign}a`, ['two', 'one', 'twoone']],
      ['and again by the number that the name has', `SELECT ${sign}b, ${sign}a, ?1`, ['two', 'one', 'two']],
    ])('%s', async (_name, sql, expected) => {
      expect(await firstRow(client, { sql, args })).toEqual(expected);
    });
  });
});

describe('A batch', () => {
  test('gives a result for each statement', async () => {
    const results = await client.batch(
      [
        'SELECT 1+1',
        'SELECT 1 AS one, 2 AS two',
        { sql: 'SELECT ?', args: ['x'] },
        { sql: 'VALUES (?), (?)', args: ['big', 'ben'] },
      ],
      'read',
    );
    expect(results.map(({ rows }) => rows.map((row) => Array.from(row)))).toEqual([
      [[2]],
      [[1, 2]],
      [['x']],
      [['big'], ['ben']],
    ]);
  });

  test('runs its statements one after the other', async () => {
    const select = 'SELECT * FROM u ORDER BY a';
    const results = await client.batch(
      [
        'CREATE TABLE u (a, b)',
        "INSERT INTO u VALUES (1, 'one')",
        select,
        "INSERT INTO u VALUES (2, 'two')",
        select,
        'DROP TABLE u',
      ],
      'write',
    );
    expect(results[2]?.rows).toEqual([{ a: 1, b: 'one' }]);
    expect(results[4]?.rows).toEqual([
      { a: 1, b: 'one' },
      { a: 2, b: 'two' },
    ]);
  });

  test('is a transaction: a hundred at once never see half of one another', async () => {
    await client.batch(['DROP TABLE IF EXISTS u', 'CREATE TABLE u (a)'], 'write');
    const count = 100;
    const add = async (value: number) => {
      const [, , one, ten] = await client.batch(
        [
          { sql: 'INSERT INTO t VALUES (?)', args: [value] },
          { sql: 'INSERT INTO u VALUES (?)', args: [value * 10] },
          'SELECT sum(a) FROM t',
          'SELECT sum(a) FROM u',
        ],
        'write',
      );
      expect(ten?.rows[0]?.[0]).toBe(Number(one?.rows[0]?.[0]) * 10);
    };
    await Promise.all(Array.from({ length: count }, (_, value) => add(value)));
    expect(await sum()).toBe((count * (count - 1)) / 2);
    expect(await firstRow(client, 'SELECT sum(a) FROM u')).toEqual([count * (count - 1) * 5]);
  });

  test('with a statement that cannot run is refused', async () => {
    await refusalOf(client.batch(['SELECT 1+1', 'SELECT foobar'], 'read'));
  });

  test('that fails leaves nothing', async () => {
    await client.execute('INSERT INTO t VALUES (1)');
    await refusalOf(
      client.batch(['INSERT INTO t VALUES (2)', 'SELECT foobar', 'INSERT INTO t VALUES (4)'], 'write'),
    );
    expect(await sum()).toBe(1);
  });

  test.each([0, 1, 2])('says which statement failed: %s', async (index) => {
    const statements = ['SELECT 1', 'SELECT 2', 'SELECT 3'].with(index, 'SELECT foobar');
    await expectFailureAt(index, client.batch(statements, 'read'));
  });

  test('says which of its writes failed, and undoes the others', async () => {
    await client.execute('INSERT INTO t VALUES (1)');
    const inserts = [2, 3, 1, 4].map((value) => `INSERT INTO t VALUES (${value})`);
    await expectFailureAt(2, client.batch(inserts, 'write'));
    expect(await sum()).toBe(1);
  });

  test('says which statement failed in memory too', async () => {
    const memory = open({ url: ':memory:' });
    await memory.execute('CREATE TABLE t (a)');
    const work = memory.batch(
      ['INSERT INTO t VALUES (1)', 'SELECT foobar FROM t', 'INSERT INTO t VALUES (2)'],
      'write',
    );
    await expectFailureAt(1, work);
  });

  test('may hold a thousand different statements', async () => {
    const results = await client.batch(
      Array.from({ length: 1_000 }, (_, index) => `SELECT ${index}`),
      'read',
    );
    expect(results.map(({ rows }) => rows[0]?.[0])).toEqual(results.map((_, index) => index));
  });

  test('may hold the same statements many times', async () => {
    const statements = Array.from({ length: 4_000 }, (_, index) => ({
      sql: `SELECT ?, ${index % 200}`,
      args: [index],
    }));
    const results = await client.batch(statements, 'read');
    expect(results.map(({ rows }) => Array.from(rows[0] ?? []))).toEqual(
      statements.map((_, index) => [index, index % 200]),
    );
  });

  test('may begin to write when it comes to it', async () => {
    const results = await client.batch(
      [
        'SELECT 1+1',
        'DROP TABLE IF EXISTS u',
        'CREATE TABLE u (a)',
        'INSERT INTO u VALUES (21) RETURNING 2*a',
      ],
      'deferred',
    );
    expect(results.map(({ rows }) => rows[0]?.[0])).toEqual([2, undefined, undefined, 42]);
  });
});

describe('An interactive transaction', () => {
  test('reads', async () => {
    const transaction = await client.transaction('read');
    const { rows } = await transaction.execute("VALUES (1, 'one'), (2, 'two'), (3, 'three')");
    expect(rows.map((row) => Array.from(row))).toEqual([
      [1, 'one'],
      [2, 'two'],
      [3, 'three'],
    ]);
    transaction.close();
  });

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

  test('goes on after an error', async () => {
    const transaction = await client.transaction('write');
    await refusalOf(transaction.execute('SELECT foo'));
    await transaction.execute('INSERT INTO t VALUES (1)');
    await refusalOf(transaction.execute('SELECT bar'));
    await transaction.commit();
    expect(await sum()).toBe(1);
  });

  test.each(['commit', 'rollback'] as const)('may end with its %s before it began', async (end) => {
    const transaction = await client.transaction('read');
    await transaction[end]();
    expect(transaction.closed).toBe(true);
  });

  const create = ['DROP TABLE IF EXISTS t', 'CREATE TABLE t (a UNIQUE)'];
  const inserts = [1, 2, 4].map((value) => ({ sql: 'INSERT INTO t VALUES (?)', args: [value] }));

  test('begins with a batch', async () => {
    const transaction = await client.transaction('write');
    await transaction.batch([...create, ...inserts]);
    expect(await sum(transaction)).toBe(7);
    transaction.close();
  });

  test('goes on with a batch', async () => {
    const transaction = await client.transaction('write');
    await transaction.execute('DROP TABLE t');
    await transaction.batch([...create.slice(1), ...inserts]);
    expect(await sum(transaction)).toBe(7);
    transaction.close();
  });

  test('keeps what a batch did before its error, and nothing after', async () => {
    const transaction = await client.transaction('write');
    await refusalOf(
      transaction.batch([...create, ...inserts, 'INSERT INTO t VALUES (1)', 'INSERT INTO t VALUES (8)']),
    );
    expect(await sum(transaction)).toBe(7);
    await transaction.commit();
    expect(await sum()).toBe(7);
  });

  test('says which statement of a batch failed, and goes on', async () => {
    const transaction = await client.transaction('write');
    const work = transaction.batch([
      ...create,
      'INSERT INTO t VALUES (1), (2)',
      'INSERT INTO t VALUES (1)',
      'SELECT 1',
    ]);
    await expectFailureAt(3, work);
    expect(await sum(transaction)).toBe(3);
    await transaction.commit();
  });

  test.each([0, 2])('says which statement of a batch failed while it only reads: %s', async (index) => {
    const transaction = await client.transaction('read');
    const statements = ['SELECT 1', 'SELECT 2', 'SELECT 3', 'SELECT 4'].with(index, 'SELECT foobar');
    await expectFailureAt(index, transaction.batch(statements));
    transaction.close();
  });

  test('begins with a script', async () => {
    const transaction = await client.transaction('write');
    await transaction.executeMultiple(`${create.join(';')}; INSERT INTO t VALUES (1), (2), (4), (8);`);
    expect(await sum(transaction)).toBe(15);
    transaction.close();
  });

  test('goes on with a script', async () => {
    const transaction = await client.transaction('write');
    await transaction.execute('DROP TABLE t');
    await transaction.executeMultiple('CREATE TABLE t (a); INSERT INTO t VALUES (1), (2), (4), (8);');
    expect(await sum(transaction)).toBe(15);
    transaction.close();
  });

  test('keeps what a script did before its error, and nothing after', async () => {
    const transaction = await client.transaction('write');
    const work = transaction.executeMultiple(
      `${create.join(';')}; INSERT INTO t VALUES (1), (2), (4); INSERT INTO t VALUES (1); INSERT INTO t VALUES (8)`,
    );
    await refusalOf(work);
    expect(await sum(transaction)).toBe(7);
    await transaction.commit();
  });
});

describe('A script', () => {
  test('runs all its statements', async () => {
    await client.executeMultiple(
      'DROP TABLE t; CREATE TABLE t (a); INSERT INTO t VALUES (1), (2), (4), (8);',
    );
    expect(await sum()).toBe(15);
  });

  test('stops at an error', async () => {
    await refusalOf(
      client.executeMultiple(
        'INSERT INTO t VALUES (1), (2), (4); INSERT INTO t VALUES (foo()); INSERT INTO t VALUES (8);',
      ),
    );
    expect(await sum()).toBe(7);
  });

  test('may hold a transaction', async () => {
    await client.executeMultiple(
      'BEGIN; INSERT INTO t VALUES (1), (2), (4); INSERT INTO t VALUES (8), (16); COMMIT;',
    );
    expect(await sum()).toBe(31);
  });

  test('that stops within its transaction leaves nothing of it', async () => {
    await refusalOf(
      client.executeMultiple(
        'INSERT INTO t VALUES (0); BEGIN; INSERT INTO t VALUES (1); INSERT INTO t VALUES (foo()); COMMIT;',
      ),
    );
    expect(await firstRow(client, 'SELECT count(*), sum(a) FROM t')).toEqual([1, 0]);
  });
});

test('A client may bring its own fetch', async () => {
  let requests = 0;
  const own = open({
    fetch: (request: Request) => {
      requests += 1;
      return fetch(request);
    },
  });
  expect(await firstRow(own, 'SELECT 42')).toEqual([42]);
  expect(requests).toBeGreaterThan(0);
});

describe('A local file', () => {
  const busyTimeout = async (own: Client) => (await own.execute('PRAGMA busy_timeout')).rows[0]?.['timeout'];
  const file = (name: string) => `file:${join(folder, name)}`;

  test('is waited for as long as it is told', async () => {
    expect(await busyTimeout(open({ url: file('a.db'), timeout: 5_000 }))).toBe(5_000);
  });

  test('is waited for as long after a transaction', async () => {
    const own = open({ url: file('b.db'), timeout: 5_000 });
    const transaction = await own.transaction('write');
    await transaction.execute('CREATE TABLE t (a)');
    await transaction.commit();
    expect(await busyTimeout(own)).toBe(5_000);
  });

  test('that stays locked refuses a write, at once or after the wait', async () => {
    const url = file('c.db');
    const holder = open({ url });
    await holder.execute('CREATE TABLE t (a)');
    const lock = await holder.transaction('write');
    await lock.execute('INSERT INTO t VALUES (1)');
    await refusalOf(open({ url }).execute('INSERT INTO t VALUES (2)'), 'SQLITE_BUSY');
    await refusalOf(open({ url, timeout: 50 }).execute('INSERT INTO t VALUES (3)'), 'SQLITE_BUSY');
    await lock.rollback();
  });
});

test.each([
  [
    'a primary key',
    'CREATE TABLE u (id INTEGER PRIMARY KEY, name TEXT)',
    "INSERT INTO u VALUES (1, 'again')",
  ],
  ['a unique column', 'CREATE TABLE u (id INTEGER, name TEXT UNIQUE)', "INSERT INTO u VALUES (2, 'first')"],
])('A value that is there already is refused by its code: %s', async (_name, create, again) => {
  await client.batch(['DROP TABLE IF EXISTS u', create, "INSERT INTO u VALUES (1, 'first')"], 'write');
  await refusalOf(client.execute(again), 'SQLITE_CONSTRAINT');
});
