/**
 * Writes that several may make at once. What a batch builds on stands in it, as a primary key or as a condition: the
 * one that comes second writes nothing, reads again and decides anew.
 */
import type { ResultSet } from '@libsql/client/web';
import { isMissingValue, isUniqueViolation, runBatch, type Database, type Statement } from './client.ts';

/**
 * Runs a batch.
 * @param conditions columns, as `table.column`, that the batch leaves without their value where its conditions do not
 *   hold
 * @returns false when another write came first, and then nothing was written
 */
export const writeUnlessConflict = async (
  db: Database,
  statements: readonly Statement[],
  ...conditions: readonly string[]
): Promise<boolean> => (await runUnlessConflict(db, statements, ...conditions)) !== undefined;

/** The same, with what each statement answers; undefined when another write came first. */
export async function runUnlessConflict(
  db: Database,
  statements: readonly Statement[],
  ...conditions: readonly string[]
): Promise<ResultSet[] | undefined> {
  try {
    return await runBatch(db, statements);
  } catch (error) {
    if (isUniqueViolation(error) || conditions.some((condition) => isMissingValue(error, condition)))
      return undefined;
    throw error;
  }
}

/**
 * Does something that reads, decides and writes, again and again until no other write came between.
 * @param attempt answers undefined when another write came first
 * @param tooBusy what is thrown when that goes on for so many tries
 */
export async function untilWritten<T>(
  attempt: () => Promise<T | undefined>,
  tries: number,
  tooBusy: () => Error,
): Promise<T> {
  for (let count = 0; count < tries; count += 1) {
    const result = await attempt();
    if (result !== undefined) return result;
  }
  throw tooBusy();
}
