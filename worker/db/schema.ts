/** The table of the assertions (assert.ts). It never contains a row. */
import { sql } from 'drizzle-orm';
import { check, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/**
 * The kinds of assertions, which callers handle differently:
 * - `unchanged`: a record changed after it was read. Most callers read again and decide again.
 * - `contentUnchanged`: the live content changed after a save was rendered. The save renders again.
 * - `signedIn`: the session ended, or the account that a row belongs to was deleted. The caller gets a 401.
 */
export const assertionKinds = ['unchanged', 'contentUnchanged', 'signedIn'] as const;
export type AssertionKind = (typeof assertionKinds)[number];

/** The name of the constraint for a kind, which the database reports in its error. */
export const constraintOf = (kind: AssertionKind): string => `assert_${kind}`;

/** Each kind has a constraint that rejects it, so the table stores no row (docs/decisions/assertions.md). */
export const assertions = sqliteTable(
  'assertions',
  { failed: text({ enum: assertionKinds }).notNull() },
  () => assertionKinds.map((kind) => check(constraintOf(kind), sql.raw(`"failed" <> '${kind}'`))),
);
