import {
  type Client,
  type InStatement,
  type InValue,
  LibsqlBatchError,
  LibsqlError,
  type Transaction,
} from '@libsql/client';
import { createClient } from '@libsql/client/http';
import Database from 'libsql';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { type LibsqlServer, type LibsqlServerOptions, startLibsqlServer } from './server.ts';

let folder: string;
let server: LibsqlServer;
let client: Client;

const databaseFile = () => join(folder, 'data', 'test.db');
/** Replaces the test's server with a server that has other options and the same data. */
const restartWith = async (options: Partial<LibsqlServerOptions>) => {
  await server.close();
  server = await startLibsqlServer({ file: databaseFile(), ...options });
  client = createClient({ url: server.url });
};
const count = async () => (await client.execute('SELECT count(*) FROM item')).rows[0]?.[0];
const sumOfIds = async () => (await client.execute('SELECT coalesce(sum(id), 0) FROM item')).rows[0]?.[0];
const post = (path: string, body: unknown) =>
  fetch(`${server.url}${path}`, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
const readAnswer = async (response: Response) =>
  z.object({ baton: z.string().nullable(), results: z.array(z.unknown()) }).parse(await response.json());
/** Gives the server a clock that only `vi.advanceTimersByTime` advances. */
const stopClock = () => {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'],
  });
};
const errorOf = async (work: Promise<unknown>): Promise<LibsqlError> => {
  const outcome = await work.then(
    () => 'It went well.',
    (error: unknown) => error,
  );
  if (!(outcome instanceof LibsqlError)) throw new TypeError(`No LibsqlError: ${String(outcome)}`);
  return outcome;
};

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'libsql-'));
  server = await startLibsqlServer({ file: databaseFile() });
  client = createClient({ url: server.url });
  await client.executeMultiple(`
    CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT UNIQUE, amount INTEGER NOT NULL DEFAULT 0 CONSTRAINT not_negative CHECK (amount >= 0));
    CREATE TABLE part (id TEXT PRIMARY KEY, itemId INTEGER REFERENCES item (id)) WITHOUT ROWID;
  `);
});

afterEach(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

// Includes what the official client's own test suite requires of a server (tursodatabase/libsql-client-ts,
// packages/libsql-client/src/__tests__/client.test.ts).
describe('Through the official client', () => {
  test.each<[string, InValue, string, unknown]>([
    ['null', null, 'null', null],
    ['the smallest integer', -(2n ** 63n), 'integer', -(2n ** 63n)],
    ['the largest integer', 2n ** 63n - 1n, 'integer', 2n ** 63n - 1n],
    ['a whole float', 1, 'real', 1],
    ['a float', -0.1, 'real', -0.1],
    ['the largest number', Number.MAX_VALUE, 'real', Number.MAX_VALUE],
    ['the smallest number', Number.MIN_VALUE, 'real', Number.MIN_VALUE],
    ['text of all planes', 'Zinsen 5 % für »Ärzte« 🏦', 'text', 'Zinsen 5 % für »Ärzte« 🏦'],
    ['text with line ends and tabs', 'a\n\r\t ', 'text', 'a\n\r\t '],
    ['a blob', Uint8Array.of(0, 1, 254, 255), 'blob', Uint8Array.of(0, 1, 254, 255).buffer],
    ['the empty blob', new Uint8Array(), 'blob', new ArrayBuffer(0)],
  ])('A value comes back unchanged: %s', async (_name, value, type, expected) => {
    const exact = createClient({ url: server.url, intMode: 'bigint' });
    const { rows } = await exact.execute('SELECT typeof(?1), ?1', [value]);
    expect([rows[0]?.[0], rows[0]?.[1]]).toEqual([type, expected]);
  });

  test('A result names its columns and their declared types', async () => {
    const { columns, columnTypes } = await client.execute(
      'SELECT name AS title, amount, 1 + 1 AS two FROM item',
    );
    expect(columns).toEqual(['title', 'amount', 'two']);
    expect(columnTypes).toEqual(['TEXT', 'INTEGER', '']);
  });

  test('A change reports how many rows it touched and the last row id', async () => {
    const insert = await client.execute("INSERT INTO item (id, name) VALUES (7, 'a'), (8, 'b')");
    expect([insert.rowsAffected, insert.lastInsertRowid]).toEqual([2, 8n]);
    const returning = await client.execute("INSERT INTO item (name) VALUES ('c') RETURNING id, name");
    expect([returning.rowsAffected, returning.lastInsertRowid, returning.rows[0]?.['id']]).toEqual([
      1,
      9n,
      9,
    ]);
    const update = await client.execute('UPDATE item SET amount = 1 WHERE id > 7');
    expect([update.rowsAffected, update.lastInsertRowid]).toEqual([2, undefined]);
    expect((await client.execute('DELETE FROM item WHERE id = 99')).rowsAffected).toBe(0);
    expect((await client.execute('SELECT * FROM item')).rowsAffected).toBe(0);
  });

  test('A statement with missing or extra arguments is refused, even after a run with the right ones', async () => {
    await client.execute('SELECT ?, ?', ['a', 'b']);
    expect((await errorOf(client.execute('SELECT ?, ?', ['a']))).code).toBe('ARGS_INVALID');
    expect((await errorOf(client.execute('SELECT ?', ['a', 'b']))).code).toBe('ARGS_INVALID');
    expect((await errorOf(client.execute({ sql: 'SELECT :a', args: { b: 1 } }))).code).toBe('ARGS_INVALID');
  });

  test("A statement that the analysis of Turso's server does not know is refused, and changes nothing", async () => {
    const refused = [
      'ANALYZE',
      'REINDEX',
      'VACUUM',
      "ATTACH ':memory:' AS other",
      'CREATE TEMP TABLE own (x)',
      'PRAGMA optimize',
      'PRAGMA journal_mode = DELETE',
      'EXPLAIN PRAGMA wal_checkpoint',
      'SELECT group_concat(name ORDER BY name) FROM item',
    ];
    for (const sql of refused) expect((await errorOf(client.execute(sql))).code, sql).toBe('SQL_PARSE_ERROR');
    const allowed = [
      'PRAGMA journal_mode',
      'PRAGMA main.table_info(item)',
      'VALUES (1)',
      'SELECT count(*) OVER (ORDER BY id), (SELECT name FROM item ORDER BY name) FROM item WHERE id IN (SELECT 1 ORDER BY 1)',
      'WITH one AS (SELECT 1 ORDER BY 1) SELECT * FROM one',
    ];
    for (const sql of allowed) await client.execute(sql);
  });

  test.each([
    ['a duplicate key', 'INSERT INTO item (id) VALUES (1)', 'UNIQUE constraint failed: item.id'],
    ['a missing value', 'INSERT INTO item (amount) VALUES (NULL)', 'NOT NULL constraint failed: item.amount'],
    ['a check', 'INSERT INTO item (amount) VALUES (-1)', 'CHECK constraint failed: not_negative'],
    ['a foreign key', "INSERT INTO part VALUES ('q', 99)", 'FOREIGN KEY constraint failed'],
  ])('A failed constraint has the error that Turso gives: %s', async (_name, sql, reason) => {
    await client.batch(['INSERT INTO item (id) VALUES (1)', "INSERT INTO part VALUES ('p', 1)"], 'write');
    await expect(client.execute(sql)).rejects.toMatchObject({
      code: 'SQLITE_CONSTRAINT',
      message: `SQLITE_CONSTRAINT: SQLite error: ${reason}`,
    });
  });

  test('A statement that begins with WITH reports how many rows it inserted', async () => {
    await client.execute('INSERT INTO item (id) VALUES (1), (2), (3)');
    const inserted = await client.execute(
      'WITH x (id) AS (SELECT 2 * id FROM item) INSERT INTO item (id) SELECT id + 9 FROM x',
    );
    expect(inserted.rowsAffected).toBe(3);
  });

  test('An argument is bound by its number, or by its name with or without the sign', async () => {
    const firstRow = async (statement: InStatement) =>
      Array.from((await client.execute(statement)).rows[0] ?? []);
    const args = ['one', 'two', 'three'];
    expect(await firstRow({ sql: 'SELECT ?2, ?, ?1', args })).toEqual(['two', 'three', 'one']);
    for (const sign of [':', '$', '@']) {
      const sql = `SELECT ${sign}b, ${sign}a, ${sign}b || ${sign}a, ?1`;
      const named = { a: 'one', [`${sign}b`]: 'two' };
      expect(await firstRow({ sql, args: named })).toEqual(['two', 'one', 'twoone', 'two']);
    }
  });

  test.each([0, 2])('A batch reports which statement failed: %s', async (index) => {
    const statements = ['SELECT 1', 'SELECT 2', 'SELECT 3'].with(index, 'SELECT foobar');
    const error = await errorOf(client.batch(statements, 'read'));
    expect(error).toBeInstanceOf(LibsqlBatchError);
    expect(error).toMatchObject({ statementIndex: index, code: 'SQLITE_UNKNOWN' });
  });

  test('A batch may contain the same statements many times', async () => {
    const statements = Array.from({ length: 4_000 }, (_, index) => ({
      sql: `SELECT ?, ${index % 200}`,
      args: [index],
    }));
    const results = await client.batch(statements, 'read');
    expect(results.map(({ rows }) => Array.from(rows[0] ?? []))).toEqual(
      statements.map((_, index) => [index, index % 200]),
    );
  });

  test.each([
    ['commit', 3],
    ['rollback', 0],
    ['close', 0],
  ] as const)('An interactive transaction ends with its %s', async (end, expected) => {
    const transaction = await client.transaction('write');
    await transaction.execute('INSERT INTO item (id) VALUES (1)');
    await transaction.execute('INSERT INTO item (id) VALUES (2)');
    expect(transaction.closed).toBe(false);
    await transaction[end]();
    expect(transaction.closed).toBe(true);
    expect(await sumOfIds()).toBe(expected);
    expect((await errorOf(transaction.execute('SELECT 1'))).code).toBe('TRANSACTION_CLOSED');
  });

  const inserts = [1, 2, 4, 1, 8].map((id) => `INSERT INTO item (id) VALUES (${id})`);
  test.each<[string, (transaction: Transaction) => Promise<unknown>]>([
    ['batch', (transaction) => transaction.batch(inserts)],
    ['script', (transaction) => transaction.executeMultiple(inserts.join(';'))],
  ])(
    'An interactive transaction keeps what a %s did before its error, and nothing after it',
    async (_, work) => {
      const transaction = await client.transaction('write');
      await errorOf(work(transaction));
      await transaction.commit();
      expect(await sumOfIds()).toBe(7);
    },
  );

  test('A script that fails inside its transaction keeps what it did before, and leaves nothing behind', async () => {
    await errorOf(
      client.executeMultiple(
        'INSERT INTO item (id) VALUES (1); BEGIN; INSERT INTO item (id) VALUES (2); SELECT foo(); COMMIT;',
      ),
    );
    expect(await sumOfIds()).toBe(1);
  });

  test('migrate changes tables with foreign keys off, and leaves them on', async () => {
    await client.batch(['INSERT INTO item (id) VALUES (1)', "INSERT INTO part VALUES ('p', 1)"], 'write');
    await client.migrate(['DROP TABLE item', 'CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT)']);
    expect((await client.execute('SELECT count(*) FROM part')).rows[0]?.[0]).toBe(1);
    expect((await errorOf(client.execute("INSERT INTO part VALUES ('q', 99)"))).code).toBe(
      'SQLITE_CONSTRAINT',
    );
  });
});

describe('Streams', () => {
  test('A stream that is idle for ten seconds expires, and its next use reports that', async () => {
    stopClock();
    const open = () => post('/v2/pipeline', { requests: [] }).then(readAnswer);
    const [kept, left] = [await open(), await open()];
    vi.advanceTimersByTime(9_999);
    const goOn = { baton: kept.baton, requests: [] };
    expect((await post('/v2/pipeline', goOn)).status).toBe(200);
    vi.advanceTimersByTime(1);
    const late = await post('/v2/pipeline', { baton: left.baton, requests: [] });
    expect([late.status, await late.json()]).toEqual([
      400,
      { message: 'The stream has expired due to inactivity', code: 'STREAM_EXPIRED' },
    ]);
  });

  test.each(['write', 'read'] as const)(
    'An interactive %s transaction lasts five seconds, even if it is busy and nobody waits',
    async (mode) => {
      stopClock();
      await client.execute("INSERT INTO item (name) VALUES ('a')");
      const transaction = await client.transaction(mode);
      await transaction.execute('SELECT count(*) FROM item');
      vi.advanceTimersByTime(4_999);
      await transaction.execute('SELECT count(*) FROM item');
      if (mode === 'write') await transaction.execute('DELETE FROM item');
      vi.advanceTimersByTime(1);
      expect((await errorOf(transaction.execute('SELECT 1'))).code).toBe('TRANSACTION_TIMEOUT');
      transaction.close();
      expect(await count()).toBe(1);
    },
  );

  test('A baton that was replaced by a newer one is refused', async () => {
    const first = await readAnswer(await post('/v2/pipeline', { requests: [] }));
    await post('/v2/pipeline', { baton: first.baton, requests: [] });
    const reused = await post('/v2/pipeline', { baton: first.baton, requests: [] });
    expect([reused.status, await reused.text()]).toEqual([400, 'Received an invalid baton']);
  });

  test('Settings of one connection do not affect another', async () => {
    await client.execute('PRAGMA foreign_keys = OFF');
    expect((await errorOf(client.execute("INSERT INTO part VALUES ('q', 99)"))).code).toBe(
      'SQLITE_CONSTRAINT',
    );
  });
});

describe('A cursor', () => {
  const read = async (...steps: { sql: string; condition?: object }[]) => {
    const body = {
      baton: null,
      batch: { steps: steps.map(({ sql, condition }) => ({ stmt: { sql }, condition })) },
    };
    const lines = (await (await post('/v3/cursor', body)).text()).trimEnd().split('\n');
    return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  };

  test('sends the result of each step, one entry per line', async () => {
    const ended = { type: 'step_end', affected_row_count: 0, last_insert_rowid: null };
    const entries = await read(
      { sql: 'SELECT 1 AS one UNION SELECT 2 ORDER BY 1' },
      { sql: 'SELECT 1 FROM nowhere' },
      { sql: 'SELECT 3', condition: { type: 'ok', step: 1 } },
      { sql: 'SELECT 4 AS four', condition: { type: 'error', step: 1 } },
    );
    expect(entries).toEqual([
      { baton: null, base_url: null },
      { type: 'step_begin', step: 0, cols: [{ name: 'one', decltype: null }] },
      { type: 'row', row: [{ type: 'integer', value: '1' }] },
      { type: 'row', row: [{ type: 'integer', value: '2' }] },
      ended,
      {
        type: 'step_error',
        step: 1,
        error: { message: 'SQLite error: no such table: nowhere', code: 'SQLITE_UNKNOWN' },
      },
      { type: 'step_begin', step: 3, cols: [{ name: 'four', decltype: null }] },
      { type: 'row', row: [{ type: 'integer', value: '4' }] },
      ended,
    ]);
  });

  test('may send more than a pipeline may answer', async () => {
    const entries = await read({ sql: "SELECT printf('%.*c', 20000000, 'x')" });
    expect(entries).toHaveLength(4);
  });

  test('is refused with a reason if no correct client would send it', async () => {
    const response = await post('/v3/cursor', {
      batch: { steps: [{ stmt: { sql: 'SELECT 1' }, condition: { type: 'ok', step: 0 } }] },
    });
    expect([response.status, await response.text()]).toEqual([
      400,
      'Invalid reference to step in a batch condition',
    ]);
  });
});

describe('Writers', () => {
  test('A deferred transaction cannot write after somebody changed what it read', async () => {
    const reader = await client.transaction('deferred');
    await reader.execute('SELECT count(*) FROM item');
    await client.execute("INSERT INTO item (name) VALUES ('a')");
    expect((await errorOf(reader.execute("INSERT INTO item (name) VALUES ('b')"))).code).toBe('SQLITE_BUSY');
    reader.close();
  });

  test('A waiting writer gets its turn when the transaction before it times out', async () => {
    stopClock();
    const slow = await client.transaction('write');
    await slow.execute("INSERT INTO item (name) VALUES ('slow')");
    const waiting = client.execute("INSERT INTO item (name) VALUES ('waited')");
    await client.execute('SELECT 1');
    vi.advanceTimersByTime(5_000);
    await waiting;
    expect((await errorOf(slow.execute("INSERT INTO item (name) VALUES ('late')"))).code).toBe(
      'TRANSACTION_TIMEOUT',
    );
    slow.close();
    expect((await client.execute('SELECT name FROM item')).rows).toMatchObject([{ name: 'waited' }]);
  });

  test('A write that has waited too long fails with SQLITE_BUSY and does nothing', async () => {
    stopClock();
    const otherProcess = new Database(databaseFile());
    otherProcess.exec('BEGIN IMMEDIATE');
    let error: LibsqlError | undefined;
    void errorOf(client.execute("INSERT INTO item (name) VALUES ('b')")).then((thrown) => (error = thrown));
    while (error === undefined) {
      await client.execute('SELECT 1');
      vi.advanceTimersByTime(1_000);
    }
    expect(error.code).toBe('SQLITE_BUSY');
    otherProcess.close();
    expect(await count()).toBe(0);
  });

  test('The write of a client that disconnects while it waits is not executed', async () => {
    const holder = await client.transaction('write');
    await holder.execute("INSERT INTO item (name) VALUES ('a')");
    const leaving = new AbortController();
    const write = fetch(`${server.url}/v2/pipeline`, {
      method: 'POST',
      signal: leaving.signal,
      body: JSON.stringify({
        requests: [{ type: 'execute', stmt: { sql: "INSERT INTO item (name) VALUES ('gone')" } }],
      }),
    });
    await client.execute('SELECT 1');
    leaving.abort();
    await expect(write).rejects.toThrow('aborted');
    await client.execute('SELECT 1');
    await holder.commit();
    await client.execute("INSERT INTO item (name) VALUES ('b')");
    expect((await client.execute('SELECT name FROM item ORDER BY id')).rows).toMatchObject([
      { name: 'a' },
      { name: 'b' },
    ]);
  });
});

describe('Keeping data', () => {
  test('A transaction that is open when the server closes is rolled back, and the file keeps everything else', async () => {
    await client.execute("INSERT INTO item (name) VALUES ('a')");
    const open = await client.transaction('write');
    await open.execute("INSERT INTO item (name) VALUES ('b')");
    const waiting = errorOf(client.execute("INSERT INTO item (name) VALUES ('c')"));
    await client.execute('SELECT 1');
    await server.close();
    expect((await waiting).code).toBe('SQLITE_BUSY');
    await copyFile(databaseFile(), join(folder, 'copy.db'));
    const copy = new Database(join(folder, 'copy.db'));
    expect(copy.prepare('SELECT name FROM item').raw().all([])).toEqual([['a']]);
    copy.close();
  });
});

describe('Requests', () => {
  test('A server with a token refuses clients without it', async () => {
    await restartWith({ authToken: 'secret' });
    const { url } = server;
    const right = createClient({ url, authToken: 'secret' });
    expect((await right.execute('SELECT 1')).rows).toHaveLength(1);
    for (const authToken of [undefined, 'wrong']) {
      const wrong = createClient(authToken === undefined ? { url } : { url, authToken });
      expect((await errorOf(wrong.execute('SELECT 1'))).message).toContain('HTTP status 401');
    }
  });

  test.each([
    ['invalid JSON', '{', 'Cannot deserialize client message from JSON'],
    ['no requests', {}, 'requests'],
    [
      'an integer of more than 64 bits',
      {
        requests: [
          {
            type: 'execute',
            stmt: { sql: 'SELECT ?', args: [{ type: 'integer', value: '9223372036854775808' }] },
          },
        ],
      },
      'An integer has at most 64 bits.',
    ],
    [
      'a condition on a later step',
      {
        requests: [
          {
            type: 'batch',
            batch: { steps: [{ stmt: { sql: 'SELECT 1' }, condition: { type: 'ok', step: 0 } }] },
          },
        ],
      },
      'Invalid reference to step in a batch condition',
    ],
  ])('A body with %s is refused with a reason', async (_name, body, reason) => {
    const response = await post('/v2/pipeline', body);
    expect([response.status, response.headers.get('content-type')]).toEqual([400, 'text/plain']);
    expect(await response.text()).toContain(reason);
  });

  test('An answer of more than 10 MB is refused, and the stream continues', async () => {
    const text = (length: number) => `SELECT printf('%.*c', ${length}, 'x')`;
    const around = '{"type":"text","value":""}'.length;
    expect((await client.execute(text(10_000_000 - around))).rows).toHaveLength(1);
    const transaction = await client.transaction('write');
    await transaction.execute("INSERT INTO item (name) VALUES ('a')");
    const error = await errorOf(transaction.execute(text(10_000_001 - around)));
    expect([error.code, error.message]).toEqual([
      'RESPONSE_TOO_LARGE',
      'RESPONSE_TOO_LARGE: Response is too large',
    ]);
    await transaction.commit();
    expect(await count()).toBe(1);
    expect((await errorOf(client.execute('SELECT zeroblob(10000001)'))).code).toBe('RESPONSE_TOO_LARGE');
  });

  test('A write batch whose results are too large together is rolled back', async () => {
    const half = "SELECT printf('%.*c', 5000000, 'x')";
    expect(await client.batch([half, 'SELECT 1'], 'read')).toHaveLength(2);
    const work = client.batch(["INSERT INTO item (name) VALUES ('a')", half, half], 'write');
    expect((await errorOf(work)).code).toBe('RESPONSE_TOO_LARGE');
    expect(await count()).toBe(0);
  });

  test.each([
    ['', 'SQL_NO_STATEMENT'],
    ['DELETE FROM item; DELETE FROM part', 'SQL_MANY_STATEMENTS'],
    ['SELEC 1', 'SQL_PARSE_ERROR'],
    ['SELECT * FROM nowhere', 'SQLITE_UNKNOWN'],
  ])('A statement that cannot run has the code that sqld gives: %j', async (sql, code) => {
    expect((await errorOf(client.execute(sql))).code).toBe(code);
  });

  test('A schema change affects statements that ran before it', async () => {
    await client.execute("INSERT INTO item (name) VALUES ('a')");
    expect((await client.execute('SELECT * FROM item')).columns).toHaveLength(3);
    await client.execute("ALTER TABLE item ADD COLUMN color TEXT DEFAULT 'red'");
    const { columns, rows } = await client.execute('SELECT * FROM item');
    expect([columns, rows[0]?.['color']]).toEqual([['id', 'name', 'amount', 'color'], 'red']);
  });
});
