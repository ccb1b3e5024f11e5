/** Accounts: sign-up, sign-in and whatever changes a password or proves an email. */
import { and, eq, sql } from 'drizzle-orm';
import type { Context } from 'hono';
import { adminPasswordMinLength, normalizeEmail, signInTexts } from '../contract/accounts.ts';
import { newId } from '../contract/ids.ts';
import { contentTables } from '../db/content-tables.ts';
import { type Database, isUniqueViolation, writeBatch } from '../db/client.ts';
import type { AppEnv } from '../http/app.ts';
import { ApiError, conflict, invalid } from '../http/errors.ts';
import { isCommonPassword } from './common-passwords.ts';
import { allowanceFor, checkFlood, clientAddress, giveBackAllowance, takeAllowance } from './limits.ts';
import { hashPassword, verifyPassword } from './passwords.ts';
import { accounts } from './schema.ts';
import { adminRecordOfAccount, type SignInAccount } from './session.ts';

const users = contentTables.adminUser;

interface StoredAccount extends SignInAccount {
  readonly passwordHash: string | null;
  readonly googleSubject: string | null;
}

/** The account that a condition names, with its role. */
export async function findAccount(
  db: Database,
  by: { readonly email: string } | { readonly id: string } | { readonly googleSubject: string },
): Promise<StoredAccount | undefined> {
  const condition =
    'email' in by
      ? eq(accounts.email, normalizeEmail(by.email))
      : 'id' in by
        ? eq(accounts.id, by.id)
        : eq(accounts.googleSubject, by.googleSubject);
  const row = await db
    .select({ account: accounts, adminRecordId: users._id })
    .from(accounts)
    .leftJoin(users, adminRecordOfAccount)
    .where(condition)
    .get();
  if (!row) return undefined;
  const emailVerified = row.account.emailVerifiedAt !== null;
  return { ...row.account, emailVerified, isAdmin: emailVerified && row.adminRecordId !== null };
}

/** Whether an email stands in the list of administrators, with an account or not. */
async function hasAdminRecord(db: Database, email: string): Promise<boolean> {
  const record = await db
    .select({ id: users._id })
    .from(users)
    .where(and(sql`lower(${users.userEmail}) = ${normalizeEmail(email)}`, eq(users.userRole, 'Admin')))
    .get();
  return record !== undefined;
}

/**
 * Refuses a password that guessers try first, and a short one for an administrator.
 * @param field name of the form's field, which the error names
 */
export async function checkNewPassword(
  db: Database,
  { email, password, field = 'password' }: { email: string; password: string; field?: string },
): Promise<void> {
  if (isCommonPassword(password) || normalizeEmail(password) === normalizeEmail(email))
    throw invalid({ [field]: 'This password is easily guessed. Please choose another.' });
  if (password.length < adminPasswordMinLength && (await hasAdminRecord(db, email)))
    throw invalid({ [field]: `Minimum ${adminPasswordMinLength} Characters for an administrator` });
}

/** Makes an account whose email is not verified yet. @throws ApiError 409 when the email has one */
export async function registerAccount(
  c: Context<AppEnv>,
  { email: typed, password }: { email: string; password: string },
): Promise<SignInAccount> {
  const { db } = c.var;
  const email = normalizeEmail(typed);
  await checkFlood(c);
  await takeAllowance(db, allowanceFor(c.env, 'signUpAddress', clientAddress(c)));
  await checkNewPassword(db, { email, password });
  const account = { id: newId(), email, passwordHash: await hashPassword(password), createdAt: Date.now() };
  try {
    await writeBatch(db, [db.insert(accounts).values(account)]);
  } catch (error) {
    if (isUniqueViolation(error)) throw conflict(signInTexts.taken, { errors: { email: signInTexts.taken } });
    throw error;
  }
  return { id: account.id, email, emailVerified: false, isAdmin: false, passwordVersion: 1 };
}

/**
 * Checks the password of an account within the allowances, which a right password does not use up.
 * @returns whether it is right; for no account the same work is done
 */
export async function checkPassword(
  c: Context<AppEnv>,
  email: string,
  password: string,
  readAccount: () => Promise<StoredAccount | undefined>,
): Promise<StoredAccount | undefined> {
  const { db } = c.var;
  const ofAddress = allowanceFor(c.env, 'signInAddress', clientAddress(c));
  const ofAccount = allowanceFor(c.env, 'signInAccount', normalizeEmail(email));
  await checkFlood(c);
  await takeAllowance(db, ofAddress);
  await takeAllowance(db, ofAccount);
  const giveBack = () =>
    writeBatch(
      db,
      [ofAddress, ofAccount].map((allowance) => giveBackAllowance(db, allowance)),
    );
  try {
    const account = await readAccount();
    if (!(await verifyPassword(password, account?.passwordHash))) return undefined;
    await giveBack();
    return account;
  } catch (error) {
    await giveBack();
    throw error;
  }
}

/** Whose email and password these are. @throws ApiError 401 with the same words for an unknown email */
export async function signIn(
  c: Context<AppEnv>,
  { email, password }: { email: string; password: string },
): Promise<SignInAccount> {
  const account = await checkPassword(c, email, password, () => findAccount(c.var.db, { email }));
  if (!account) throw new ApiError(401, signInTexts.failed);
  return account;
}
