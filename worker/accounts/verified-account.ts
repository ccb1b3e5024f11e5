/** Creates accounts whose email is already verified: for an invited person, or for the first administrator. */
import { eq, sql } from 'drizzle-orm';
import { normalizeEmail } from '#contract/account-rules.ts';
import { newId } from '#contract/ids.ts';
import type { Database, Statement } from '../db/client.ts';
import { idOfEmail } from './find-account.ts';
import { revokeLinks } from './links.ts';
import { deletePasskeys } from './passkeys.ts';
import { isShort } from './password-choice.ts';
import { hashPassword } from './password-hash.ts';
import { accounts, sessions } from './schema.ts';

interface VerifiedAccount {
  readonly email: string;
  readonly password?: string | undefined;
  readonly passkeyHandle?: string | undefined;
}

/**
 * The statements that create a verified account, with or without a password, or take over the existing account with
 * that email. Its sessions and emailed links end, and its link to Google, its passkeys and its recovery codes are
 * removed.
 */
export async function verifiedAccountStatements(
  db: Database,
  { email: typed, password, passkeyHandle }: VerifiedAccount,
): Promise<Statement[]> {
  const email = normalizeEmail(typed);
  const id = idOfEmail(email);
  const now = Date.now();
  const opened = {
    emailVerifiedAt: now,
    passwordHash: password === undefined ? null : await hashPassword(password, email),
    hasShortPassword: password !== undefined && isShort(password),
    passkeyHandle: passkeyHandle ?? null,
    googleSubject: null,
  };
  return [
    db
      .insert(accounts)
      .values({ id: newId(), email, ...opened, createdAt: now })
      .onConflictDoUpdate({
        target: accounts.email,
        set: { ...opened, passwordVersion: sql`${accounts.passwordVersion} + 1` },
      }),
    db.delete(sessions).where(eq(sessions.accountId, id)),
    ...deletePasskeys(db, id),
    revokeLinks(db, ['verify', 'reset', 'email'], id),
  ];
}
