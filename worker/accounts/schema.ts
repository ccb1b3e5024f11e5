/**
 * Tables of the accounts. No secret is stored in the clear: sessions and tokens are kept as SHA-256 of what the
 * browser or the mail holds, passwords as scrypt. Times are in ms.
 */
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

export const accounts = sqliteTable('accounts', {
  id: text().primaryKey(),
  /** In lower case, so that emails compare without regard to case. */
  email: text().notNull().unique(),
  emailVerifiedAt: integer(),
  /** See passwords.ts; null for an account that only signs in with Google. */
  passwordHash: text(),
  /** Counts the passwords; a session made under an earlier one is over. */
  passwordVersion: integer().notNull().default(1),
  googleSubject: text().unique(),
  createdAt: integer().notNull(),
});

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
  },
  (table) => [index('sessions_account').on(table.accountId), index('sessions_created').on(table.createdAt)],
);

/** Secrets of mailed links. */
export const accountTokens = sqliteTable(
  'account_tokens',
  {
    /** SHA-256 of the secret in the link. */
    id: text().primaryKey(),
    accountId: accountId(),
    purpose: text({ enum: ['verify', 'reset'] }).notNull(),
    expiresAt: integer().notNull(),
  },
  (table) => [
    index('account_tokens_account').on(table.accountId),
    index('account_tokens_expires').on(table.expiresAt),
  ],
);

/**
 * Every new password, and how it came about. The primary key makes of two rivals one: the second batch that inserts
 * the same version aborts whole.
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

/** The one row that the first run leaves: its primary key makes of two racing set-ups one. */
export const firstRun = sqliteTable('first_run', {
  id: integer().primaryKey(),
  doneAt: integer().notNull(),
});
