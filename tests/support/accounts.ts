/**
 * Accounts and sessions, written directly into the database, because hashing a password takes 100 ms. Only tests of
 * signing up and signing in make the calls.
 */
import { eq } from 'drizzle-orm';
import { newId } from '#contract/ids.ts';
import { isShort } from '#worker/accounts/password-choice.ts';
import { hashPassword } from '#worker/accounts/password-hash.ts';
import { accounts, sessions } from '#worker/accounts/schema.ts';
import type { Database } from '#worker/db/client.ts';
import { hashSecret, newSecret } from '#worker/http/secrets.ts';
import { openSystemDatabase } from '../bench/database.ts';
import { databaseAt } from './system.ts';

/** The password of customers, unless a test needs another one. */
export const customerPassword = 'a customer password';
const hashes = new Map<string, Promise<string>>();

function hashOf(password: string): Promise<string> {
  const hash = hashes.get(password) ?? hashPassword(password);
  hashes.set(password, hash);
  return hash;
}

/** Adds an account, with or without a verified email. */
export async function insertAccount(
  db: Database,
  { email, password, isVerified }: { email: string; password: string; isVerified: boolean },
): Promise<void> {
  const passwordHash = await hashOf(password);
  const now = Date.now();
  await db.insert(accounts).values({
    id: newId(now),
    email,
    emailVerifiedAt: isVerified ? now : null,
    passwordHash,
    hasShortPassword: isShort(password),
    createdAt: now,
  });
}

/**
 * Opens a session for an account.
 * @returns its token, the value of the cookie `__Host-session`
 */
export async function insertSession(db: Database, email: string): Promise<string> {
  const token = newSecret();
  const account = await db.select().from(accounts).where(eq(accounts.email, email)).get();
  if (!account) throw new Error(`There is no account of ${email}.`);
  const now = Date.now();
  await db.insert(sessions).values({
    id: hashSecret(token),
    accountId: account.id,
    passwordVersion: account.passwordVersion,
    createdAt: now,
    lastUsedAt: now,
    confirmedAt: now,
    device: '',
    _id: newId(now),
  });
  return token;
}

/** Works in the database of the copy at a URL. */
async function inDatabase<T>(url: string, work: (db: Database) => Promise<T>): Promise<T> {
  const { db, close } = openSystemDatabase(databaseAt(url));
  try {
    return await work(db);
  } finally {
    close();
  }
}

/** Adds an account to the copy at a URL. */
export const addAccount = (url: string, account: Parameters<typeof insertAccount>[1]): Promise<void> =>
  inDatabase(url, (db) => insertAccount(db, account));

/** Opens a session in the copy at a URL. */
export const addSession = (url: string, email: string): Promise<string> =>
  inDatabase(url, (db) => insertSession(db, email));
