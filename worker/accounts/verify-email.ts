/** Verifies an email with an emailed link. */
import { eq, sql } from 'drizzle-orm';
import { signInTexts } from '#contract/account-rules.ts';
import type { Account } from '#contract/accounts.ts';
import { passwordTexts } from '#contract/password-rules.ts';
import { writeBatch, writeUnlessConflict } from '../db/client.ts';
import type { RequestDeps } from '../http/app.ts';
import { invalid } from '../http/errors.ts';
import { rateLimitFor, countAttemptAndRead } from '../limits/rate-limits.ts';
import { changeEmail } from './change-email.ts';
import { accountQuery, findAccount, type SignInAccount } from './find-account.ts';
import { checkPassword } from './guesses.ts';
import { revokeLinks, findLinkAccount, linkStatements, consumeLink } from './links.ts';
import type { PersonalRecords } from './personal-data.ts';
import { accounts } from './schema.ts';

/**
 * Emails the caller another link to verify their address, unless it is verified.
 * @throws ApiError 429
 */
export async function resendVerification(
  deps: RequestDeps,
  account: Account,
  next: string | undefined,
): Promise<void> {
  if (account.emailVerified) return;
  const { db, env } = deps;
  const limit = rateLimitFor(env, 'mailKnown', account.id);
  const [found] = await countAttemptAndRead(db, [limit], accountQuery(db, { id: account.id }));
  const reader = { ...account, hasPassword: Boolean(found?.account.passwordHash), next };
  await writeBatch(db, linkStatements(db, env, 'verify', reader, 'link for a known caller'));
}

interface Verification {
  /** The secret of the emailed link. */
  readonly token: string;
  readonly password?: string | undefined;
  readonly caller: Account | undefined;
}

/**
 * Verifies an email. The emailed link proves that the caller can read the mailbox. The password proves that they
 * created the account, since someone else may have signed up with their email. A caller who is signed in to the account
 * does not have to repeat the password. The link may also be one that changes the account's email.
 * @param records what other features store under an email
 * @throws ApiError 422 if the link is no longer valid, or the password is missing or wrong
 */
export async function verifyEmail(
  deps: RequestDeps,
  { token, password, caller }: Verification,
  records: readonly PersonalRecords[],
): Promise<SignInAccount> {
  const { db } = deps;
  const { id, email, newEmail, passwordVersion } = await findLinkAccount(db, ['verify', 'email'], token);
  if (password) {
    const account = await checkPassword(deps, {
      email,
      password,
      holds: token,
      by: { id },
    });
    if (!account) throw invalid({ password: signInTexts.wrongPassword });
  } else if (caller?.id !== id) {
    throw invalid({ password: passwordTexts.required });
  }
  if (newEmail !== null) {
    await changeEmail(deps, { token, newEmail }, records);
  } else if (
    !(await writeUnlessConflict(db, [
      ...consumeLink(db, token),
      db
        .update(accounts)
        .set({ emailVerifiedAt: sql`coalesce(${accounts.emailVerifiedAt}, ${Date.now()})` })
        .where(eq(accounts.id, id)),
      revokeLinks(db, ['verify', 'email'], id),
    ]))
  ) {
    throw invalid({ token: signInTexts.linkOver });
  }
  const verified = await findAccount(db, { id });
  if (!verified) throw invalid({ token: signInTexts.linkOver });
  // The session belongs to the password that was checked. A new password set in the meantime ends it.
  return { ...verified, passwordVersion };
}
