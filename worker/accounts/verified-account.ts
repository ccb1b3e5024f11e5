/** Creates accounts whose email is already verified: an invited person's, or the first administrator's. */
import { eq, sql } from 'drizzle-orm';
import { normalizeEmail } from '#contract/accounts.ts';
import { newId } from '#contract/ids.ts';
import type { Database, Statement } from '../db/client.ts';
import { isShort } from './password-choice.ts';
import { hashPassword } from './password-hash.ts';
import { accounts, sessions } from './schema.ts';

/**
 * An account to create, and how its owner signs in: with a password, or with passkeys that know the account by
 * this handle.
 */
type VerifiedAccount = { readonly email: string } & (
  { readonly password: string } | { readonly passkeyHandle: string }
);

/**
 * The statements that create a verified account, with or without a password, or take over the existing account of
 * that email. Its sessions end, and its link to Google is removed.
 */
export async function verifiedAccountStatements(
  db: Database,
  { email: typed, ...way }: VerifiedAccount,
): Promise<Statement[]> {
  const email = normalizeEmail(typed);
  const now = Date.now();
  const opened = {
    emailVerifiedAt: now,
    passwordHash: 'password' in way ? await hashPassword(way.password, email) : null,
    hasShortPassword: 'password' in way && isShort(way.password),
    passkeyHandle: 'passkeyHandle' in way ? way.passkeyHandle : null,
    googleSubject: null,
  };
  const accountId = db.select({ id: accounts.id }).from(accounts).where(eq(accounts.email, email));
  return [
    db
      .insert(accounts)
      .values({
        id: newId(),
        email,
        ...opened,
        createdAt: now,
      })
      .onConflictDoUpdate({
        target: accounts.email,
        set: { ...opened, passwordVersion: sql`${accounts.passwordVersion} + 1` },
      }),
    db.delete(sessions).where(eq(sessions.accountId, sql`(${accountId})`)),
  ];
}
