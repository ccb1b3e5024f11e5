import { eq } from 'drizzle-orm';
import type { Account } from '#contract/accounts.ts';
import type { Profile } from '#contract/accounts.calls.ts';
import type { Database } from '../db/client.ts';
import { notFound } from '../http/errors.ts';
import { accounts } from './schema.ts';

export const toProfile = ({ name, company, phone, website }: Profile): Profile => ({
  name,
  company,
  phone,
  website,
});

const gone = () => notFound('We could not find this account.');

/** @throws ApiError 404 if the account has just been deleted */
export async function readProfile(db: Database, { id }: Pick<Account, 'id'>): Promise<Profile> {
  const account = await db.select().from(accounts).where(eq(accounts.id, id)).get();
  if (!account) throw gone();
  return toProfile(account);
}

/**
 * Changes fields; absent fields keep their value.
 * @throws ApiError 404
 */
export async function updateProfile(
  db: Database,
  { id }: Account,
  values: { readonly [F in keyof Profile]?: string | undefined },
): Promise<Profile> {
  if (Object.keys(values).length === 0) return readProfile(db, { id });
  const [account] = await db.update(accounts).set(values).where(eq(accounts.id, id)).returning();
  if (!account) throw gone();
  return toProfile(account);
}
