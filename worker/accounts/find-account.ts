/** Looks up accounts together with their record in the list of users. */
import { eq, sql, type SQL } from 'drizzle-orm';
import { normalizeEmail } from '#contract/account-rules.ts';
import type { SessionlessAccount } from '#contract/accounts.ts';
import { hasAbility, type Requirement, type Role } from '#contract/audience.ts';
import type { Database } from '../db/client.ts';
import { accounts, passkeys, users } from './schema.ts';

export interface SignInAccount extends SessionlessAccount {
  /** The version of the password that this sign-in was checked against. A newer password ends the session. */
  readonly passwordVersion: number;
}

export type StoredAccount = Readonly<typeof accounts.$inferSelect> & SignInAccount;

/** Joins an account to its record in the list of users. The comparison of emails ignores case. */
export const recordOfAccount = sql`lower(${users.userEmail}) = ${accounts.email}`;

export const recordOfEmail = (email: string): SQL =>
  sql`lower(${users.userEmail}) = ${normalizeEmail(email)}`;

export const hasPasskey = sql`exists (select 1 from ${passkeys} where ${passkeys.accountId} = ${accounts.id})`
  .mapWith(Boolean)
  .as('hasPasskey');

/**
 * The role of an account, and what the account must do first, computed from its row and its record in the list of
 * users.
 */
export function accessOf(
  account: Pick<typeof accounts.$inferSelect, 'emailVerifiedAt' | 'hasShortPassword'>,
  userRole: Role | null,
): { readonly emailVerified: boolean; readonly role: Role; readonly lacks: Requirement | null } {
  const emailVerified = account.emailVerifiedAt !== null;
  const role = (emailVerified && userRole) || 'User';
  return {
    emailVerified,
    role,
    lacks: hasAbility(role, 'staff') && account.hasShortPassword ? 'longPassword' : null,
  };
}

export type AccountKey =
  { readonly email: string } | { readonly id: string } | { readonly googleSubject: string };

export const accountQuery = (db: Database, by: AccountKey) =>
  db
    .select({ account: accounts, userRole: users.userRole, hasPasskey })
    .from(accounts)
    .leftJoin(users, recordOfAccount)
    .where(
      'email' in by
        ? eq(accounts.email, normalizeEmail(by.email))
        : 'id' in by
          ? eq(accounts.id, by.id)
          : eq(accounts.googleSubject, by.googleSubject),
    );

export const toStoredAccount = ([row]: Awaited<ReturnType<typeof accountQuery>>): StoredAccount | undefined =>
  row && { ...row.account, hasPasskey: row.hasPasskey, ...accessOf(row.account, row.userRole) };

export const findAccount = async (db: Database, by: AccountKey): Promise<StoredAccount | undefined> =>
  toStoredAccount(await accountQuery(db, by));

/** The id of the account with an email; empty if there is none. */
export const idOfEmail = (email: string) =>
  sql<string>`coalesce((select ${accounts.id} from ${accounts} where ${accounts.email} = ${normalizeEmail(email)}), '')`;
