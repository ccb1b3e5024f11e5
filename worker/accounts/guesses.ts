/** Checks an entered password or code, within rate limits. */
import { normalizeEmail, signInTexts } from '#contract/account-rules.ts';
import type { Account } from '#contract/accounts.ts';
import { recordAudit } from '../audit/audit.ts';
import { writeBatch } from '../db/client.ts';
import type { RequestDeps } from '../http/app.ts';
import { ApiError, conflict, invalid } from '../http/errors.ts';
import { clientAddress } from '../http/network-address.ts';
import { type RateLimit, rateLimitFor, releaseAttempt, countAttemptAndRead } from '../limits/rate-limits.ts';
import { type AccountKey, accountQuery, type StoredAccount, toStoredAccount } from './find-account.ts';
import { findKnownDevice } from './known-device.ts';
import { assertPlace, verifyPassword } from './password-hash.ts';

/** Evidence that the account knows the caller. */
type Evidence =
  /** A session, or the secret of an emailed link. */
  | { readonly holds: string }
  /** The cookie of the device. See known-device.ts. */
  | { readonly deviceCookie: string | undefined };

type Guess = Evidence & {
  readonly email: string;
  /** The account whose password or code is checked. */
  readonly by: AccountKey;
};

interface Guesser {
  readonly rateLimits: readonly [RateLimit] | readonly [RateLimit, RateLimit];
  /** The name of the account for which the caller is known; undefined for a stranger. */
  readonly known: string | undefined;
}

/**
 * Strangers share the rate limits of their address and of the account. A known caller has separate rate limits
 * that strangers cannot use up.
 */
async function findGuesser(deps: RequestDeps, guess: Guess): Promise<Guesser> {
  const { env } = deps;
  const { email } = guess;
  const name = normalizeEmail(email);
  if ('holds' in guess) return { rateLimits: [rateLimitFor(env, 'signInKnown', guess.holds)], known: name };
  const device = await findKnownDevice(deps, { email, cookie: guess.deviceCookie });
  return device
    ? {
        rateLimits: [
          rateLimitFor(env, 'signInKnown', device.name),
          rateLimitFor(env, 'signInKnownAccount', device.accountId),
        ],
        known: name,
      }
    : {
        rateLimits: [
          rateLimitFor(env, 'signInAddress', clientAddress(deps)),
          rateLimitFor(env, 'signInAccount', name),
        ],
        known: undefined,
      };
}

/**
 * Checks a password or code within the rate limits. A correct one does not count against them; a wrong one is
 * audited.
 * @param isRight must do the same work if there is no account; `known` as in `hashPassword`
 * @param assertCheckable throws if nothing can be checked now, before the database counts the attempt
 * @returns the account if the password or code is correct
 */
export async function checkGuess(
  deps: RequestDeps,
  guess: Guess,
  isRight: (account: StoredAccount | undefined, known: string | undefined) => Promise<boolean>,
  assertCheckable?: (known: string | undefined) => void,
): Promise<StoredAccount | undefined> {
  const { db } = deps;
  const { rateLimits, known } = await findGuesser(deps, guess);
  assertCheckable?.(known);
  const account = toStoredAccount(await countAttemptAndRead(db, rateLimits, accountQuery(db, guess.by)));
  const giveBack = () =>
    writeBatch(
      db,
      rateLimits.map((limit) => releaseAttempt(db, limit)),
    );
  try {
    if (!(await isRight(account, known))) {
      recordAudit(deps, { action: 'signInFailed', accountId: account?.id ?? '' });
      return undefined;
    }
    await giveBack();
    return account;
  } catch (error) {
    await giveBack();
    throw error;
  }
}

/**
 * Checks the password of an account within the rate limits.
 * @returns the account if the password is correct
 */
export const checkPassword = (
  deps: RequestDeps,
  { password, ...guess }: Guess & { readonly password: string },
): Promise<StoredAccount | undefined> =>
  checkGuess(
    deps,
    guess,
    (account, known) => verifyPassword(password, account?.passwordHash, known),
    assertPlace,
  );

/**
 * Finds the account with this email and password.
 * @throws ApiError 401, with the same message for an unknown email
 */
export async function signIn(
  deps: RequestDeps,
  { email, password, deviceCookie }: { email: string; password: string; deviceCookie: string | undefined },
): Promise<StoredAccount> {
  const account = await checkPassword(deps, { email, password, deviceCookie, by: { email } });
  if (!account) throw new ApiError(401, signInTexts.failed);
  return account;
}

export const noPassword = () =>
  conflict('Your account has no password yet. Choose one under “Password” in your account first.');

/**
 * Checks the caller's own password again, before an action that a stolen session must not allow.
 * @param field name of the form field that the error is about
 * @throws ApiError 422 if it is wrong, 409 if the account has none
 */
export async function confirmOwnPassword(
  deps: RequestDeps,
  { id, email, sessionId }: Account,
  { password, field }: { password: string; field: string },
): Promise<StoredAccount> {
  const guess = { email, holds: sessionId, by: { id } };
  const isRight = (found: StoredAccount | undefined, known: string | undefined) => {
    if (found?.passwordHash === null) throw noPassword();
    return verifyPassword(password, found?.passwordHash, known);
  };
  const account = await checkGuess(deps, guess, isRight, assertPlace);
  if (!account) throw invalid({ [field]: signInTexts.wrongPassword });
  return account;
}
