/**
 * The emulator's state, in one SQLite file or in memory. In a file, payments, undelivered webhooks and idempotency keys
 * survive a restart, and even a killed process. The changes of a call are one transaction.
 */
import { DatabaseSync } from 'node:sqlite';
import * as z from 'zod';
import { StripeFault } from './errors.ts';
import { aheadBy, type StoredObject } from './objects.ts';

type Kinds = { [Each in StoredObject as Each['object']]: Each };
export type Kind = keyof Kinds;

/** Selects the objects of a list. */
export interface Selection {
  /** Values by the path of their field, such as `payment_intent` or `next_action.type`. */
  fields?: Record<string, number | string | undefined>;
  /** Only objects of one of these types. */
  types?: readonly string[] | undefined;
  /** Only objects created at this time or later, in Unix seconds. */
  since?: number | undefined;
  /** Only objects created at this time or earlier, in Unix seconds. */
  until?: number | undefined;
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

    /** The address of this account's pages. It is set once the server listens. */
    url: '',

    /** How far this account's clock is ahead of the machine's, in seconds. */
    get secondsAhead(): number {
      return secondsAhead;
    },

    /** Sets the account's clock, which never moves back. */
    setAhead(seconds: number): void {
      secondsAhead = Math.max(secondsAhead, seconds);
      database.prepare('UPDATE clock SET ahead = ?').run(secondsAhead);
    },

    /** The object with that id, or undefined. */
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
    list<K extends Kind>(
      kind: K,
      { fields = {}, types, since, until, startingAfter, limit = -1 }: Selection,
    ): Kinds[K][] {
      const conditions: [string, number | string | undefined][] = [
        ['kind = ?', kind],
        ['seq < (SELECT seq FROM objects WHERE id = ?)', startingAfter],
        ['created >= ?', since],
        ['created <= ?', until],
        [`json_extract(json, '$.type') IN (SELECT value FROM json_each(?))`, types && JSON.stringify(types)],
      ];
      for (const [path, value] of Object.entries(fields))
        conditions.push([`json_extract(json, '$.${path}') = ?`, value]);
      const given = conditions.flatMap(([condition, value]) =>
        value === undefined ? [] : [{ condition, value }],
      );
      const where = given.map(({ condition }) => condition).join(' AND ');
      return database
        .prepare(`SELECT json FROM objects WHERE ${where} ORDER BY seq DESC LIMIT ?`)
        .all(...given.map(({ value }) => value), limit)
        .map((row) => revive(kind, row));
    },

    /** Runs `change` in one transaction. A {@link StripeFault} is an answer, so the changes before it are kept. */
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
