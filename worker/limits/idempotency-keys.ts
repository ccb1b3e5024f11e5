/** Idempotency keys: which ones were used, and attempts that count once per key. */
import { and, eq, inArray, not, type SQL } from 'drizzle-orm';
import { writeBatch, type Database, type Statement } from '../db/client.ts';
import { hasRow } from '../db/has-row.ts';
import { hasChanged, insertIf } from '../db/insert-if.ts';
import { dayMs } from '../http/clock.ts';
import { countOne, isBelow, releaseAttempt, rowId, usedUp, type RateLimit } from './rate-limits.ts';
import { attempts } from './schema.ts';

const onceRow = (idempotencyKey: string) => rowId({ kind: 'once', key: idempotencyKey });

/** How long a key that `recordKey` recorded is kept, in ms. */
const keyMs = dayMs;

export const isKeyUnused = (idempotencyKey: string): SQL =>
  not(hasRow(attempts, eq(attempts.id, onceRow(idempotencyKey))));

export const recordKey = (db: Database, idempotencyKey: string, now: number): Statement =>
  db
    .insert(attempts)
    .values({ id: onceRow(idempotencyKey), count: 1, windowEndsAt: now + keyMs })
    .onConflictDoNothing();

/**
 * Counts one attempt against several rate limits. Concurrent calls with the same key count once. All counts are in one
 * batch, so concurrent calls cannot exceed a limit. If one limit is used up, nothing is counted.
 * @param idempotencyKey identifies the action
 * @throws ApiError 429 with Retry-After if one of the limits is used up
 */
export async function countAttemptOnce(
  db: Database,
  idempotencyKey: string,
  wanted: readonly RateLimit[],
): Promise<void> {
  const now = Date.now();
  const endsAt = now + Math.max(...wanted.map(({ windowMs }) => windowMs));
  const isWithin = and(...wanted.map((limit) => isBelow(limit, limit.max, now)));
  const [taken] = await writeBatch(db, [
    insertIf(
      db,
      attempts,
      { id: onceRow(idempotencyKey), count: 1, windowEndsAt: endsAt },
      isWithin,
    ).onConflictDoNothing(),
    ...wanted.map((limit) => countOne(db, limit, now, hasChanged)),
  ]);
  if (taken === 1) return;
  const rows = await db
    .select()
    .from(attempts)
    .where(inArray(attempts.id, [onceRow(idempotencyKey), ...wanted.map(rowId)]));
  if (rows.some(({ id }) => id === onceRow(idempotencyKey))) return;
  const waits = wanted.map((limit) => {
    const row = rows.find(({ id, count }) => id === rowId(limit) && count >= limit.max);
    return row ? Math.min(row.windowEndsAt - now, limit.windowMs) : 0;
  });
  throw usedUp(Math.max(...waits));
}

/** Reverses `countAttemptOnce` if the action did not happen. */
export async function releaseAttemptOnce(
  db: Database,
  idempotencyKey: string,
  taken: readonly RateLimit[],
): Promise<void> {
  await writeBatch(db, [
    db.delete(attempts).where(eq(attempts.id, onceRow(idempotencyKey))),
    ...taken.map((limit) => releaseAttempt(db, limit, hasChanged)),
  ]);
}
