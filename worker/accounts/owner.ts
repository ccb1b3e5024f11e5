/**
 * Rows that belong to an account. An account may be deleted while another request of its owner is under way; a row
 * that this request writes afterwards would stay for ever, with all that is personal in it. So every batch that makes
 * such a row names its owner by `ownerId`, and is written only while there is that account.
 */
import { and, eq, exists, isNotNull, isNull, not, sql, type SQL } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/sqlite-core';
import type { Account } from '#contract/accounts.ts';
import type { Database, Statement } from '../db/client.ts';
import { insertIf } from '../db/insert-if.ts';
import { accounts, passwordChanges } from './schema.ts';

const idOf = (id: string, condition?: SQL) =>
  new QueryBuilder()
    .select({ id: accounts.id })
    .from(accounts)
    .where(and(eq(accounts.id, id), condition));

/**
 * An account's id for a row that belongs to it. It is null once the account is deleted, which the NOT NULL of the
 * row's column refuses: the whole batch fails, and `isOwnerGone` (db/client.ts) knows the error.
 * @param condition on the account, which it is null without as well
 */
export const ownerId = (id: string, condition?: SQL): SQL<string> => sql<string>`(${idOf(id, condition)})`;

/** An account's email in the moment of the write: its owner may have taken another one since it was looked up. */
export const ownerEmail = (id: string): SQL<string> =>
  sql<string>`(${new QueryBuilder().select({ email: accounts.email }).from(accounts).where(eq(accounts.id, id))})`;

/** The id of an account that did something, for a history; empty once it is deleted, as for nobody. */
export const actorId = (id: string): SQL<string> => sql<string>`coalesce((${idOf(id)}), '')`;

/** The condition that an account has shown its email to be its own: only then is what is kept under that email its owner's. */
export const hasVerifiedEmail = (id: string): SQL => exists(idOf(id, isNotNull(accounts.emailVerifiedAt)));

/** The condition that Google opens an account. @param condition and something else holds for it */
export const hasGoogleLink = (id: string, condition?: SQL): SQL =>
  exists(idOf(id, and(isNotNull(accounts.googleSubject), condition)));

/** What a batch is refused for by `unlessUnchanged`. */
export const unchanged = 'accounts.createdAt';

/** The statement that fails its batch, for want of `unchanged`, unless the one before it has changed a row. */
export const unlessUnchanged = (db: Database, accountId: string): Statement =>
  db
    .update(accounts)
    .set({ createdAt: sql`CASE WHEN changes() > 0 THEN ${accounts.createdAt} END` })
    .where(eq(accounts.id, accountId));

/** What a batch is refused for by `unlessOther`. */
export const other = 'password_changes.accountId';

/**
 * The statement that fails its batch, for want of `other`, unless the account is there as it was looked up: with this
 * email, verified or not. It writes nothing.
 */
export const unlessOther = (
  db: Database,
  { id, email, emailVerified }: Pick<Account, 'id' | 'email' | 'emailVerified'>,
): Statement => {
  const isVerified = (emailVerified ? isNotNull : isNull)(accounts.emailVerifiedAt);
  const isAsItWas = exists(idOf(id, and(eq(accounts.email, email), isVerified)));
  const row = { accountId: sql`null`, version: 0, reason: 'changed', changedAt: 0 } as const;
  return insertIf(db, passwordChanges, row, not(isAsItWas));
};
