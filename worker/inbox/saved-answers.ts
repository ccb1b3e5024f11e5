/** Saved replies: texts that the staff inserts into replies. Administrators manage them. */
import { asc, eq, ne, sql } from 'drizzle-orm';
import type { SavedAnswer } from '#contract/inbox.calls.ts';
import { auditOfRequest } from '../audit/audit.ts';
import { assert } from '../db/assert.ts';
import { writeUnlessConflict, type Database } from '../db/client.ts';
import { hasChanged } from '../db/insert-if.ts';
import type { Caller, RequestDeps } from '../http/app.ts';
import { conflict, notFound } from '../http/errors.ts';
import { savedAnswers } from './schema.ts';

const maxSavedAnswers = 100;

export async function listSavedAnswers(db: Database): Promise<SavedAnswer[]> {
  const byTitle = [asc(sql`${savedAnswers.title} COLLATE NOCASE`), asc(savedAnswers._id)];
  return db
    .select()
    .from(savedAnswers)
    .orderBy(...byTitle);
}

/**
 * Adds a saved answer, or changes the one with its id. The audit log records it only if something changed.
 * @throws ApiError 409 the maximum number is reached
 */
export async function saveAnswer(caller: Caller & RequestDeps, answer: SavedAnswer): Promise<SavedAnswer> {
  const { db, account } = caller;
  const { title, text } = answer;
  const others = sql`(SELECT count(*) FROM ${savedAnswers} WHERE ${ne(savedAnswers._id, answer._id)})`;
  const isWritten = await writeUnlessConflict(db, [
    assert(db, sql`${others} < ${maxSavedAnswers}`),
    db
      .insert(savedAnswers)
      .values(answer)
      .onConflictDoUpdate({
        target: savedAnswers._id,
        set: { title, text },
        setWhere: sql`(${savedAnswers.title}, ${savedAnswers.text}) <> (${title}, ${text})`,
      }),
    auditOfRequest(
      caller,
      {
        action: 'setting',
        accountId: account.id,
        recordId: answer._id,
        details: `Saved the reply “${title}”`,
      },
      hasChanged,
    ),
  ]);
  if (!isWritten)
    throw conflict(`There can be at most ${maxSavedAnswers} saved replies. Delete one that nobody uses.`);
  return answer;
}

/** @returns the deleted answer @throws ApiError 404 */
export async function deleteSavedAnswer(db: Database, id: string): Promise<SavedAnswer> {
  const [deleted] = await db.delete(savedAnswers).where(eq(savedAnswers._id, id)).returning();
  if (!deleted) throw notFound('This saved reply no longer exists.');
  return deleted;
}
