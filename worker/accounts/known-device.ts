/**
 * Devices on which a person signed up, signed in, or set a new password with an emailed link. Failed attempts by
 * strangers must not lock out the owner, so a known device has its own rate limits. Its cookie contains a device id,
 * the time it was issued and a signature over both, the account id and the password version. The cookie grants no
 * access and works for that account only. It expires after a number of days, and a new password invalidates it.
 */
import { eq } from 'drizzle-orm';
import { normalizeEmail } from '#contract/account-rules.ts';
import type { Database } from '../db/client.ts';
import type { Env } from '../env.ts';
import { newSecret } from '../http/secrets.ts';
import { isSignatureOf, signatureOf } from '../http/signatures.ts';
import { accounts } from './schema.ts';

/** How long a device stays known, in seconds. */
export const deviceSeconds = 180 * 24 * 60 * 60;

/** The account and password version for which a device is known. */
export interface DeviceOwner {
  readonly id: string;
  readonly passwordVersion: number;
}

/** @param said the device's id and the time the cookie was issued, in seconds, as in the cookie */
const signedText = (said: string, { id, passwordVersion }: DeviceOwner): string =>
  `device\n${said}\n${id}\n${passwordVersion}`;

/** What a cookie claims; undefined if it has expired. Verifying the signature takes the account's data. */
function readCookie(cookie = '') {
  const [name = '', givenAt = '', signature = ''] = cookie.split('.');
  const isValid = Number(givenAt) + deviceSeconds > Date.now() / 1_000;
  return isValid ? { name, said: `${name}.${givenAt}`, signature } : undefined;
}

const isSignedFor = (env: Env, read: NonNullable<ReturnType<typeof readCookie>>, owner: DeviceOwner) =>
  isSignatureOf(env, signedText(read.said, owner), read.signature);

/**
 * Finds the caller's device if it is known for the account of this email. Without the cookie, there is no database
 * query.
 */
export async function findKnownDevice(
  { db, env }: { readonly db: Database; readonly env: Env },
  { email, cookie }: { readonly email: string; readonly cookie: string | undefined },
) {
  const read = readCookie(cookie);
  if (!read) return undefined;
  const account = await db
    .select({ id: accounts.id, passwordVersion: accounts.passwordVersion })
    .from(accounts)
    .where(eq(accounts.email, normalizeEmail(email)))
    .get();
  return account && isSignedFor(env, read, account) ? { name: read.name, accountId: account.id } : undefined;
}

/**
 * The cookie that makes a device known for an account.
 * @param cookie the device's current cookie; if it is for the same account, the device keeps its id
 */
export function createDeviceCookie(
  env: Env,
  { owner, cookie }: { readonly owner: DeviceOwner; readonly cookie: string | undefined },
): string {
  const read = readCookie(cookie);
  const name = read && isSignedFor(env, read, owner) ? read.name : newSecret();
  const said = `${name}.${Math.floor(Date.now() / 1_000)}`;
  return `${said}.${signatureOf(env, signedText(said, owner))}`;
}
