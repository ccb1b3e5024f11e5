/**
 * The audit of what administrators keep beside the content: admin users and the payment key. Every change is written
 * with who made it, when, and the values before and after, in the batch of the change itself. Who made it is an account
 * id. An email in the values is taken out when its owner takes another one or deletes their account.
 */
import { and, eq, getTableColumns, or, sql, type SQL } from 'drizzle-orm';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { normalizeEmail } from '#contract/accounts.ts';
import type { ChangeAction } from '#contract/history.ts';
import { newId } from '#contract/ids.ts';
import { untilWritten, writeUnlessConflict, type Database, type Statement } from '../db/client.ts';
import { unavailable } from '../http/errors.ts';
import { other } from './owner.ts';
import { settingEvents, users } from './schema.ts';
import { recordOfEmail } from './session.ts';

type Values = Readonly<Record<string, string>>;

export interface SettingChange {
  readonly setting: (typeof settingEvents.$inferInsert)['setting'];
  readonly recordId: string;
  /** The record's version after the change; of a removed one its last. */
  readonly version: number;
  readonly action: ChangeAction;
  readonly before?: Values;
  readonly after?: Values;
}

/**
 * The statement that notes a change.
 * @param by id of the account that made it, as `actorId` gives it; empty for the set-up
 * @param onlyIf a condition on the database: where it does not hold, the whole batch is refused, and `saveSetting`
 *   begins again
 */
export function settingEvent(
  db: Database,
  { before, after, ...change }: SettingChange,
  by: SQL<string> | string,
  onlyIf: SQL = sql`true`,
): Statement {
  const at = Date.now();
  return db.insert(settingEvents).values({
    ...change,
    id: newId(at),
    at: sql<number>`(select ${at} where ${onlyIf})`,
    by,
    before: before ? JSON.stringify(before) : null,
    after: after ? JSON.stringify(after) : null,
  });
}

interface VersionedTable {
  readonly _id: SQLiteColumn;
  readonly version: SQLiteColumn;
}

/** The condition that a record is still at the version that a change was made from. */
export const isStill = (
  table: SQLiteTable & VersionedTable,
  { _id, version }: { readonly _id: string; readonly version: number },
): SQL => sql`exists (select 1 from ${table} where ${table._id} = ${_id} and ${table.version} = ${version})`;

/** How often a save begins again after another one came first. */
const tries = 20;

/**
 * Saves a change, or nothing of it. One that another save overtook between its reading and its writing begins again, on
 * what is there then; so does one whose account is not any more as it was looked up (`unlessOther` in owner.ts).
 * @param prepare reads and checks; answers what to write, and what the save answers
 * @throws ApiError what `prepare` throws, 503 when others keep coming first
 */
export async function saveSetting<T>(
  db: Database,
  prepare: () => Promise<{ readonly statements: readonly Statement[]; readonly answer: T }>,
): Promise<T> {
  const save = async () => {
    const prepared = await prepare();
    const { statements } = prepared;
    const isSaved =
      statements.length === 0 || (await writeUnlessConflict(db, statements, 'setting_events.at', other));
    return isSaved ? prepared : undefined;
  };
  const { answer } = await untilWritten(save, tries, () =>
    unavailable('Many people are saving right now. What you typed is still here; please save again.'),
  );
  return answer;
}

/**
 * The statement that notes that a user's record follows its owner to another email; nothing without a record.
 * @param condition noted only if it holds
 */
export const memberRenamed = (
  db: Database,
  { from, to }: { readonly from: string; readonly to: string },
  by: SQL<string>,
  condition: SQL,
): Statement =>
  db.insert(settingEvents).select(
    db
      .select({
        id: sql<string>`${newId()}`.as('id'),
        setting: sql<'member'>`'member'`.as('setting'),
        recordId: users._id,
        version: sql<number>`${users.version} + 1`.as('version'),
        action: sql<'updated'>`'updated'`.as('action'),
        at: sql<number>`${Date.now()}`.as('at'),
        by: by.as('by'),
        before: sql<string>`json_object('userEmail', ${users.userEmail}, 'userRole', ${users.userRole})`.as(
          'before',
        ),
        after: sql<string>`json_object('userEmail', ${to}, 'userRole', ${users.userRole})`.as('after'),
      })
      .from(users)
      .where(and(recordOfEmail(from), condition)),
  );

/**
 * The statement that takes an email out of the audit, for the batch in which its owner gives it up.
 * @param condition taken out only if it holds
 */
export function forgetEmail(db: Database, email: string, condition?: SQL): Statement {
  const { before, after } = getTableColumns(settingEvents);
  const holds = (values: SQLiteColumn) =>
    eq(sql`lower(json_extract(${values}, '$.userEmail'))`, normalizeEmail(email));
  const without = (values: SQLiteColumn) =>
    sql`case when ${holds(values)} then json_remove(${values}, '$.userEmail') else ${values} end`;
  return db
    .update(settingEvents)
    .set({ before: without(before), after: without(after) })
    .where(and(or(holds(before), holds(after)), condition));
}
