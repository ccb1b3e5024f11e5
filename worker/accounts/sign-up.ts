import { normalizeEmail, signInTexts } from '#contract/account-rules.ts';
import { newId } from '#contract/ids.ts';
import { isUniqueViolation, writeBatch } from '../db/client.ts';
import type { RequestDeps } from '../http/app.ts';
import { conflict } from '../http/errors.ts';
import { clientAddress } from '../http/network-address.ts';
import { rateLimitFor, countAttemptAndRead } from '../limits/rate-limits.ts';
import { accessOf, type SignInAccount } from './find-account.ts';
import { linkStatements } from './links.ts';
import { firmNames, isShort, refuseGuessable } from './password-choice.ts';
import { hashPassword } from './password-hash.ts';
import { accounts } from './schema.ts';

/**
 * Creates an account and emails it a link.
 * @param next the page that the link continues to
 * @throws ApiError 409 if the email already has an account
 */
export async function registerAccount(
  deps: RequestDeps,
  { email: typed, password, next }: { email: string; password: string; next: string | undefined },
): Promise<SignInAccount> {
  const { db, env } = deps;
  const email = normalizeEmail(typed);
  const limit = rateLimitFor(env, 'signUpAddress', clientAddress(deps));
  refuseGuessable(env, { email, password }, await countAttemptAndRead(db, [limit], firmNames(db)));
  const account = {
    id: newId(),
    email,
    passwordHash: await hashPassword(password),
    hasShortPassword: isShort(password),
    createdAt: Date.now(),
  };
  try {
    await writeBatch(db, [
      db.insert(accounts).values(account),
      ...linkStatements(db, env, 'verify', { ...account, hasPassword: true, next }, 'notice'),
    ]);
  } catch (error) {
    if (isUniqueViolation(error)) throw conflict(signInTexts.taken, { errors: { email: signInTexts.taken } });
    throw error;
  }
  const { id, hasShortPassword } = account;
  const access = accessOf({ emailVerifiedAt: null, hasShortPassword }, null);
  return { id, email, ...access, hasPasskey: false, passwordVersion: 1 };
}
