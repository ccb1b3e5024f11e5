/** Conditions that must hold for a batch to succeed (docs/decisions/assertions.md). */
import { sql, type SQL } from 'drizzle-orm';
import type { Database, Statement } from './client.ts';
import { assertions, type AssertionKind } from './schema.ts';

/**
 * A statement that fails its whole batch unless a condition holds when it runs. It never stores or changes a row.
 * @param condition on the database; NULL counts as false
 * @param kind what failed, for `isFailedAssertion` and `writeUnlessConflict` in client.ts
 * @example
 * await writeUnlessConflict(db, [
 *   assert(db, hasRow(orders, eq(orders._id, id))),
 *   db.insert(orderFiles).values(file),
 * ]);
 */
export const assert = (db: Database, condition: SQL, kind: AssertionKind = 'unchanged'): Statement =>
  db.insert(assertions).select(sql`SELECT ${kind} WHERE (${condition}) IS NOT TRUE`);
