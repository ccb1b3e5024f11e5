/**
 * Tables of the accounts. No secret is stored in the clear: sessions and tokens are kept as SHA-256 of what the
 * browser or the mail holds, passwords as scrypt. Times are in ms.
 */
import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { authMethods } from '#contract/accounts.ts';
import type { Role } from '#contract/audience.ts';

export const accounts = sqliteTable(
  'accounts',
  {
    id: text().primaryKey(),
    /** In lower case, so that emails compare without regard to case. */
    email: text().notNull().unique(),
    emailVerifiedAt: integer(),
    /** See password-hash.ts; null for an account that only signs in with Google. */
    passwordHash: text(),
    /** Whether the password is shorter than an administrator's must be. */
    hasShortPassword: integer({ mode: 'boolean' }).notNull().default(false),
    /** Counts the passwords; a session made under an earlier one is over. */
    passwordVersion: integer().notNull().default(1),
    googleSubject: text().unique(),
    /** What the passkeys of this account know it by: random, so that it tells nobody who it is. */
    passkeyHandle: text().unique(),
    /** What they say about themselves. */
    name: text().notNull().default(''),
    company: text().notNull().default(''),
    phone: text().notNull().default(''),
    website: text().notNull().default(''),
    createdAt: integer().notNull(),
  },
  (table) => [index('accounts_unconfirmed').on(table.emailVerifiedAt, table.createdAt)],
);

const accountId = () =>
  text()
    .notNull()
    .references(() => accounts.id, { onDelete: 'cascade' });

export const sessions = sqliteTable(
  'sessions',
  {
    /** SHA-256 of the token in the cookie. */
    id: text().primaryKey(),
    accountId: accountId(),
    passwordVersion: integer().notNull(),
    createdAt: integer().notNull(),
    /** At most a minute behind. */
    lastUsedAt: integer().notNull(),
    /** Such as 'Firefox on Windows'. */
    device: text().notNull(),
    /** By what it is listed and ended. */
    _id: text().notNull(),
    /** City and country of the network, as far as Cloudflare knows them. */
    place: text().notNull().default(''),
    /** When its owner was last known to be there; see `Account`. */
    confirmedAt: integer().notNull().default(0),
    /** How its owner has proven their identity in it; see `Account`. */
    authMethod: text('shown', { enum: authMethods }).notNull().default('nothing'),
  },
  (table) => [index('sessions_account').on(table.accountId), index('sessions_created').on(table.createdAt)],
);

/** What opens an account in place of its password: a key that stays on its owner's device, of which this is the public half. */
export const passkeys = sqliteTable(
  'passkeys',
  {
    _id: text().primaryKey(),
    accountId: accountId(),
    /** The name that its device gave it, as base64url. */
    credentialId: text().notNull().unique(),
    /** A COSE key as base64url. */
    publicKey: text().notNull(),
    /** How often it has signed, where it counts; 0 for one that does not, such as one that several devices share. */
    counter: integer().notNull(),
    /** How a browser reaches it, as JSON, where it said so. */
    transports: text().notNull().default('[]'),
    name: text().notNull(),
    addedAt: integer().notNull(),
    lastUsedAt: integer(),
  },
  (table) => [index('passkeys_account').on(table.accountId)],
);

/** Each lets somebody who has lost their passkeys sign in once. A used code has no row any more. */
export const recoveryCodes = sqliteTable(
  'recovery_codes',
  {
    /** SHA-256 of the account's id and the code. */
    id: text().primaryKey(),
    accountId: accountId(),
    madeAt: integer().notNull(),
  },
  (table) => [index('recovery_codes_account').on(table.accountId)],
);

/** Challenges that a passkey has answered; the primary key lets only one answer through. */
export const spentChallenges = sqliteTable(
  'spent_challenges',
  {
    /** SHA-256 of the challenge. */
    id: text().primaryKey(),
    /** When it would be too old anyway. */
    expiresAt: integer().notNull(),
  },
  (table) => [index('spent_challenges_expires').on(table.expiresAt)],
);

/** Secrets of mailed links. */
export const accountTokens = sqliteTable(
  'account_tokens',
  {
    /** SHA-256 of the secret in the link. */
    id: text().primaryKey(),
    accountId: accountId(),
    purpose: text({ enum: ['verify', 'reset', 'email'] }).notNull(),
    /** The email that this link is about to make the account's own. */
    newEmail: text(),
    expiresAt: integer().notNull(),
  },
  (table) => [
    index('account_tokens_account').on(table.accountId),
    index('account_tokens_expires').on(table.expiresAt),
  ],
);

/**
 * Every new password, and how it came about. Of two concurrent writers, the batch that inserts the same version second
 * fails as a whole.
 */
export const passwordChanges = sqliteTable(
  'password_changes',
  {
    accountId: accountId(),
    version: integer().notNull(),
    reason: text({ enum: ['reset', 'changed'] }).notNull(),
    changedAt: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.version] })],
);

/** The list of users: which emails have which role. */
export const users = sqliteTable(
  'users',
  {
    _id: text().primaryKey(),
    /** Counts the record's saves, from 1; its ETag. */
    version: integer().notNull().default(1),
    /** Place in the display order. */
    position: integer().notNull().default(0),
    userEmail: text().notNull().default(''),
    userRole: text().notNull().default('').$type<Role>(),
  },
  (table) => [uniqueIndex('users_userEmail_unique').on(sql`lower(${table.userEmail})`)],
);

/** Secrets of the links that invite somebody in the list of users who has no verified account. */
export const invitations = sqliteTable(
  'invitations',
  {
    /** SHA-256 of the secret in the link. */
    id: text().primaryKey(),
    recordId: text()
      .notNull()
      .references(() => users._id, { onDelete: 'cascade' }),
    expiresAt: integer().notNull(),
  },
  (table) => [
    index('invitations_record').on(table.recordId),
    index('invitations_expires').on(table.expiresAt),
  ],
);

/** The one row that the first run leaves; of two concurrent set-ups the primary key refuses the second. */
export const firstRun = sqliteTable('first_run', {
  id: integer().primaryKey(),
  doneAt: integer().notNull(),
});
