/** The table that assertions (assert.ts) fail on. It never holds a row. */
import { sql } from 'drizzle-orm';
import { check, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/**
 * What kind of condition failed, for callers that handle them differently:
 * - `unchanged`: something is no longer as it was read. Most callers read again and decide anew.
 * - `contentUnchanged`: the live content is no longer what a save was rendered from. The save renders again.
 * - `signedIn`: the session is over, or the account that a row belongs to was deleted. The call answers 401.
 */
export const assertionKinds = ['unchanged', 'contentUnchanged', 'signedIn'] as const;
export type AssertionKind = (typeof assertionKinds)[number];

/** The constraint that refuses a kind; the database names it in its error. */
export const constraintOf = (kind: AssertionKind): string => `assert_${kind}`;

/** One constraint a kind, so no row of any kind is ever stored (docs/decisions/assertions.md). */
export const assertions = sqliteTable(
  'assertions',
  { failed: text({ enum: assertionKinds }).notNull() },
  () => assertionKinds.map((kind) => check(constraintOf(kind), sql.raw(`"failed" <> '${kind}'`))),
);
