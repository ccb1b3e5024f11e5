/**
 * Devices on which somebody has signed up or signed in, or set a new password by a mailed link. Strangers who fail at an
 * account lock out strangers: a known device has allowances of its own. A cookie names the device, says when it was given,
 * and carries a signature over both, the account and which of its passwords was the current one: it says nothing by itself,
 * opens nothing, counts for that account alone, for so many days, and no more after a new password.
 */
import { createHmac } from 'node:crypto';
import { eq } from 'drizzle-orm';
import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { normalizeEmail } from '#contract/accounts.ts';
import { sealingKeys } from '../env.ts';
import type { AppEnv } from '../http/app.ts';
import { newSecret, secretsEqual } from '../http/secrets.ts';
import { accounts } from './schema.ts';

const cookie = { httpOnly: true, secure: true, sameSite: 'Lax', path: '/', prefix: 'host' } as const;
const lastsSeconds = 180 * 24 * 60 * 60;

/** For whom a device is known: an account under one of its passwords. */
interface Owner {
  readonly id: string;
  readonly passwordVersion: number;
}

/** @param said the device's name and when the cookie was given, in seconds, as the cookie has them */
const signatureOf = (key: string, said: string, { id, passwordVersion }: Owner): string =>
  createHmac('sha256', key).update(`device\n${said}\n${id}\n${passwordVersion}`).digest('base64url');

/** What the caller's cookie says, unless its days are over: whether it is true depends on the account. */
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

/** The caller's device, if it is known for the account of an email. A caller without the cookie costs no question to the database. */
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

/** Whether anybody has signed up or signed in on the caller's device, as far as it says: nothing may depend on it. */
export const seemsKnown = (c: Context<AppEnv>): boolean => getCookie(c, 'device', 'host') !== undefined;

/** Makes the caller's device known for an account, for so many days from now; a browser keeps its last. */
export function rememberDevice(c: Context<AppEnv>, owner: Owner): void {
  const [key = ''] = sealingKeys(c.env);
  const read = readCookie(c);
  const name = read && isSignedFor(c, read, owner) ? read.name : newSecret();
  const said = `${name}.${Math.floor(Date.now() / 1_000)}`;
  setCookie(c, 'device', `${said}.${signatureOf(key, said, owner)}`, { ...cookie, maxAge: lastsSeconds });
}
