/** Sets a new password: changed by its owner, or reset with an emailed link. */
import { eq, sql } from 'drizzle-orm';
import { signInTexts } from '#contract/account-rules.ts';
import type { Account } from '#contract/accounts.ts';
import { auditOfRequest } from '../audit/audit.ts';
import { assert } from '../db/assert.ts';
import { writeBatch, writeUnlessConflict } from '../db/client.ts';
import type { RequestDeps } from '../http/app.ts';
import { conflict, invalid } from '../http/errors.ts';
import { clientAddress } from '../http/network-address.ts';
import { runInBackground } from '../http/run-in-background.ts';
import { resetLimit, countAttempt } from '../limits/rate-limits.ts';
import { deliverMail } from '../mail/outbox.ts';
import { accessOf, findAccount, type SignInAccount, type StoredAccount } from './find-account.ts';
import { unlinkGoogle } from './google.ts';
import { confirmOwnPassword } from './guesses.ts';
import { findKnownDevice } from './known-device.ts';
import { queueLimitedMail } from './limited-mail.ts';
import { revokeLinks, findLinkAccount, linkStatements, consumeLink } from './links.ts';
import { passwordChangedMail } from './mails.ts';
import { accountExists, assertAccount } from './owner.ts';
import { checkNewPassword, isShort } from './password-choice.ts';
import { hashPassword } from './password-hash.ts';
import { accounts, passwordChanges } from './schema.ts';
import { deleteSessions } from './sessions.ts';

interface ResetRequest {
  readonly email: string;
  /** The page that the link continues to. */
  readonly next: string | undefined;
  /** The cookie that may identify a known device. See known-device.ts. */
  readonly deviceCookie: string | undefined;
}

/**
 * Emails a password reset link if the address has an account. Neither the response nor its timing reveals whether it
 * does, because we look up the account after responding. Earlier links stay valid for their ten minutes; a new password
 * ends them all.
 * @throws ApiError 429 when this address asks too often
 */
export async function requestReset(
  deps: RequestDeps,
  { email, next, deviceCookie }: ResetRequest,
): Promise<void> {
  const { db, env, log } = deps;
  const device = await findKnownDevice(deps, { email, cookie: deviceCookie });
  if (!device) await countAttempt(deps, 'resetAddress', clientAddress(deps));
  const mailLink = async () => {
    const account = await findAccount(db, { email });
    if (!account) return;
    const asked = device?.name ?? `${account.id} ${clientAddress(deps)}`;
    await countAttempt(deps, device ? 'mailKnown' : 'mailAddress', asked);
    await countAttempt(deps, device ? 'mailKnownAccount' : 'mailAccount', account.id);
    const occasion = device ? 'link for a known caller' : 'link for a stranger';
    await writeBatch(db, linkStatements(db, env, 'reset', { ...account, next }, occasion));
    await deliverMail(env, log, db);
  };
  runInBackground(deps, mailLink, (failure) => log('reset.not-mailed', failure));
}

interface NewPassword {
  readonly account: Pick<StoredAccount, 'id' | 'email' | 'passwordVersion' | 'hasPasskey'>;
  readonly password: string;
  /** The secret of the emailed link; absent if the owner entered the current password. */
  readonly token?: string;
}

/**
 * Writes a new password, ends all sessions and reset links, notifies the owner, and resets the rate limits for
 * guesses.
 * @returns false if another new password came first or the link is no longer valid
 */
async function writePassword(
  deps: RequestDeps,
  { account: { id, email, passwordVersion, hasPasskey: hasOne }, password, token }: NewPassword,
): Promise<boolean> {
  const { db, env } = deps;
  // The caller has a session or an emailed link, so the caller is known.
  const passwordHash = await hashPassword(password, email);
  const now = Date.now();
  const version = passwordVersion + 1;
  const isReset = token !== undefined;
  const reason = isReset ? 'reset' : 'changed';
  // Opening a link from an email proves that the person owns the address.
  const emailVerifiedAt = sql`coalesce(${accounts.emailVerifiedAt}, ${isReset ? now : null})`;
  const isSamePassword = eq(accounts.passwordVersion, passwordVersion);
  const statements = [
    ...(isReset ? consumeLink(db, token) : []),
    assertAccount(db, id),
    // If an invitation was accepted in the meantime, the account now belongs to someone else.
    assert(db, accountExists(id, isSamePassword)),
    db.insert(passwordChanges).values({ accountId: id, version, reason, changedAt: now }),
    auditOfRequest(deps, { action: isReset ? 'passwordReset' : 'passwordChanged', accountId: id }),
    ...(isReset ? unlinkGoogle(deps, id) : []),
    db
      .update(accounts)
      .set({
        passwordHash,
        hasShortPassword: isShort(password),
        passwordVersion: version,
        emailVerifiedAt,
      })
      .where(eq(accounts.id, id)),
    deleteSessions(db, id),
    // This also ends a link with which someone else tried to change the email.
    revokeLinks(db, ['reset', 'email'], id),
    resetLimit(db, { kind: 'signInAccount', key: email }),
    ...queueLimitedMail(db, env, {
      accountId: id,
      to: email,
      kind: 'password-changed',
      content: passwordChangedMail(env.SITE_URL, reason, hasOne),
    }),
  ];
  return writeUnlessConflict(db, statements);
}

/**
 * Gives an account a new password with its emailed link, which verifies its email.
 * @returns the account with its new password
 * @throws ApiError 422 if the link is no longer valid or the password is weak
 */
export async function confirmReset(
  deps: RequestDeps,
  { token, password }: { token: string; password: string },
): Promise<Pick<SignInAccount, 'id' | 'email' | 'passwordVersion'>> {
  const account = await findLinkAccount(deps.db, ['reset'], token);
  await checkNewPassword(deps, { email: account.email, password });
  if (!(await writePassword(deps, { account, password, token })))
    throw invalid({ token: signInTexts.linkOver });
  return { ...account, passwordVersion: account.passwordVersion + 1 };
}

/**
 * Changes the caller's own password.
 * @returns the account with its new password
 */
export async function changePassword(
  deps: RequestDeps,
  caller: Account,
  { currentPassword, newPassword }: { currentPassword: string; newPassword: string },
): Promise<SignInAccount> {
  const { email, emailVerified } = caller;
  const chosen = { email, password: newPassword, field: 'newPassword' };
  await checkNewPassword(deps, chosen, emailVerified);
  const account = await confirmOwnPassword(deps, caller, {
    password: currentPassword,
    field: 'currentPassword',
  });
  if (!(await writePassword(deps, { account, password: newPassword })))
    throw conflict('Your password has just been changed elsewhere. Please log in again.');
  const changed = { ...account, hasShortPassword: isShort(newPassword) };
  return { ...changed, ...accessOf(changed, account.role), passwordVersion: account.passwordVersion + 1 };
}
