import { type Client, type InValue, LibsqlError } from '@libsql/client';
import { createClient as createHttpClient } from '@libsql/client/http';
import { createClient as createWebClient } from '@libsql/client/web';
import { eq } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/libsql';
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import Database from 'libsql';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import * as z from 'zod';
import { type LibsqlServer, type LibsqlServerOptions, startLibsqlServer } from './server.ts';

let folder: string;
let server: LibsqlServer;
let client: Client;

const databaseFile = () => join(folder, 'data', 'test.db');
/** Replaces the server of the test by one with other options; the data stay. */
const restartWith = async (options: Partial<LibsqlServerOptions>) => {
  await server.close();
  server = await startLibsqlServer({ file: databaseFile(), ...options });
  client = createHttpClient({ url: server.url });
};
const count = async () => (await client.execute('SELECT count(*) FROM item')).rows[0]?.[0];
const post = (path: string, body: unknown) =>
  fetch(`${server.url}${path}`, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
const readAnswer = async (response: Response) =>
  z.object({ baton: z.string().nullable(), results: z.array(z.unknown()) }).parse(await response.json());
/** Gives the server a clock that only `vi.advanceTimersByTime` moves. */
const stopClock = () => {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'],
  });
  onTestFinished(() => void vi.useRealTimers());
};
const firstLine = async (output: Readable): Promise<string> => {
  for await (const line of createInterface(output)) return line;
  throw new Error('The process ended without a word.');
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
  client = createHttpClient({ url: server.url });
  await client.executeMultiple(`
    CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT UNIQUE, amount INTEGER NOT NULL DEFAULT 0);
    CREATE TABLE part (id TEXT PRIMARY KEY, itemId INTEGER REFERENCES item (id)) WITHOUT ROWID;
  `);
});

afterEach(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

describe.each([
  ['http', createHttpClient],
  ['web', createWebClient],
])('Through the %s build of the official client', (_build, createClient) => {
  beforeEach(() => {
    client = createClient({ url: server.url });
  });

  test.each<[string, InValue, string, unknown]>([
    ['null', null, 'null', null],
    ['the smallest integer', -(2n ** 63n), 'integer', -(2n ** 63n)],
    ['the largest integer', 2n ** 63n - 1n, 'integer', 2n ** 63n - 1n],
    ['true', true, 'integer', 1n],
    ['a whole float', 1, 'real', 1],
    ['a float', -0.1, 'real', -0.1],
    ['the empty text', '', 'text', ''],
    ['text of all planes', 'Zinsen 5 % für »Ärzte« 🏦', 'text', 'Zinsen 5 % für »Ärzte« 🏦'],
    ['a blob', Uint8Array.of(0, 1, 254, 255), 'blob', Uint8Array.of(0, 1, 254, 255).buffer],
    ['the empty blob', new Uint8Array(), 'blob', new ArrayBuffer(0)],
  ])('A value comes back as it went in: %s', async (_name, value, type, expected) => {
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

  test('A change tells how many rows it touched and the last row id', async () => {
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

  test('A row id beyond 2^53 is exact', async () => {
    const id = 2n ** 60n + 1n;
    expect((await client.execute('INSERT INTO item (id) VALUES (?)', [id])).lastInsertRowid).toBe(id);
  });

  test('Arguments are found by position and by name', async () => {
    const { rows } = await client.execute({
      sql: 'SELECT :a, @b, $c, :a',
      args: { a: 'x', '@b': 'y', c: 'z' },
    });
    expect(Array.from({ length: 4 }, (_, index) => rows[0]?.[index])).toEqual(['x', 'y', 'z', 'x']);
    const numbered = await client.execute('SELECT ?2 || ?1', ['b', 'a']);
    expect(numbered.rows[0]?.[0]).toBe('ab');
  });

  test('Arguments that are missing or too many are refused, also after a run that had them', async () => {
    await client.execute('SELECT ?, ?', ['a', 'b']);
    expect((await errorOf(client.execute('SELECT ?, ?', ['a']))).code).toBe('ARGS_INVALID');
    expect((await errorOf(client.execute('SELECT ?', ['a', 'b']))).code).toBe('ARGS_INVALID');
    expect((await errorOf(client.execute({ sql: 'SELECT :a', args: { b: 1 } }))).code).toBe('ARGS_INVALID');
  });

  test('A write batch happens whole or not at all', async () => {
    const results = await client.batch(
      ["INSERT INTO item (name) VALUES ('a')", { sql: 'SELECT name FROM item WHERE name = ?', args: ['a'] }],
      'write',
    );
    expect(results.map((result) => result.rows.length)).toEqual([0, 1]);
    const failed = client.batch(
      ["INSERT INTO item (name) VALUES ('b')", "INSERT INTO item (name) VALUES ('a')", 'DELETE FROM item'],
      'write',
    );
    await expect(failed).rejects.toMatchObject({
      code: 'SQLITE_CONSTRAINT',
      statementIndex: 1,
      message: expect.stringContaining('SQLite error: UNIQUE constraint failed: item.name') as unknown,
    });
    expect(await count()).toBe(1);
  });

  test.each(['read', 'deferred'] as const)('A %s batch reads one state of the database', async (mode) => {
    const [first, second] = await client.batch(['SELECT count(*) FROM item', 'SELECT 2'], mode);
    expect([first?.rows[0]?.[0], second?.rows[0]?.[0]]).toEqual([0, 2]);
  });

  test.each([
    ['a duplicate key', 'INSERT INTO item (id) VALUES (1)', 'UNIQUE constraint failed: item.id'],
    ['a duplicate text key', "INSERT INTO part (id) VALUES ('p')", 'UNIQUE constraint failed: part.id'],
    ['a missing value', 'INSERT INTO item (amount) VALUES (NULL)', 'NOT NULL constraint failed: item.amount'],
    ['a foreign key', "INSERT INTO part VALUES ('q', 99)", 'FOREIGN KEY constraint failed'],
  ])('A constraint that fails is told as Turso tells it: %s', async (_name, sql, reason) => {
    await client.batch(['INSERT INTO item (id) VALUES (1)', "INSERT INTO part VALUES ('p', 1)"], 'write');
    await expect(client.execute(sql)).rejects.toMatchObject({
      code: 'SQLITE_CONSTRAINT',
      message: `SQLITE_CONSTRAINT: SQLite error: ${reason}`,
    });
  });

  test('An interactive transaction is seen by others once it is committed', async () => {
    const transaction = await client.transaction('write');
    await transaction.execute("INSERT INTO item (name) VALUES ('a')");
    expect((await transaction.execute('SELECT count(*) FROM item')).rows[0]?.[0]).toBe(1);
    expect(await count()).toBe(0);
    await transaction.commit();
    expect(await count()).toBe(1);
  });

  test('A transaction that is rolled back or closed leaves nothing', async () => {
    const rolledBack = await client.transaction('write');
    await rolledBack.execute("INSERT INTO item (name) VALUES ('a')");
    await rolledBack.rollback();
    const closed = await client.transaction('write');
    await closed.executeMultiple(
      "INSERT INTO item (name) VALUES ('b'); INSERT INTO item (name) VALUES ('c')",
    );
    closed.close();
    await client.execute("INSERT INTO item (name) VALUES ('d')");
    expect(await count()).toBe(1);
  });

  test('An error inside a transaction leaves the transaction open', async () => {
    const transaction = await client.transaction('write');
    await transaction.execute("INSERT INTO item (name) VALUES ('a')");
    expect((await errorOf(transaction.execute("INSERT INTO item (name) VALUES ('a')"))).code).toBe(
      'SQLITE_CONSTRAINT',
    );
    await transaction.commit();
    expect(await count()).toBe(1);
  });

  test('executeMultiple runs every statement up to the first that fails', async () => {
    const work = client.executeMultiple(`
      CREATE TRIGGER doubled AFTER INSERT ON item BEGIN UPDATE item SET amount = 2; SELECT 1; END;
      INSERT INTO item (name) VALUES ('a;b');
      INSERT INTO nowhere VALUES (1);
      INSERT INTO item (name) VALUES ('c');
    `);
    expect((await errorOf(work)).message).toContain('no such table: nowhere');
    expect((await client.execute('SELECT name, amount FROM item')).rows).toMatchObject([
      { name: 'a;b', amount: 2 },
    ]);
  });

  test('migrate changes tables without foreign keys in the way, and leaves them on', async () => {
    await client.batch(['INSERT INTO item (id) VALUES (1)', "INSERT INTO part VALUES ('p', 1)"], 'write');
    await client.migrate(['DROP TABLE item', 'CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT)']);
    expect((await client.execute('SELECT count(*) FROM part')).rows[0]?.[0]).toBe(1);
    expect((await errorOf(client.execute("INSERT INTO part VALUES ('q', 99)"))).code).toBe(
      'SQLITE_CONSTRAINT',
    );
  });

  test('A large result arrives whole', async () => {
    const { rows } = await client.execute(
      "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) SELECT i, printf('%.*c', 100, 'x') FROM n",
    );
    expect(rows).toHaveLength(20_000);
    expect(rows[19_999]?.[0]).toBe(20_000);
  });

  test('A text of 5 MiB comes back whole', async () => {
    const long = 'ä€'.repeat(1024 * 1024);
    const { rows } = await client.execute('SELECT ?', [long]);
    expect(rows[0]?.[0] === long).toBe(true);
  });
});

describe('Streams', () => {
  test('A stream left idle for ten seconds expires, and its next use is told so', async () => {
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

  test('A transaction left idle is rolled back, and its next use is told that it expired', async () => {
    stopClock();
    const transaction = await client.transaction('write');
    await transaction.execute("INSERT INTO item (name) VALUES ('a')");
    vi.advanceTimersByTime(10_000);
    expect((await errorOf(transaction.execute('SELECT 1'))).code).toBe('STREAM_EXPIRED');
    expect(await count()).toBe(0);
  });

  test.each(['write', 'read'] as const)(
    'An interactive %s transaction lives five seconds, however busy it is and whether or not anybody waits',
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

  test('A transaction that timed out takes nothing more of a batch', async () => {
    stopClock();
    const transaction = await client.transaction('write');
    await transaction.execute("INSERT INTO item (name) VALUES ('a')");
    vi.advanceTimersByTime(5_000);
    const late = transaction.batch(["INSERT INTO item (name) VALUES ('b')", 'DELETE FROM part']);
    expect((await errorOf(late)).code).toBe('TRANSACTION_TIMEOUT');
    transaction.close();
    expect(await count()).toBe(0);
  });

  test('A stream may begin one transaction after the other', async () => {
    stopClock();
    const run = async (baton: string | null, sql: string) =>
      readAnswer(await post('/v2/pipeline', { baton, requests: [{ type: 'execute', stmt: { sql } }] }));
    let { baton } = await run(null, 'SELECT 1');
    for (const sql of ['BEGIN', 'COMMIT', 'BEGIN', 'COMMIT']) {
      const answer = await run(baton, sql);
      expect(answer.results).toMatchObject([{ type: 'ok' }]);
      ({ baton } = answer);
      vi.advanceTimersByTime(4_000);
    }
  });

  test('A baton is good once', async () => {
    const begin = { requests: [{ type: 'execute', stmt: { sql: 'BEGIN' } }] };
    const { baton } = await readAnswer(await post('/v2/pipeline', begin));
    const again = { baton, requests: [{ type: 'close' }] };
    expect((await post('/v2/pipeline', again)).status).toBe(200);
    const reused = await post('/v2/pipeline', again);
    expect([reused.status, await reused.text()]).toEqual([400, 'Received an invalid baton']);
  });

  test('A baton that was replaced by a newer one is refused', async () => {
    const first = await readAnswer(await post('/v2/pipeline', { requests: [] }));
    await post('/v2/pipeline', { baton: first.baton, requests: [] });
    const reused = await post('/v2/pipeline', { baton: first.baton, requests: [] });
    expect([reused.status, await reused.text()]).toEqual([
      400,
      'Received a baton that has already been used',
    ]);
  });

  test('Nothing runs on a stream after its close', async () => {
    const requests = [
      { type: 'close' },
      { type: 'execute', stmt: { sql: "INSERT INTO item (name) VALUES ('a')" } },
    ];
    expect((await post('/v2/pipeline', { requests })).status).toBe(400);
    expect(await count()).toBe(0);
  });

  test('What one client sets on its connection does not reach another', async () => {
    await client.execute('PRAGMA foreign_keys = OFF');
    await client.execute('CREATE TEMP TABLE own (x)');
    expect((await errorOf(client.execute("INSERT INTO part VALUES ('q', 99)"))).code).toBe(
      'SQLITE_CONSTRAINT',
    );
    expect((await errorOf(client.execute('SELECT * FROM own'))).message).toContain('no such table: own');
  });
});

describe('Writers', () => {
  test('Fifty increments by ten clients, in all ways to write, lose none', async () => {
    await client.execute('INSERT INTO item (id) VALUES (1)');
    const increment = 'UPDATE item SET amount = amount + 1 WHERE id = 1';
    const ways = [
      (own: Client) => own.execute(increment),
      (own: Client) => own.batch(['SELECT amount FROM item', increment], 'write'),
      async (own: Client) => {
        const transaction = await own.transaction('write');
        const { rows } = await transaction.execute('SELECT amount FROM item WHERE id = 1');
        await transaction.execute({
          sql: 'UPDATE item SET amount = ? WHERE id = 1',
          args: [Number(rows[0]?.[0]) + 1],
        });
        await transaction.commit();
      },
    ];
    const clients = Array.from({ length: 10 }, () => createHttpClient({ url: server.url }));
    await Promise.all(clients.flatMap((own) => [...ways, ...ways].slice(0, 5).map((write) => write(own))));
    expect((await client.execute('SELECT amount FROM item')).rows[0]?.[0]).toBe(50);
  });

  test('A second write transaction waits for the first, while readers go on', async () => {
    const first = await client.transaction('write');
    await first.execute("INSERT INTO item (name) VALUES ('a')");
    const order: string[] = [];
    const second = (async () => {
      const transaction = await client.transaction('write');
      const { rows } = await transaction.execute('SELECT count(*) FROM item');
      order.push(`second sees ${Number(rows[0]?.[0])}`);
      await transaction.commit();
    })();
    order.push(`reader sees ${Number(await count())}`);
    await first.execute("INSERT INTO item (name) VALUES ('b')");
    order.push('first commits');
    await first.commit();
    await second;
    expect(order).toEqual(['reader sees 0', 'first commits', 'second sees 2']);
  });

  test('Those who wait get their turn in the order in which they came', async () => {
    const first = await client.transaction('write');
    await first.execute("INSERT INTO item (id, name) VALUES (1, '')");
    const others: Promise<unknown>[] = [];
    for (const letter of 'abcdefgh') {
      others.push(client.execute('UPDATE item SET name = name || ? WHERE id = 1', [letter]));
      await client.execute('SELECT 1');
    }
    await first.commit();
    await Promise.all(others);
    expect((await client.execute('SELECT name FROM item')).rows[0]?.[0]).toBe('abcdefgh');
  });

  test('A deferred transaction that begins to write also waits', async () => {
    const first = await client.transaction('write');
    await first.execute("INSERT INTO item (name) VALUES ('a')");
    const second = client.batch(["INSERT INTO item (name) VALUES ('b')"], 'deferred');
    expect(await count()).toBe(0);
    await first.commit();
    await second;
    expect(await count()).toBe(2);
  });

  test('A deferred transaction cannot write upon what has changed since it read', async () => {
    const reader = await client.transaction('deferred');
    await reader.execute('SELECT count(*) FROM item');
    await client.execute("INSERT INTO item (name) VALUES ('a')");
    expect((await errorOf(reader.execute("INSERT INTO item (name) VALUES ('b')"))).code).toBe('SQLITE_BUSY');
    reader.close();
  });

  test('Who waits for a transaction that is held too long gets the turn', async () => {
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

  test('The write of a client that leaves while it waits is not done', async () => {
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
  test('What was written is there after a restart', async () => {
    await client.execute("INSERT INTO item (name) VALUES ('a')");
    await restartWith({});
    expect(await count()).toBe(1);
  });

  test('A transaction that is open when the server closes is rolled back, and the file holds all the rest', async () => {
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

  test('Killed in the midst of writes, it has every answered batch, and no half of any', async () => {
    await server.close();
    const program = `
      import { startLibsqlServer } from ${JSON.stringify(new URL('./server.ts', import.meta.url).href)};
      console.log((await startLibsqlServer({ file: process.argv[1] })).url);`;
    let answered = 0;
    for (let round = 0; round < 3; round += 1) {
      const child = spawn(process.execPath, ['--input-type=module', '--eval', program, databaseFile()], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      onTestFinished(() => void child.kill('SIGKILL'));
      const url = await firstLine(child.stdout);
      const writer = createHttpClient({ url });
      const gone = once(child, 'exit');
      const enough = answered + 40;
      const write = async (): Promise<void> => {
        for (;;) {
          const id = crypto.randomUUID();
          await writer.batch(
            [
              { sql: 'INSERT INTO item (name) VALUES (?)', args: [id] },
              { sql: 'INSERT INTO part SELECT ?, last_insert_rowid()', args: [id] },
            ],
            'write',
          );
          answered += 1;
          if (answered === enough) child.kill('SIGKILL');
        }
      };
      await Promise.allSettled([write(), write(), write()]);
      await gone;
    }
    const database = new Database(databaseFile());
    expect(database.pragma('integrity_check')).toEqual([{ integrity_check: 'ok' }]);
    expect(
      database
        .prepare('SELECT count(*) FROM item JOIN part ON itemId = item.id AND name = part.id')
        .raw()
        .get([]),
    ).toEqual(
      database.prepare('SELECT max((SELECT count(*) FROM item), (SELECT count(*) FROM part))').raw().get([]),
    );
    expect(database.prepare('SELECT count(*) >= ? FROM item').raw().get([answered])).toEqual([1]);
    database.close();
    server = await startLibsqlServer({ file: databaseFile() });
  });

  test('A file that is no database is refused at start', async () => {
    await expect(startLibsqlServer({ file: new URL(import.meta.url).pathname })).rejects.toThrow(
      'not a database',
    );
  });
});

describe('Requests', () => {
  test('With a token, only those who have it are let in', async () => {
    await restartWith({ authToken: 'secret' });
    const { url } = server;
    const right = createHttpClient({ url, authToken: 'secret' });
    expect((await right.execute('SELECT 1')).rows).toHaveLength(1);
    for (const authToken of [undefined, 'wrong']) {
      const wrong = createHttpClient(authToken === undefined ? { url } : { url, authToken });
      expect((await errorOf(wrong.execute('SELECT 1'))).message).toContain('HTTP status 401');
    }
  });

  test.each([
    ['no JSON', '{', 'Cannot deserialize client message from JSON'],
    ['no requests', {}, 'requests'],
    ['an unknown request', { requests: [{ type: 'drop' }] }, 'requests[0].type'],
    [
      'an integer that is none',
      {
        requests: [{ type: 'execute', stmt: { sql: 'SELECT ?', args: [{ type: 'integer', value: '1.5' }] } }],
      },
      'An integer is decimal text.',
    ],
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
    ['no SQL', { requests: [{ type: 'execute', stmt: {} }] }, 'Either `sql` or `sql_id` are required'],
    ['an unknown id', { requests: [{ type: 'sequence', sql_id: 5 }] }, 'SQL text 5 not found'],
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
    [
      'a request of version 3',
      { requests: [{ type: 'get_autocommit' }] },
      'only supported in protocol version hrana3',
    ],
  ])('A body with %s is refused with a reason', async (_name, body, reason) => {
    const response = await post('/v2/pipeline', body);
    expect([response.status, response.headers.get('content-type')]).toEqual([400, 'text/plain']);
    expect(await response.text()).toContain(reason);
  });

  test('An answer of more than 10 MB is refused, and the stream goes on', async () => {
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

  test('A batch counts all that its statements give, and a write batch that gives too much is undone', async () => {
    const half = "SELECT printf('%.*c', 5000000, 'x')";
    expect(await client.batch([half, 'SELECT 1'], 'read')).toHaveLength(2);
    const work = client.batch(["INSERT INTO item (name) VALUES ('a')", half, half], 'write');
    expect((await errorOf(work)).code).toBe('RESPONSE_TOO_LARGE');
    expect(await count()).toBe(0);
  });

  test('A body beyond the limit is refused', async () => {
    const response = await post('/v2/pipeline', 'x'.repeat(33 * 1024 * 1024));
    expect([response.status, await response.text()]).toEqual([413, expect.stringContaining('longer than')]);
  });

  test.each([
    ['', 'SQL_NO_STATEMENT'],
    ['-- nothing', 'SQL_NO_STATEMENT'],
    ['DELETE FROM item; DELETE FROM part', 'SQL_MANY_STATEMENTS'],
    ['SELEC 1', 'SQL_PARSE_ERROR'],
    ['SELECT (1', 'SQL_PARSE_ERROR'],
    ["SELECT 'a\0b'", 'SQL_PARSE_ERROR'],
    ['SELECT * FROM nowhere', 'SQLITE_UNKNOWN'],
    ['COMMIT', 'SQLITE_UNKNOWN'],
  ])('A statement that cannot run has the code that sqld gives: %j', async (sql, code) => {
    expect((await errorOf(client.execute(sql))).code).toBe(code);
  });

  test('A batch with a text of two statements runs none of its steps', async () => {
    const work = client.batch(
      ["INSERT INTO item (name) VALUES ('a')", 'DELETE FROM item; DELETE FROM part'],
      'write',
    );
    expect((await errorOf(work)).code).toBe('SQL_MANY_STATEMENTS');
    expect(await count()).toBe(0);
  });

  test('The steps of a batch follow their conditions', async () => {
    const step = (sql: string, condition?: unknown) => ({ stmt: { sql }, condition });
    const ok = (index: number) => ({ type: 'ok', step: index });
    const failed = (index: number) => ({ type: 'error', step: index });
    const steps = [
      step('BEGIN'),
      step('SELECT * FROM nowhere'),
      step("SELECT 'ok'", ok(0)),
      step("SELECT 'error'", failed(1)),
      step("SELECT 'skipped'", ok(1)),
      step("SELECT 'skipped too'", failed(4)),
      step("SELECT 'not'", { type: 'not', cond: ok(4) }),
      step("SELECT 'and'", { type: 'and', conds: [ok(0), failed(1)] }),
      step("SELECT 'skipped as well'", { type: 'and', conds: [ok(0), ok(1)] }),
      step("SELECT 'or'", { type: 'or', conds: [ok(1), ok(0)] }),
      step("SELECT 'skipped: in a transaction'", { type: 'is_autocommit' }),
      step('COMMIT'),
      step("SELECT 'autocommit'", { type: 'is_autocommit' }),
    ];
    const requests = [{ type: 'batch', batch: { steps } }, { type: 'get_autocommit' }, { type: 'close' }];
    const { baton, results } = await readAnswer(await post('/v3/pipeline', { requests }));
    const row = (value: string) => expect.objectContaining({ rows: [[{ type: 'text', value }]] }) as unknown;
    const done = expect.objectContaining({ rows: [] }) as unknown;
    const failure = { message: 'SQLite error: no such table: nowhere', code: 'SQLITE_UNKNOWN' };
    const result = {
      step_results: [
        ...[done, null, row('ok'), row('error'), null, null, row('not')],
        ...[row('and'), null, row('or'), null, done, row('autocommit')],
      ],
      step_errors: steps.map((_, index) => (index === 1 ? failure : null)),
    };
    expect(results).toEqual([
      { type: 'ok', response: { type: 'batch', result } },
      { type: 'ok', response: { type: 'get_autocommit', is_autocommit: true } },
      { type: 'ok', response: { type: 'close' } },
    ]);
    expect(baton).toBeNull();
  });

  test('A statement is described without being run', async () => {
    const describeSql = async (sql: string) => {
      const requests = [{ type: 'describe', sql }, { type: 'close' }];
      return (await readAnswer(await post('/v2/pipeline', { requests }))).results[0];
    };
    const answer = (result: unknown) => ({ type: 'ok', response: { type: 'describe', result } });
    expect(await describeSql('INSERT INTO item (name, amount) VALUES (?, :amount) RETURNING id')).toEqual(
      answer({
        params: [{ name: null }, { name: ':amount' }],
        cols: [{ name: 'id', decltype: 'INTEGER' }],
        is_explain: false,
        is_readonly: false,
      }),
    );
    expect(await describeSql('SELECT name FROM item')).toMatchObject(answer({ is_readonly: true }));
    expect(await describeSql('EXPLAIN DELETE FROM item')).toMatchObject(
      answer({ is_readonly: true, is_explain: true }),
    );
    expect(await count()).toBe(0);
  });

  test('A transaction that explains a statement can still be committed', async () => {
    const transaction = await client.transaction('write');
    await transaction.execute("INSERT INTO item (name) VALUES ('a')");
    expect((await transaction.execute('EXPLAIN INSERT INTO item (name) VALUES (?)')).rows).not.toHaveLength(
      0,
    );
    await transaction.commit();
    expect(await count()).toBe(1);
  });

  test('A change of the schema reaches statements that ran before it', async () => {
    await client.execute("INSERT INTO item (name) VALUES ('a')");
    expect((await client.execute('SELECT * FROM item')).columns).toHaveLength(3);
    await client.execute("ALTER TABLE item ADD COLUMN color TEXT DEFAULT 'red'");
    const { columns, rows } = await client.execute('SELECT * FROM item');
    expect([columns, rows[0]?.['color']]).toEqual([['id', 'name', 'amount', 'color'], 'red']);
  });

  test('The versions that are spoken can be asked for', async () => {
    const statuses = ['/v2', '/v3', '/v3-protobuf', '/'].map(
      async (path) => (await fetch(server.url + path)).status,
    );
    expect(await Promise.all(statuses)).toEqual([200, 200, 404, 404]);
  });
});

test('Drizzle works over it', async () => {
  const item = sqliteTable('item', { id: integer().primaryKey(), name: text(), amount: integer().notNull() });
  const database = drizzle(client);
  await database.batch([
    database.insert(item).values({ name: 'a', amount: 1 }),
    database.insert(item).values({ name: 'b', amount: 2 }),
  ]);
  await database.transaction(async (transaction) => {
    await transaction.update(item).set({ amount: 3 }).where(eq(item.name, 'b'));
  });
  const refused = database.transaction(async (transaction) => {
    await transaction.delete(item);
    transaction.rollback();
  });
  await expect(refused).rejects.toThrow('Rollback');
  expect(await database.select().from(item)).toEqual([
    { id: 1, name: 'a', amount: 1 },
    { id: 2, name: 'b', amount: 3 },
  ]);
});
