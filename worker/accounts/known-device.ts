/**
 * Devices on which somebody has signed up or signed in, or set a new password by a mailed link. Strangers who fail at an
 * account lock out strangers: a known device has allowances of its own. A cookie names the device and carries a signature
 * over its name and the email, so that it says nothing by itself, opens nothing, and counts for that email alone.
 */
import { createHmac } from 'node:crypto';
import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { normalizeEmail } from '#contract/accounts.ts';
import { sealingKeys } from '../env.ts';
import type { AppEnv } from '../http/app.ts';
import { newSecret, secretsEqual } from '../http/secrets.ts';

const cookie = { httpOnly: true, secure: true, sameSite: 'Lax', path: '/', prefix: 'host' } as const;
const lastsSeconds = 365 * 24 * 60 * 60;

const signatureOf = (key: string, device: string, email: string): string =>
  createHmac('sha256', key)
    .update(`device\n${device}\n${normalizeEmail(email)}`)
    .digest('base64url');

/** The name of the caller's device, if it is known for an email. */
export function knownDevice(c: Context<AppEnv>, email: string): string | undefined {
  const [device = '', signature = ''] = (getCookie(c, 'device', 'host') ?? '').split('.');
  const isSigned = sealingKeys(c.env).some((key) => secretsEqual(signature, signatureOf(key, device, email)));
  return isSigned ? device : undefined;
}

/** Whether anybody has signed up or signed in on the caller's device, as far as it says: nothing may depend on it. */
export const seemsKnown = (c: Context<AppEnv>): boolean => getCookie(c, 'device', 'host') !== undefined;

/** Makes the caller's device known for an email; a browser keeps its last. */
export function rememberDevice(c: Context<AppEnv>, email: string): void {
  const [key = ''] = sealingKeys(c.env);
  const device = knownDevice(c, email) ?? newSecret();
  setCookie(c, 'device', `${device}.${signatureOf(key, device, email)}`, { ...cookie, maxAge: lastsSeconds });
}
