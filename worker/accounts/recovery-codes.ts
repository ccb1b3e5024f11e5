/**
 * Recovery codes. A person who has lost their passkeys signs in with a code, once, and then adds another passkey. There
 * are ten, with 80 random bits each, so an unsalted hash is enough. We show them only when we create them.
 */
import { randomBytes } from 'node:crypto';
import { and, count, eq, sql, type SQL } from 'drizzle-orm';
import type { Account } from '#contract/accounts.ts';
import { assert } from '../db/assert.ts';
import { writeBatch, writeUnlessConflict, type Database, type Statement } from '../db/client.ts';
import { hasRow } from '../db/has-row.ts';
import type { RequestDeps } from '../http/app.ts';
import { ApiError, conflict } from '../http/errors.ts';
import { hashSecret } from '../http/secrets.ts';
import type { SignInAccount } from './find-account.ts';
import { checkGuess } from './guesses.ts';
import { noticeStatements } from './notices.ts';
import { recoveryCodes } from './schema.ts';
import { assertSignedIn, checkMayChangeSignInMethods } from './sessions.ts';

const howMany = 10;
/** Crockford's base 32, which has no characters that look alike. https://www.crockford.com/base32.html */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

/** A code as displayed: `k7qm-2x9d-8fhz-w3tn`. */
function newCode(): string {
  const letters = Array.from(randomBytes(16), (byte) => alphabet[byte % alphabet.length] ?? '');
  return [0, 4, 8, 12].map((at) => letters.slice(at, at + 4).join('')).join('-');
}

/** A code in the format that we compare: without separators, and with easily confused letters replaced. */
const normalize = (typed: string): string =>
  typed
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')
    .replaceAll('o', '0')
    .replaceAll(/[il]/g, '1');

const hashCode = (accountId: string, typed: string): string =>
  hashSecret(`${accountId}\n${normalize(typed)}`);

const codesOf = (accountId: string | SQL<string>) => eq(recoveryCodes.accountId, accountId);

export const codesLeftQuery = (db: Database, accountId: string) =>
  db.select({ left: count() }).from(recoveryCodes).where(codesOf(accountId));

/** @param condition deletes them only if it holds */
export const deleteRecoveryCodes = (
  db: Database,
  accountId: string | SQL<string>,
  condition?: SQL,
): Statement => db.delete(recoveryCodes).where(and(codesOf(accountId), condition));

/** Ten new codes, and the statement that stores them unless the account has some. It changes ten rows or none. */
export function newRecoveryCodes(
  db: Database,
  accountId: string,
): { readonly codes: readonly string[]; readonly statement: Statement } {
  const codes = Array.from({ length: howMany }, newCode);
  const hashes = JSON.stringify(codes.map((code) => hashCode(accountId, code)));
  return {
    codes,
    statement: db
      .insert(recoveryCodes)
      .select(
        sql`SELECT value, ${accountId}, ${Date.now()} FROM json_each(${hashes}) WHERE NOT EXISTS (SELECT 1 FROM ${recoveryCodes} WHERE ${codesOf(accountId)})`,
      ),
  };
}

/**
 * Replaces the caller's codes with new ones.
 * @throws ApiError 403, 409 for an account without a passkey
 */
export async function replaceRecoveryCodes(deps: RequestDeps, account: Account): Promise<readonly string[]> {
  const { db } = deps;
  const { id } = account;
  checkMayChangeSignInMethods(account);
  if (!account.hasPasskey) throw conflict('Recovery codes go with a passkey. Add a passkey first.');
  const { codes, statement } = newRecoveryCodes(db, id);
  await writeBatch(db, [
    assertSignedIn(db, account),
    deleteRecoveryCodes(db, id),
    statement,
    ...noticeStatements(deps, account, 'recovery-codes'),
  ]);
  return codes;
}

interface TypedCode {
  readonly email: string;
  readonly code: string;
  /** The cookie that may identify a known device. See known-device.ts. */
  readonly deviceCookie: string | undefined;
}

/**
 * Finds the account of a recovery code and uses up the code. Wrong codes count like wrong passwords.
 * @throws ApiError 401, with the same message as for an unknown email, 429
 */
export async function useRecoveryCode(
  deps: RequestDeps,
  { email, code, deviceCookie }: TypedCode,
): Promise<SignInAccount> {
  const { db } = deps;
  const account = await checkGuess(deps, { email, deviceCookie, by: { email } }, async (found) => {
    const id = found?.id ?? 'nobody';
    const isIt = and(codesOf(id), eq(recoveryCodes.id, hashCode(id, code)));
    const isUsed = await writeUnlessConflict(db, [
      assert(db, hasRow(recoveryCodes, isIt)),
      db.delete(recoveryCodes).where(isIt),
      ...noticeStatements(deps, { id, email }, 'recovery-code-used'),
    ]);
    return isUsed && found !== undefined;
  });
  if (!account)
    throw new ApiError(401, 'This email and recovery code do not match. Each code works only once.');
  return account;
}
