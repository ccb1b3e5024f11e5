/**
 * The history of what administrators manage besides the content: admin users, the payment key and releases. Every change is
 * recorded with who made it, when, and the values before and after, in the batch of the change itself. The author is an
 * account id, and an email in the values is erased when its owner changes it or deletes the account.
 */
import { eq, getTableColumns, or, sql, type SQL } from 'drizzle-orm';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { normalizeEmail } from '#contract/accounts.ts';
import type { ChangeAction } from '#contract/history.ts';
import { newId } from '#contract/ids.ts';
import { untilWritten, writeUnlessConflict, type Database, type Statement } from '../db/client.ts';
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
 * @param by id of the account that made it, as `actorId` gives it; empty for the set-up
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

interface VersionedTable {
  readonly _id: SQLiteColumn;
  readonly version: SQLiteColumn;
}

/** The condition that a record is still at the version that a change was made from; for an assertion in its batch. */
export const isStill = (
  table: SQLiteTable & VersionedTable,
  { _id, version }: { readonly _id: string; readonly version: number },
): SQL => sql`exists (select 1 from ${table} where ${table._id} = ${_id} and ${table.version} = ${version})`;

/** How often a save is tried before it gives up because of concurrent saves. */
const tries = 20;

/**
 * Saves a change as a whole or not at all. It starts over from the current state if another save came between reading
 * and writing, or if an assertion of what is `unchanged` fails.
 * @param prepare reads and checks; returns what to write, and what the save returns
 * @throws ApiError what `prepare` throws, 503 if concurrent saves keep coming first
 */
export async function saveSetting<T>(
  db: Database,
  prepare: () => Promise<{ readonly statements: readonly Statement[]; readonly answer: T }>,
): Promise<T> {
  const save = async () => {
    const prepared = await prepare();
    const { statements } = prepared;
    const isSaved = statements.length === 0 || (await writeUnlessConflict(db, statements));
    return isSaved ? prepared : undefined;
  };
  const { answer } = await untilWritten(save, tries, () =>
    unavailable('Many people are saving right now. What you typed is still here; please save again.'),
  );
  return answer;
}

/** The statement that erases an email from this history, for the batch in which its owner gives it up. */
export function forgetEmail(db: Database, email: string): Statement {
  const { before, after } = getTableColumns(settingEvents);
  const holds = (values: SQLiteColumn) =>
    eq(sql`lower(json_extract(${values}, '$.userEmail'))`, normalizeEmail(email));
  const without = (values: SQLiteColumn) =>
    sql`case when ${holds(values)} then json_remove(${values}, '$.userEmail') else ${values} end`;
  return db
    .update(settingEvents)
    .set({ before: without(before), after: without(after) })
    .where(or(holds(before), holds(after)));
}
