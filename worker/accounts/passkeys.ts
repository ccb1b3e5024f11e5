/**
 * The passkeys of an account. A signed-in person who has just confirmed their identity can add them. We email the owner
 * about each change, because a new password does not invalidate a passkey. The database stores only public keys.
 * passkey-sign-in.ts uses them.
 */
import { and, desc, eq, isNotNull, ne, not, or, sql, type SQL } from 'drizzle-orm';
import type { Account } from '#contract/accounts.ts';
import type { CreationOptions, NewCredential, Passkey } from '#contract/passkeys.calls.ts';
import { newId } from '#contract/ids.ts';
import { assert } from '../db/assert.ts';
import {
  readTogether,
  runUnlessConflict,
  writeTogether,
  writeUnlessConflict,
  type Database,
  type Statement,
} from '../db/client.ts';
import { hasRow } from '../db/has-row.ts';
import type { RequestDeps } from '../http/app.ts';
import { momentOf } from '../http/clock.ts';
import { conflict, notFound } from '../http/errors.ts';
import { newSecret } from '../http/secrets.ts';
import { deviceOf } from './device.ts';
import { noticeStatements } from './notices.ts';
import { accountExists } from './owner.ts';
import { codesLeftQuery, deleteRecoveryCodes, newRecoveryCodes } from './recovery-codes.ts';
import { accounts, passkeys } from './schema.ts';
import { assertSignedIn, checkMayChangeSignInMethods, confirmSession } from './sessions.ts';
import {
  checkNewCredential,
  creationOptions,
  type NewlyMade,
  type Purpose,
  spendChallenge,
} from './webauthn.ts';

export const tryAgain = 'That took too long, or was interrupted. Please try again.';
export const interrupted = () => conflict(tryAgain);

const maxPasskeys = 20;

type StoredPasskey = typeof passkeys.$inferSelect;

const toPasskey = (row: Omit<StoredPasskey, 'accountId'>): Passkey => ({
  _id: row._id,
  credentialId: row.credentialId,
  name: row.name,
  addedAt: new Date(row.addedAt).toISOString(),
  lastUsedAt: momentOf(row.lastUsedAt),
});

export const passkeysOf = (db: Database, accountId: string) =>
  db.select().from(passkeys).where(eq(passkeys.accountId, accountId));

/** An account's passkeys, newest first, and how many recovery codes it has left. */
export async function listPasskeys(
  db: Database,
  { id }: Account,
): Promise<{ readonly passkeys: readonly Passkey[]; readonly recoveryCodesLeft: number }> {
  const newestFirst = passkeysOf(db, id).orderBy(desc(passkeys._id));
  const [rows, [codes]] = await readTogether(db, [newestFirst, codesLeftQuery(db, id)]);
  return { passkeys: rows.map(toPasskey), recoveryCodesLeft: codes?.left ?? 0 };
}

/** The statements that delete an account's passkeys and recovery codes. */
export const deletePasskeys = (db: Database, accountId: string | SQL<string>): Statement[] => [
  db.delete(passkeys).where(eq(passkeys.accountId, accountId)),
  deleteRecoveryCodes(db, accountId),
];

/** The purpose of adding a passkey, valid only in the caller's session. */
const adding = ({ sessionId }: Account): Purpose => ({ purpose: 'add', by: sessionId });

/**
 * The options with which a device creates a passkey for the caller.
 * @throws ApiError 403, 409
 */
export async function generateRegistrationOptions(
  deps: RequestDeps,
  account: Account,
): Promise<CreationOptions> {
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
 * A verified new passkey, with the statements that add it and use up its challenge. The batch fails if the key is
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
 * @throws ApiError 403, 409 if the passkey is already stored, there are too many, or the challenge has expired or was
 *   answered
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

/** @throws ApiError 403, 404, 409 if the account would have no other sign-in method */
export async function removePasskey(deps: RequestDeps, account: Account, id: string): Promise<void> {
  checkMayChangeSignInMethods(account);
  const { db } = deps;
  const { id: accountId } = account;
  const ofAccount = eq(passkeys.accountId, accountId);
  const otherWays = or(isNotNull(accounts.passwordHash), isNotNull(accounts.googleSubject));
  const hasOther = or(
    hasRow(passkeys, and(ofAccount, ne(passkeys._id, id))),
    accountExists(accountId, otherWays),
  );
  const isRemoved = await writeUnlessConflict(db, [
    assert(db, sql`${hasRow(passkeys, ownPasskey(account, id))} and ${hasOther}`),
    db.delete(passkeys).where(ownPasskey(account, id)),
    deleteRecoveryCodes(db, accountId, not(hasRow(passkeys, ofAccount))),
    ...noticeStatements(deps, account, 'passkey-removed'),
  ]);
  if (isRemoved) return;
  if ((await db.$count(passkeys, ownPasskey(account, id))) === 0) throw noPasskey();
  throw conflict(
    'You have no other way to log in. Choose a password under “Password” in your account first.',
  );
}
