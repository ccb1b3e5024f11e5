/** Signs people in with a password, and lists the other ways to confirm their identity. */
import { type Account, signInTexts } from '#contract/accounts.ts';
import type { Database } from '../db/client.ts';
import type { RequestDeps } from '../http/app.ts';
import { ApiError } from '../http/errors.ts';
import { findAccount, type SignInAccount } from './find-account.ts';
import { checkPassword } from './guesses.ts';

/**
 * Finds the account with this email and password.
 * @throws ApiError 401 with the same message if the email is unknown
 */
export async function signIn(
  deps: RequestDeps,
  { email, password, deviceCookie }: { email: string; password: string; deviceCookie: string | undefined },
): Promise<SignInAccount> {
  const account = await checkPassword(deps, { email, password, deviceCookie, by: { email } });
  if (!account) throw new ApiError(401, signInTexts.failed);
  return account;
}

/** The ways to confirm an account's identity other than passkeys. */
export async function waysToConfirm(
  db: Database,
  { id }: Account,
): Promise<{ readonly password: boolean; readonly google: boolean }> {
  const account = await findAccount(db, { id });
  return { password: Boolean(account?.passwordHash), google: Boolean(account?.googleSubject) };
}
