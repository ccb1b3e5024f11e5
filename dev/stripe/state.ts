/**
 * What the emulator remembers: one SQLite file (or memory), so that payments, undelivered webhooks and idempotency
 * keys outlive a restart and even a kill. A call's changes are one transaction.
 */
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { z } from 'zod';
import { type TestCard } from './cards.ts';
import { StripeFault } from './errors.ts';
import {
  type Charge,
  type PaymentIntent,
  type PaymentMethod,
  type Refund,
  type StripeEvent,
  type Token,
} from './objects.ts';

/** What is known of a card beyond its public object: which test card it is, and whether a payment used it up. */
export interface CardOnFile {
  id: string;
  created: number;
  number: TestCard['number'];
  isUsed: boolean;
}

/** A payment that waits for its bank: `dueAt` in milliseconds, or null when only a test settles it. */
export interface Settlement {
  id: string;
  created: number;
  dueAt: number | null;
}

/** A 3-D Secure challenge that a payment waits for. */
export interface Challenge {
  id: string;
  created: number;
  intentId: string;
}

interface Kinds {
  card_on_file: CardOnFile;
  challenge: Challenge;
  charge: Charge;
  event: StripeEvent;
  payment_intent: PaymentIntent;
  payment_method: PaymentMethod;
  refund: Refund;
  settlement: Settlement;
  token: Token;
}
export type Kind = keyof Kinds;

/** The conditions and the place of one page of a list. */
export interface Page {
  limit: number;
  /** Every entry holds: a SQL condition on `created` or `json`, and its value. */
  where?: { condition: string; value: SQLInputValue }[];
  /** The page's neighbour: only what was made before (`starting_after`) or after it (`ending_before`). */
  startingAfter?: string | undefined;
  endingBefore?: string | undefined;
}

export type State = ReturnType<typeof openState>;

const schema = `
  PRAGMA journal_mode = WAL;
  CREATE TABLE IF NOT EXISTS objects (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, id TEXT NOT NULL UNIQUE, created INTEGER NOT NULL, json TEXT NOT NULL
  );
  CREATE INDEX IF NOT EXISTS objects_kind ON objects (kind, seq);
  CREATE TABLE IF NOT EXISTS answers (
    key TEXT PRIMARY KEY, call TEXT NOT NULL, parameters TEXT NOT NULL, status INTEGER NOT NULL, body TEXT NOT NULL, created INTEGER NOT NULL
  );
  CREATE TABLE IF NOT EXISTS deliveries (
    id INTEGER PRIMARY KEY AUTOINCREMENT, event_id TEXT NOT NULL, type TEXT NOT NULL, attempts INTEGER NOT NULL DEFAULT 0, due_at INTEGER NOT NULL, status TEXT NOT NULL
  );
  CREATE INDEX IF NOT EXISTS deliveries_status ON deliveries (status, due_at);`;

const jsonRow = z.object({ json: z.string() });
const seqRow = z.object({ seq: z.number() });

/** Opens the state kept in `dataFile`, made if need be; `:memory:` keeps it until `close`. */
export function openState(dataFile: string) {
  const database = new DatabaseSync(dataFile);
  database.exec(schema);
  const select = database.prepare('SELECT json FROM objects WHERE kind = ? AND id = ?');
  const selectSeq = database.prepare('SELECT seq FROM objects WHERE kind = ? AND id = ?');
  // An object is keyed with its kind, because a payment method and what is on file for it share an id.
  const upsert = database.prepare(
    `INSERT INTO objects (kind, id, created, json) VALUES (?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET json = excluded.json`,
  );
  const remove = database.prepare('DELETE FROM objects WHERE kind = ? AND id = ?');

  /** The stored text of a kind is only ever what `put` wrote for it, which is why its type may be asserted here. */
  const revive = <K extends Kind>(_: K, row: unknown) => JSON.parse(jsonRow.parse(row).json) as Kinds[K];
  const keyOf = (kind: Kind, id: string) => `${kind}:${id}`;

  return {
    database,

    /** The object with that id, or undefined. */
    get<K extends Kind>(kind: K, id: string): Kinds[K] | undefined {
      const row = select.get(kind, keyOf(kind, id));
      return row && revive(kind, row);
    },

    /** Stores an object, new or changed, and answers it. */
    put<K extends Kind>(kind: K, object: Kinds[K]): Kinds[K] {
      upsert.run(kind, keyOf(kind, object.id), object.created, JSON.stringify(object));
      return object;
    },

    remove(kind: Kind, id: string): void {
      remove.run(kind, keyOf(kind, id));
    },

    /** One page, newest first, and whether more follow. Undefined when the neighbour does not exist. */
    list<K extends Kind>(kind: K, page: Page): { data: Kinds[K][]; hasMore: boolean } | undefined {
      const { limit, where = [], startingAfter, endingBefore } = page;
      const conditions = [...where];
      const neighbour = startingAfter ?? endingBefore;
      if (neighbour !== undefined) {
        const row = selectSeq.get(kind, keyOf(kind, neighbour));
        if (!row) return undefined;
        const condition = startingAfter === undefined ? 'seq > ?' : 'seq < ?';
        conditions.push({ condition, value: seqRow.parse(row).seq });
      }
      const isBackwards = startingAfter === undefined && endingBefore !== undefined;
      const sql = ['kind = ?', ...conditions.map(({ condition }) => condition)].join(' AND ');
      const rows = database
        .prepare(`SELECT json FROM objects WHERE ${sql} ORDER BY seq ${isBackwards ? 'ASC' : 'DESC'} LIMIT ?`)
        .all(kind, ...conditions.map(({ value }) => value), limit + 1)
        .map((row) => revive(kind, row));
      const data = rows.slice(0, limit);
      return { data: isBackwards ? data.reverse() : data, hasMore: rows.length > limit };
    },

    /** Runs `change` in one transaction. A {@link StripeFault} is an answer, so what led to it is kept. */
    transact<T>(change: () => T): T {
      database.exec('BEGIN IMMEDIATE');
      try {
        const result = change();
        database.exec('COMMIT');
        return result;
      } catch (error) {
        database.exec(error instanceof StripeFault ? 'COMMIT' : 'ROLLBACK');
        throw error;
      }
    },

    close: () => {
      database.close();
    },
  };
}
