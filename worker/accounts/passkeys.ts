/**
 * Passkeys, for signing in and for confirming an identity. A signed-in person who has just confirmed their identity
 * can add them. We notify the owner by mail of each change, because a new password does not invalidate a passkey.
 * The database stores only public keys.
 */
import { and, desc, eq, exists, isNotNull, lt, ne, or, sql, type SQL } from 'drizzle-orm';
import type { Account } from '#contract/accounts.ts';
import type {
  Assertion,
  CreationOptions,
  NewCredential,
  Passkey,
  RequestOptions,
} from '#contract/passkeys.calls.ts';
import { newId } from '#contract/ids.ts';
import { unknownPasskey } from '#contract/problem.ts';
import { recordAudit, recordRefusedSignIn } from '../audit/audit.ts';
import { assert } from '../db/assert.ts';
import {
  readTogether,
  runUnlessConflict,
  writeBatch,
  writeTogether,
  writeUnlessConflict,
  type Database,
  type Statement,
} from '../db/client.ts';
import type { RequestDeps } from '../http/app.ts';
import { ApiError, conflict, notFound } from '../http/errors.ts';
import { newSecret } from '../http/secrets.ts';
import { rateLimitFor, checkFlood, countAttempt } from '../limits/rate-limits.ts';
import { deliverSoon } from '../mail/outbox.ts';
import { deviceOf } from './device.ts';
import { findAccount } from './find-account.ts';
import { noticeStatements } from './notices.ts';
import { codesLeft, endRecoveryCodes, newRecoveryCodes } from './recovery-codes.ts';
import { accounts, passkeys } from './schema.ts';
import { assertSignedIn, checkMayChangeSignInMethods, confirmSession } from './sessions.ts';
import {
  type Checked,
  checkAssertion,
  checkNewCredential,
  creationOptions,
  type NewlyMade,
  type Purpose,
  requestOptions,
  spendChallenge,
} from './webauthn.ts';

const tryAgain = 'That took too long, or was interrupted. Please try again.';
export const interrupted = () => conflict(tryAgain);

/** How many passkeys an account may have. */
const maxPasskeys = 20;

type StoredPasskey = typeof passkeys.$inferSelect;

const moment = (ms: number) => new Date(ms).toISOString();

const toPasskey = ({
  _id,
  credentialId,
  name,
  addedAt,
  lastUsedAt,
}: Omit<StoredPasskey, 'accountId'>): Passkey => ({
  _id,
  credentialId,
  name,
  addedAt: moment(addedAt),
  lastUsedAt: lastUsedAt === null ? null : moment(lastUsedAt),
});

const passkeysOf = (db: Database, accountId: string) =>
  db.select().from(passkeys).where(eq(passkeys.accountId, accountId));

/** An account's passkeys, newest first, and how many recovery codes it has left. */
export async function listPasskeys(
  db: Database,
  { id }: Account,
): Promise<{ readonly passkeys: readonly Passkey[]; readonly recoveryCodesLeft: number }> {
  const newestFirst = passkeysOf(db, id).orderBy(desc(passkeys._id));
  const [rows, [codes]] = await readTogether(db, [newestFirst, codesLeft(db, id)]);
  return { passkeys: rows.map(toPasskey), recoveryCodesLeft: codes?.left ?? 0 };
}

/** The statements that delete an account's passkeys and recovery codes. */
export const forgetPasskeys = (db: Database, accountId: string | SQL<string>): Statement[] => [
  db.delete(passkeys).where(eq(passkeys.accountId, accountId)),
  endRecoveryCodes(db, accountId),
];

/** The purpose of adding a passkey, valid only in the caller's session. */
const adding = ({ sessionId }: Account): Purpose => ({ purpose: 'add', by: sessionId });
const confirming = ({ sessionId }: Account): Purpose => ({ purpose: 'confirm', by: sessionId });
const signingIn: Purpose = { purpose: 'signIn', by: '' };

/**
 * The options with which a device creates a passkey for the caller.
 * @throws ApiError 403, 409
 */
export async function beginAdding(deps: RequestDeps, account: Account): Promise<CreationOptions> {
  checkMayChangeSignInMethods(account);
  const { db } = deps;
  const [[named], exclude] = await writeTogether(db, [
    db
      .update(accounts)
      .set({ passkeyHandle: sql`coalesce(${accounts.passkeyHandle}, ${newSecret()})` })
      .where(eq(accounts.id, account.id))
      .returning({ handle: accounts.passkeyHandle }),
    passkeysOf(db, account.id),
  ]);
  if (!named?.handle) throw notFound('We could not find this account.');
  return creationOptions(deps, adding(account), { email: account.email, handle: named.handle, exclude });
}

/**
 * A verified new passkey with the statements that add it and spend its challenge. The batch fails if the key is
 * already stored or the account has the maximum number of passkeys.
 */
export function newPasskey(
  deps: RequestDeps,
  accountId: string | SQL<string>,
  { challenge, ...checked }: NewlyMade,
): { readonly passkey: Passkey; readonly statements: readonly Statement[] } {
  const { db } = deps;
  const now = Date.now();
  const row = { ...checked, _id: newId(now), name: deviceOf(deps), addedAt: now, lastUsedAt: null };
  const isRoom = sql`(select count(*) from ${passkeys} where ${passkeys.accountId} = ${accountId}) < ${maxPasskeys}`;
  return {
    passkey: toPasskey(row),
    statements: [
      spendChallenge(db, challenge),
      assert(db, isRoom),
      db.insert(passkeys).values({ ...row, accountId }),
    ],
  };
}

/**
 * Adds a passkey that the caller's device has just created. The first one comes with recovery codes.
 * @throws ApiError 403, 409 if the passkey is already stored, there are too many, or the challenge has expired or
 * was answered
 */
export async function addPasskey(
  deps: RequestDeps,
  account: Account,
  credential: NewCredential,
): Promise<{ readonly passkey: Passkey; readonly recoveryCodes: readonly string[] }> {
  checkMayChangeSignInMethods(account);
  const { db } = deps;
  const { id } = account;
  const checked = await checkNewCredential(deps, adding(account), credential);
  if (!checked) throw interrupted();
  const { passkey, statements } = newPasskey(deps, id, checked);
  const { codes, statement: keepCodes } = newRecoveryCodes(db, id);
  const results = await runUnlessConflict(db, [
    assertSignedIn(db, account),
    keepCodes,
    ...statements,
    confirmSession(db, account, 'passkey'),
    ...noticeStatements(deps, account, 'passkey-added'),
  ]);
  if (!results)
    throw conflict(
      `This passkey is already in your account, or your account has ${maxPasskeys} passkeys, which is the limit.`,
    );
  deliverSoon(deps);
  return { passkey, recoveryCodes: results[1]?.rowsAffected === codes.length ? codes : [] };
}

const ownPasskey = ({ id: accountId }: Account, id: string) =>
  and(eq(passkeys._id, id), eq(passkeys.accountId, accountId));

const noPasskey = () => notFound('We could not find this passkey.');

/** @throws ApiError 404 */
export async function renamePasskey(
  db: Database,
  account: Account,
  id: string,
  name: string,
): Promise<Passkey> {
  const [renamed] = await db.update(passkeys).set({ name }).where(ownPasskey(account, id)).returning();
  if (!renamed) throw noPasskey();
  return toPasskey(renamed);
}

/**
 * Removes a passkey.
 * @throws ApiError 403, 404, 409 if the account would have no other sign-in method
 */
export async function removePasskey(deps: RequestDeps, account: Account, id: string): Promise<void> {
  checkMayChangeSignInMethods(account);
  const { db } = deps;
  const { id: accountId } = account;
  const others = db
    .select({ id: passkeys._id })
    .from(passkeys)
    .where(and(eq(passkeys.accountId, accountId), ne(passkeys._id, id)));
  const otherWays = db
    .select({ id: accounts.id })
    .from(accounts)
    .where(
      and(
        eq(accounts.id, accountId),
        or(isNotNull(accounts.passwordHash), isNotNull(accounts.googleSubject)),
      ),
    );
  const own = db.select({ id: passkeys._id }).from(passkeys).where(ownPasskey(account, id));
  const isRemoved = await writeUnlessConflict(db, [
    assert(db, sql`${exists(own)} and (${exists(others)} or ${exists(otherWays)})`),
    db.delete(passkeys).where(ownPasskey(account, id)),
    endRecoveryCodes(db, accountId, sql`not ${exists(passkeysOf(db, accountId))}`),
    ...noticeStatements(deps, account, 'passkey-removed'),
  ]);
  if (isRemoved) {
    deliverSoon(deps);
    return;
  }
  if ((await db.$count(passkeys, ownPasskey(account, id))) === 0) throw noPasskey();
  throw conflict(
    'You have no other way to log in. Choose a password under “Password” in your account first.',
  );
}

/**
 * The options with which a device signs in with a passkey.
 * @throws ApiError 409, 429
 */
export async function beginSignIn(deps: RequestDeps): Promise<RequestOptions> {
  await checkFlood(deps);
  return requestOptions(deps, signingIn);
}

/** The options with which a device confirms the caller's identity by passkey; null for an account without one. */
export const beginConfirming = async (deps: RequestDeps, account: Account): Promise<RequestOptions | null> =>
  account.hasPasskey
    ? requestOptions(deps, confirming(account), await passkeysOf(deps.db, account.id))
    : null;

/** Finds a passkey and its account. */
async function findPasskey(db: Database, credentialId: string) {
  const passkey = await db.select().from(passkeys).where(eq(passkeys.credentialId, credentialId)).get();
  const account = passkey && (await findAccount(db, { id: passkey.accountId }));
  return account && { passkey, account };
}

type Found = NonNullable<Awaited<ReturnType<typeof findPasskey>>>;

/** Why a passkey was refused. */
const refusals = {
  unknown: 'No account here uses this passkey. It may have been removed. Please log in another way.',
  interrupted: tryAgain,
  copy: 'This passkey seems to be a copy, so we did not accept it. We have sent you an email that says what to do.',
} as const;

/**
 * Warns the owner of a passkey that someone may have copied it.
 * @throws ApiError 429 if that happens too often
 */
async function warnOfCopy(deps: RequestDeps, { account, passkey: { _id } }: Found) {
  const { db } = deps;
  recordAudit(deps, { action: 'passkeyRefused', accountId: account.id, recordId: _id });
  await countAttempt(db, rateLimitFor(deps.env, 'mailKnown', _id));
  await writeBatch(db, noticeStatements(deps, account, 'passkey-refused'));
  deliverSoon(deps);
}

/**
 * Spends the challenge and updates the passkey's counter.
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
 * Finds the passkey that a device presented, spends the challenge and updates the counter.
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
export async function signInByPasskey(deps: RequestDeps, assertion: Assertion): Promise<Found> {
  await checkFlood(deps);
  return takeAssertion(deps, signingIn, assertion);
}

/**
 * Confirms the caller's identity by a passkey.
 * @throws ApiError 409, 429
 */
export async function confirmByPasskey(
  deps: RequestDeps,
  account: Account,
  assertion: Assertion,
): Promise<void> {
  await checkFlood(deps);
  await takeAssertion(deps, confirming(account), assertion, account);
  await confirmSession(deps.db, account, 'passkey');
}
