/**
 * Devices on which somebody signed up, signed in, or set a new password by a mailed link. Failed attempts by strangers
 * must not lock out the owner, so a known device has rateLimits of its own. Its cookie holds a device id, the time it
 * was issued and a signature over both, the account id and the password version. The cookie grants no access, works for
 * that account only, expires after a number of days, and is void after a new password.
 */
import { createHmac } from 'node:crypto';
import { eq } from 'drizzle-orm';
import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { normalizeEmail } from '#contract/accounts.ts';
import { sealingKeys } from '../env.ts';
import type { AppEnv } from '../http/app.ts';
import { hostCookie } from '../http/cookies.ts';
import { newSecret, secretsEqual } from '../http/secrets.ts';
import { accounts } from './schema.ts';

const lastsSeconds = 180 * 24 * 60 * 60;

/** The account, and the version of its password, for which a device is known. */
interface Owner {
  readonly id: string;
  readonly passwordVersion: number;
}

/** @param said the device's name and when the cookie was given, in seconds, as the cookie has them */
const signatureOf = (key: string, said: string, { id, passwordVersion }: Owner): string =>
  createHmac('sha256', key).update(`device\n${said}\n${id}\n${passwordVersion}`).digest('base64url');

/**
 * What the caller's cookie claims, or undefined once it has expired. The signature can be checked only with the
 * account.
 */
function readCookie(c: Context<AppEnv>) {
  const [name = '', givenAt = '', signature = ''] = (getCookie(c, 'device', 'host') ?? '').split('.');
  const isOver = !(Number(givenAt) + lastsSeconds > Date.now() / 1_000);
  return isOver ? undefined : { name, said: `${name}.${givenAt}`, signature };
}

const isSignedFor = (c: Context<AppEnv>, read: NonNullable<ReturnType<typeof readCookie>>, owner: Owner) =>
  sealingKeys(c.env).some((key) => secretsEqual(read.signature, signatureOf(key, read.said, owner)));

/** A known device, and the account for which it is one. */
export interface KnownDevice {
  readonly name: string;
  readonly accountId: string;
}

/** The caller's device, if it is known for the account of this email. Without the cookie the database is not asked. */
export async function knownDevice(c: Context<AppEnv>, email: string): Promise<KnownDevice | undefined> {
  const read = readCookie(c);
  if (!read) return undefined;
  const account = await c.var.db
    .select({ id: accounts.id, passwordVersion: accounts.passwordVersion })
    .from(accounts)
    .where(eq(accounts.email, normalizeEmail(email)))
    .get();
  return account && isSignedFor(c, read, account) ? { name: read.name, accountId: account.id } : undefined;
}

/** Whether the browser claims to be a known device. Unverified: for presentation only. */
export const seemsKnown = (c: Context<AppEnv>): boolean => getCookie(c, 'device', 'host') !== undefined;

/** Makes the caller's device known for an account. A browser keeps only the last account. */
export function rememberDevice(c: Context<AppEnv>, owner: Owner): void {
  const [key = ''] = sealingKeys(c.env);
  const read = readCookie(c);
  const name = read && isSignedFor(c, read, owner) ? read.name : newSecret();
  const said = `${name}.${Math.floor(Date.now() / 1_000)}`;
  setCookie(c, 'device', `${said}.${signatureOf(key, said, owner)}`, { ...hostCookie, maxAge: lastsSeconds });
}
