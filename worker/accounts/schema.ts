/**
 * Tables for accounts. No secret is stored in plain text. Sessions and tokens are stored as the SHA-256 of what the
 * browser or the email contains, passwords as scrypt hashes. Times are in ms.
 */
import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { authMethods } from '#contract/accounts.ts';
import type { Role } from '#contract/audience.ts';

export const accounts = sqliteTable(
  'accounts',
  {
    id: text().primaryKey(),
    /** Lowercase, so that comparisons ignore case. */
    email: text().notNull().unique(),
    emailVerifiedAt: integer(),
    /** See password-hash.ts. Null for an account without a password. */
    passwordHash: text(),
    /** Whether the password is too short for staff. */
    hasShortPassword: integer({ mode: 'boolean' }).notNull().default(false),
    /** Increases with each new password. Sessions created under an earlier version have ended. */
    passwordVersion: integer().notNull().default(1),
    googleSubject: text().unique(),
    /** The id that identifies this account to its passkeys. It is random, so it does not identify the person. */
    passkeyHandle: text().unique(),
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
    /** Up to a minute out of date. */
    lastUsedAt: integer().notNull(),
    /** For example 'Firefox on Windows'. */
    device: text().notNull(),
    /** The id under which the session is listed and ended. */
    _id: text().notNull(),
    /** City and country of the network, if Cloudflare knows them. */
    place: text().notNull().default(''),
    /** When the owner last confirmed their identity. See `Account`. */
    confirmedAt: integer().notNull().default(0),
    /** How the owner confirmed their identity in this session. See `Account`. */
    authMethod: text('shown', { enum: authMethods }).notNull().default('nothing'),
  },
  (table) => [index('sessions_account').on(table.accountId), index('sessions_created').on(table.createdAt)],
);

/** Passkeys: the public keys. The private keys stay on their owner's device. */
export const passkeys = sqliteTable(
  'passkeys',
  {
    _id: text().primaryKey(),
    accountId: accountId(),
    /** The credential id that the device chose, as base64url. */
    credentialId: text().notNull().unique(),
    /** A COSE key as base64url. */
    publicKey: text().notNull(),
    /** The signature counter; 0 for a passkey without one, such as one that several devices share. */
    counter: integer().notNull(),
    /** The browser's transports for the passkey as JSON, if the browser reported them. */
    transports: text().notNull().default('[]'),
    name: text().notNull(),
    addedAt: integer().notNull(),
    lastUsedAt: integer(),
  },
  (table) => [index('passkeys_account').on(table.accountId)],
);

/** Each code lets a person who has lost their passkeys sign in once. A used code has no row. */
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

/** Passkey challenges that were answered. The primary key allows only one answer per challenge. */
export const spentChallenges = sqliteTable(
  'spent_challenges',
  {
    /** SHA-256 of the challenge. */
    id: text().primaryKey(),
    /** When the challenge would have expired. */
    expiresAt: integer().notNull(),
  },
  (table) => [index('spent_challenges_expires').on(table.expiresAt)],
);

/** Secrets of emailed links. */
export const accountTokens = sqliteTable(
  'account_tokens',
  {
    /** SHA-256 of the secret in the link. */
    id: text().primaryKey(),
    accountId: accountId(),
    purpose: text({ enum: ['verify', 'reset', 'email'] }).notNull(),
    /** The email that this link will give the account. */
    newEmail: text(),
    expiresAt: integer().notNull(),
  },
  (table) => [
    index('account_tokens_account').on(table.accountId),
    index('account_tokens_expires').on(table.expiresAt),
  ],
);

/**
 * Every new password and how it was set. If two writers insert the same version, the whole batch of the second one
 * fails.
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
    /** The number of saves of the record. It is the ETag. */
    version: integer().notNull().default(1),
    /** Position in the display order. */
    position: integer().notNull().default(0),
    userEmail: text().notNull().default(''),
    userRole: text().notNull().default('').$type<Role>(),
  },
  (table) => [uniqueIndex('users_userEmail_unique').on(sql`lower(${table.userEmail})`)],
);

/** Secrets of the links that invite people who are in the list of users but have no verified account. */
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

/** A single row, which the first run writes. If two setups run concurrently, the primary key rejects the second one. */
export const firstRun = sqliteTable('first_run', {
  id: integer().primaryKey(),
  doneAt: integer().notNull(),
});
