/**
 * The history of the payment key and of releases. Each change records its event in its own batch: the account's id, the
 * time, and the values before and after.
 */
import { and, eq, type SQL } from 'drizzle-orm';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { ChangeAction } from '#contract/history.ts';
import { newId } from '#contract/ids.ts';
import { retryUntilWritten, writeUnlessConflict, type Database, type Statement } from '../db/client.ts';
import { hasRow } from '../db/has-row.ts';
import { unavailable } from '../http/errors.ts';
import { settingEvents } from './schema.ts';

type Values = Readonly<Record<string, string>>;

export interface SettingChange {
  readonly setting: (typeof settingEvents.$inferInsert)['setting'];
  readonly recordId: string;
  /** The record's version after the change; the last version of a removed record. */
  readonly version: number;
  readonly action: ChangeAction;
  readonly before?: Values;
  readonly after?: Values;
}

/**
 * The statement that records a change.
 * @param by id of the account that made it, from `actorId`; empty for setup
 */
export function settingEvent(
  db: Database,
  { before, after, ...change }: SettingChange,
  by: SQL<string> | string,
): Statement {
  const at = Date.now();
  return db.insert(settingEvents).values({
    ...change,
    id: newId(at),
    at,
    by,
    before: before ? JSON.stringify(before) : null,
    after: after ? JSON.stringify(after) : null,
  });
}

/**
 * The condition that a record still has the version that a change is based on. Assert it in the batch of the change.
 */
export const hasVersion = (
  table: SQLiteTable & { readonly _id: SQLiteColumn; readonly version: SQLiteColumn },
  { _id, version }: { readonly _id: string; readonly version: number },
): SQL => hasRow(table, and(eq(table._id, _id), eq(table.version, version)));

/** How many times a save is tried before concurrent saves make it fail. */
const tries = 20;

/**
 * Saves a change completely or not at all. Starts over from the current state if another save happens between the read
 * and the write, or if an assertion of the kind `unchanged` fails.
 * @param prepare reads and checks; returns what to write, and what the save returns
 * @throws ApiError what `prepare` throws, 503 if concurrent saves keep winning
 */
export async function saveWithRetry<T>(
  db: Database,
  prepare: () => Promise<{ readonly statements: readonly Statement[]; readonly answer: T }>,
): Promise<T> {
  const save = async () => {
    const prepared = await prepare();
    const { statements } = prepared;
    const isSaved = statements.length === 0 || (await writeUnlessConflict(db, statements));
    return isSaved ? prepared : undefined;
  };
  const { answer } = await retryUntilWritten(save, tries, () =>
    unavailable('Many people are saving right now. What you typed is still here; please save again.'),
  );
  return answer;
}
