/**
 * Rows that belong to an account. An account may be deleted while another request of its owner is under way; a row
 * that this request writes afterwards would stay for ever, with all that is personal in it. So every batch that makes
 * such a row names its owner by `ownerId`, and is written only while there is that account.
 */
import { and, eq, exists, isNotNull, sql, type SQL } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/sqlite-core';
import type { Database, Statement } from '../db/client.ts';
import { accounts } from './schema.ts';

const idOf = (id: string, condition?: SQL) =>
  new QueryBuilder()
    .select({ id: accounts.id })
    .from(accounts)
    .where(and(eq(accounts.id, id), condition));

/**
 * An account's id for a row that belongs to it. It is null once the account is deleted, which the NOT NULL of the
 * row's column refuses: the whole batch fails, and `isOwnerGone` (db/client.ts) knows the error.
 */
export const ownerId = (id: string): SQL<string> => sql<string>`(${idOf(id)})`;

/** The id of an account that did something, for a history; empty once it is deleted, as for nobody. */
export const actorId = (id: string): SQL<string> => sql<string>`coalesce((${idOf(id)}), '')`;

/** The condition that an account has shown its email to be its own: only then is what is kept under that email its owner's. */
export const hasVerifiedEmail = (id: string): SQL => exists(idOf(id, isNotNull(accounts.emailVerifiedAt)));

/** The condition that Google opens an account. */
export const hasGoogleLink = (id: string): SQL => exists(idOf(id, isNotNull(accounts.googleSubject)));

/** What a batch is refused for by `unlessUnchanged`. */
export const unchanged = 'accounts.createdAt';

/** The statement that fails its batch, for want of `unchanged`, unless the one before it has changed a row. */
export const unlessUnchanged = (db: Database, accountId: string): Statement =>
  db
    .update(accounts)
    .set({ createdAt: sql`CASE WHEN changes() > 0 THEN ${accounts.createdAt} END` })
    .where(eq(accounts.id, accountId));
