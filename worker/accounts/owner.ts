/**
 * Rows that belong to an account. A person may delete their account while another of their requests is still running. A
 * row written after the deletion would keep personal data forever, so every batch that creates such a row contains
 * `assertAccount`.
 */
import { and, eq, isNotNull, isNull, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { QueryBuilder, type SQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { Account } from '#contract/accounts.ts';
import { assert } from '../db/assert.ts';
import type { Database, Statement } from '../db/client.ts';
import { hasRow } from '../db/has-row.ts';
import { accounts } from './schema.ts';

/** @param condition another condition on the account */
export const accountExists = (id: string | SQLWrapper, condition?: SQL): SQL =>
  hasRow(accounts, and(eq(accounts.id, id), condition));

/**
 * The statement that fails its batch if the account has been deleted. The caller then gets a 401 (http/errors.ts).
 */
export const assertAccount = (db: Database, id: string): Statement =>
  assert(db, accountExists(id), 'signedIn');

/** A profile field of an account at the time of the write; empty if the account does not exist. */
export const profileText = (id: string, field: 'company' | 'phone'): SQL<string> =>
  sql<string>`coalesce((${new QueryBuilder()
    .select({ text: accounts[field] })
    .from(accounts)
    .where(eq(accounts.id, id))}), '')`;

/** The id of the acting account for a history entry; empty once the account is deleted. */
export const actorId = (id: string): SQL<string> =>
  sql<string>`coalesce((select ${accounts.id} from ${accounts} where ${accounts.id} = ${id}), '')`;

/** The current email of an account, by its id or a column that contains it; null once the account is deleted. */
export const emailOf = (id: string | SQLWrapper): SQL<string | null> =>
  sql<string | null>`(select ${accounts.email} from ${accounts} where ${accounts.id} = ${id})`;

/** The name in an account's profile; null if it is empty, or once the account is deleted. */
export const nameOf = (column: SQLiteColumn): SQL<string | null> =>
  sql<string | null>`(select nullif(${accounts.name}, '') from ${accounts} where ${accounts.id} = ${column})`;

/**
 * The condition that an account has verified its email. Only then does it own what is stored under that email.
 */
export const hasVerifiedEmail = (id: string): SQL => accountExists(id, isNotNull(accounts.emailVerifiedAt));

/** The condition that an email belongs to an account and is verified. @param email normalized */
export const isVerifiedEmail = (accountId: string | SQLWrapper, email: string | SQLWrapper): SQL =>
  accountExists(accountId, and(eq(accounts.email, email), isNotNull(accounts.emailVerifiedAt)));

/** The statement that fails its batch unless the account still exists with this email and verification state. */
export const assertUnchanged = (
  db: Database,
  { id, email, emailVerified }: Pick<Account, 'id' | 'email' | 'emailVerified'>,
): Statement => {
  const isVerified = (emailVerified ? isNotNull : isNull)(accounts.emailVerifiedAt);
  return assert(db, accountExists(id, and(eq(accounts.email, email), isVerified)));
};
