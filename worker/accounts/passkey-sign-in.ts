/** Signs a person in with a passkey, or confirms the identity of a signed-in person with one. */
import { and, eq, lt, or, sql } from 'drizzle-orm';
import type { Account } from '#contract/accounts.ts';
import type { Assertion, RequestOptions } from '#contract/passkeys.calls.ts';
import { unknownPasskey } from '#contract/problem.ts';
import { recordAudit, recordRefusedSignIn } from '../audit/audit.ts';
import { runUnlessConflict, writeBatch, type Database } from '../db/client.ts';
import type { RequestDeps } from '../http/app.ts';
import { ApiError } from '../http/errors.ts';
import { countAttempt } from '../limits/rate-limits.ts';
import { findAccount } from './find-account.ts';
import { noticeStatements } from './notices.ts';
import { passkeysOf, tryAgain } from './passkeys.ts';
import { passkeys } from './schema.ts';
import { confirmSession } from './sessions.ts';
import { type Checked, checkAssertion, type Purpose, requestOptions, spendChallenge } from './webauthn.ts';

/** The purpose of confirming an identity, valid only in the caller's session. */
const confirming = ({ sessionId }: Account): Purpose => ({ purpose: 'confirm', by: sessionId });
const signingIn: Purpose = { purpose: 'signIn', by: '' };

/**
 * The options with which a device signs in with a passkey.
 * @throws ApiError 409
 */
export const generateSignInOptions = (deps: RequestDeps): RequestOptions => requestOptions(deps, signingIn);

/** The options with which a device confirms the caller's identity by passkey; null for an account without one. */
export const generateConfirmationOptions = async (
  deps: RequestDeps,
  account: Account,
): Promise<RequestOptions | null> =>
  account.hasPasskey
    ? requestOptions(deps, confirming(account), await passkeysOf(deps.db, account.id))
    : null;

async function findPasskey(db: Database, credentialId: string) {
  const passkey = await db.select().from(passkeys).where(eq(passkeys.credentialId, credentialId)).get();
  const account = passkey && (await findAccount(db, { id: passkey.accountId }));
  return account && { passkey, account };
}

type Found = NonNullable<Awaited<ReturnType<typeof findPasskey>>>;

const refusals = {
  unknown: 'No account here uses this passkey. It may have been removed. Please log in another way.',
  interrupted: tryAgain,
  copy: 'This passkey seems to be a copy, so we did not accept it. We sent you an email that says what to do.',
} as const;

/**
 * Warns the owner of a passkey that someone may have copied it.
 * @throws ApiError 429 if that happens too often
 */
async function warnOfCopy(deps: RequestDeps, { account, passkey: { _id } }: Found) {
  const { db } = deps;
  recordAudit(deps, { action: 'passkeyRefused', accountId: account.id, recordId: _id });
  await countAttempt(deps, 'mailKnown', _id);
  await writeBatch(db, noticeStatements(deps, account, 'passkey-refused'));
}

/**
 * Uses up the challenge and updates the passkey's counter.
 * @returns why the passkey was refused
 */
async function countUp(
  db: Database,
  { passkey: { _id } }: Found,
  { challenge, counter }: Checked,
): Promise<keyof typeof refusals | undefined> {
  const hasGoneUp = or(lt(passkeys.counter, counter), sql`${passkeys.counter} + ${counter} = 0`);
  const written = await runUnlessConflict(db, [
    spendChallenge(db, challenge),
    db
      .update(passkeys)
      .set({ counter, lastUsedAt: Date.now() })
      .where(and(eq(passkeys._id, _id), hasGoneUp)),
  ]);
  if (!written) return 'interrupted';
  return written[1]?.rowsAffected === 1 ? undefined : 'copy';
}

/**
 * Finds the passkey that a device presented, uses up the challenge and updates the counter.
 * @param owner the account that it must belong to, if known
 * @throws ApiError if the passkey is refused: 409 for a signed-in owner, otherwise 401
 */
async function takeAssertion(
  deps: RequestDeps,
  purpose: Purpose,
  assertion: Assertion,
  owner?: Account,
): Promise<Found> {
  const { db } = deps;
  const found = await findPasskey(db, assertion.id);
  const refuse = (why: keyof typeof refusals) => {
    const accountId = found?.account.id ?? owner?.id ?? '';
    if (why !== 'copy')
      recordRefusedSignIn(deps, { by: 'passkey', accountId, recordId: found?.passkey._id ?? '' });
    return new ApiError(owner ? 409 : 401, refusals[why], found ? {} : { [unknownPasskey]: true });
  };
  const { userHandle = found?.account.passkeyHandle } = assertion;
  if (!found || userHandle !== found.account.passkeyHandle || (owner && owner.id !== found.account.id))
    throw refuse('unknown');
  const checked = await checkAssertion(deps, purpose, assertion, found.passkey.publicKey);
  const refusal = checked ? await countUp(db, found, checked) : 'interrupted';
  if (refusal === undefined) return found;
  if (refusal === 'copy') await warnOfCopy(deps, found);
  throw refuse(refusal);
}

/**
 * Finds the account that a passkey signs in to.
 * @throws ApiError 401, 429
 */
export const signInByPasskey = (deps: RequestDeps, assertion: Assertion): Promise<Found> =>
  takeAssertion(deps, signingIn, assertion);

/**
 * Confirms the caller's identity by a passkey.
 * @throws ApiError 409, 429
 */
export async function confirmByPasskey(
  deps: RequestDeps,
  account: Account,
  assertion: Assertion,
): Promise<void> {
  await takeAssertion(deps, confirming(account), assertion, account);
  await confirmSession(deps.db, account, 'passkey');
}
