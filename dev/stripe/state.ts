/**
 * The emulator's state, in one SQLite file or in memory. In a file, payments, undelivered webhooks and idempotency keys
 * survive a restart, and even a killed process. The changes of a call are one transaction.
 */
import { DatabaseSync } from 'node:sqlite';
import * as z from 'zod';
import { StripeFault } from './errors.ts';
import { aheadBy, type StoredObject } from './objects.ts';

export type Kinds = { [Each in StoredObject as Each['object']]: Each };
export type Kind = keyof Kinds;

export interface Selection {
  /** Values, or lists of possible values, by the path of their field, such as `payment_intent` or `payment.type`. */
  fields?: Record<string, readonly string[] | number | string | undefined>;
  /** Only objects created from `gte` to `lte`, in Unix seconds. */
  created?: { gte: number; lte?: number | undefined } | undefined;
  /** Only objects created before the object with this id. */
  startingAfter?: string | undefined;
  limit?: number;
}

export type State = ReturnType<typeof openState>;

const schema = `
  PRAGMA journal_mode = WAL;
  CREATE TABLE IF NOT EXISTS objects (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, id TEXT NOT NULL UNIQUE, created INTEGER NOT NULL, json TEXT NOT NULL
  );
  CREATE INDEX IF NOT EXISTS objects_kind ON objects (kind, seq);
  CREATE INDEX IF NOT EXISTS objects_pending ON objects (kind, json_extract(json, '$.pending_webhooks'));
  CREATE INDEX IF NOT EXISTS objects_payment_intent ON objects (kind, json_extract(json, '$.payment_intent'));
  CREATE INDEX IF NOT EXISTS objects_charge ON objects (kind, json_extract(json, '$.charge'));
  CREATE INDEX IF NOT EXISTS objects_payment_method ON objects (kind, json_extract(json, '$.payment_method'));
  CREATE TABLE IF NOT EXISTS answers (
    key TEXT PRIMARY KEY, call TEXT NOT NULL, status INTEGER NOT NULL, body TEXT NOT NULL, created INTEGER NOT NULL
  );
  CREATE TABLE IF NOT EXISTS clock (id INTEGER PRIMARY KEY CHECK (id = 1), ahead INTEGER NOT NULL);
  INSERT OR IGNORE INTO clock VALUES (1, 0);`;

const jsonRow = z.object({ json: z.string() });

/** When an object was created, in Unix seconds. */
const madeAt = (object: Kinds[Kind]): number => ('created' in object ? object.created : object.start);

function conditionsOf({ fields = {}, created, startingAfter }: Selection): [string, number | string][] {
  const conditions: [string, number | string | undefined][] = [
    ['seq < (SELECT seq FROM objects WHERE id = ?)', startingAfter],
    ['created >= ?', created?.gte],
    ['created <= ?', created?.lte],
    ...Object.entries(fields).map(([path, value]): [string, number | string | undefined] =>
      typeof value === 'object'
        ? [`json_extract(json, '$.${path}') IN (SELECT value FROM json_each(?))`, JSON.stringify(value)]
        : [`json_extract(json, '$.${path}') = ?`, value],
    ),
  ];
  return conditions.flatMap(([condition, value]) => (value === undefined ? [] : [[condition, value]]));
}

/** Opens the state in `dataFile`, and creates the file if needed. `:memory:` keeps the state until `close`. */
export function openState(dataFile: string) {
  const database = new DatabaseSync(dataFile);
  database.exec(schema);
  const select = database.prepare('SELECT json FROM objects WHERE kind = ? AND id = ?');
  const upsert = database.prepare(
    `INSERT INTO objects (kind, id, created, json) VALUES (?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET json = excluded.json`,
  );

  /** Only `put` writes the stored text of a kind, so this type assertion is safe. */
  const revive = <K extends Kind>(_: K, row: unknown) => JSON.parse(jsonRow.parse(row).json) as Kinds[K];

  const readAhead = () =>
    z.object({ ahead: z.number() }).parse(database.prepare('SELECT ahead FROM clock').get()).ahead;
  let secondsAhead = readAhead();

  return {
    database,

    /** The URL of this account's pages. Set once the server listens. */
    url: '',

    unverifiableHosts: new Set<string>(),

    /** How far this account's clock is ahead of the machine's, in seconds. */
    get secondsAhead(): number {
      return secondsAhead;
    },

    /** Sets the account's clock, which never moves back. */
    setAhead(seconds: number): void {
      secondsAhead = Math.max(secondsAhead, seconds);
      database.prepare('UPDATE clock SET ahead = ?').run(secondsAhead);
    },

    get<K extends Kind>(kind: K, id: string): Kinds[K] | undefined {
      const row = select.get(kind, id);
      return row && revive(kind, row);
    },

    /** Stores a new or changed object, and returns it. */
    put<K extends Kind>(kind: K, object: Kinds[K]): Kinds[K] {
      upsert.run(kind, object.id, madeAt(object), JSON.stringify(object));
      return object;
    },

    remove(id: string): void {
      database.prepare('DELETE FROM objects WHERE id = ?').run(id);
    },

    /** The matching objects of a kind, newest first. */
    list<K extends Kind>(kind: K, selection: Selection): Kinds[K][] {
      const conditions = conditionsOf(selection);
      const where = ['kind = ?', ...conditions.map(([condition]) => condition)].join(' AND ');
      return database
        .prepare(`SELECT json FROM objects WHERE ${where} ORDER BY seq DESC LIMIT ?`)
        .all(kind, ...conditions.map(([, value]) => value), selection.limit ?? -1)
        .map((row) => revive(kind, row));
    },

    /** Runs `change` in one transaction. A {@link StripeFault} is a response, so the changes before it are kept. */
    transact<T>(change: () => T): T {
      database.exec('BEGIN IMMEDIATE');
      try {
        const result = aheadBy(secondsAhead, change);
        database.exec('COMMIT');
        return result;
      } catch (error) {
        database.exec(error instanceof StripeFault ? 'COMMIT' : 'ROLLBACK');
        throw error;
      }
    },

    close: () => database.close(),
  };
}
