/**
 * The session in the browser: the cookies that identify the caller, and the middleware that reads them. A
 * separate cookie identifies a known device (known-device.ts).
 */
import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { createMiddleware } from 'hono/factory';
import type { Account, SessionlessAccount, AuthMethod } from '#contract/accounts.ts';
import type { AuditAction } from '#contract/audit.ts';
import { findScreen } from '#contract/all-screens.ts';
import { isBelowAdmin } from '#contract/screens.ts';
import type { Role } from '#contract/audience.ts';
import { recordAudit } from '../audit/audit.ts';
import { depsOf, type AppEnv } from '../http/app.ts';
import { hostCookie } from '../http/cookies.ts';
import { hashSecret, newSecret } from '../http/secrets.ts';
import type { SignInAccount } from './find-account.ts';
import { type DeviceOwner, deviceSeconds, createDeviceCookie } from './known-device.ts';
import { endSession, findSignedIn, isStaff, maxSessionMs, openSession } from './sessions.ts';
import { syncToken } from './token-sync.ts';

/** Tells the navigation bar what to show at first paint. It contains no secret and grants no access. */
const hintCookie = { secure: true, sameSite: 'Lax', path: '/' } as const;
const hintFor = (role: Role) => (isStaff(role) ? 'admin' : 'customer');

function setHint(c: Context<AppEnv>, role: Role): void {
  setCookie(c, 'signed-in', hintFor(role), { ...hintCookie, maxAge: maxSessionMs(role) / 1_000 });
}

export function clearCookies(c: Context<AppEnv>): void {
  deleteCookie(c, 'session', hostCookie);
  deleteCookie(c, 'signed-in', hintCookie);
}

/**
 * Corrects the hint if it differs from the signed-in account, after a change of role or when a session has ended. It
 * does not delete the cookie of an ended session: this response may arrive after the response of a new sign-in, and
 * would then delete the new token.
 */
function correctHint(c: Context<AppEnv>, account: Account | undefined): void {
  const hint = getCookie(c, 'signed-in');
  if (account && hint !== hintFor(account.role)) setHint(c, account.role);
  if (!account && hint !== undefined) deleteCookie(c, 'signed-in', hintCookie);
}

/**
 * Whether the response at a path depends on the caller. The public pages are the same for everyone and need no
 * database.
 */
function dependsOnAccount(path: string): boolean {
  if (path.startsWith('/api/') || isBelowAdmin(path)) return true;
  const screen = findScreen(path)?.screen;
  return (
    screen !== undefined &&
    (screen.name === 'login' ||
      screen.name === 'verifyEmail' ||
      (screen.kind !== 'content' && screen.kind !== 'frame'))
  );
}

/**
 * Middleware that sets the signed-in account as `c.var.account`. It also corrects the `signed-in` hint in the
 * response, unless the handler sets cookies itself.
 */
export const loadAccount = createMiddleware<AppEnv>(async (c, next) => {
  const { path } = c.req;
  if (!dependsOnAccount(path)) {
    await next();
    return;
  }
  const token = getCookie(c, 'session', 'host');
  if (token) {
    const session = { sessionId: hashSecret(token), isUse: !c.var.call?.background };
    c.set('account', await findSignedIn(depsOf(c), session));
  }
  await next();
  if (!c.res.headers.has('Set-Cookie')) correctHint(c, c.var.account);
});

/** The location of a request, if Cloudflare knows it. */
function placeOf(c: Context<AppEnv>): string {
  const { city, country } = (c.req.raw as Request<unknown, IncomingRequestCfProperties>).cf ?? {};
  return [city, country].filter((part) => typeof part === 'string' && part !== '').join(', ');
}

/** The cookie that may identify a known device, if there is one. */
export const deviceCookieOf = (c: Context<AppEnv>): string | undefined => getCookie(c, 'device', 'host');

/** Makes the caller's device known for an account. A browser keeps only the latest account. */
export function rememberDevice(c: Context<AppEnv>, owner: DeviceOwner): void {
  const value = createDeviceCookie(c.env, { owner, cookie: deviceCookieOf(c) });
  setCookie(c, 'device', value, { ...hostCookie, maxAge: deviceSeconds });
}

/**
 * Signs a person in: the cookie gets a new token, and the browser's previous session ends.
 * @returns the account with its session's state
 */
export async function startSession(
  c: Context<AppEnv>,
  account: SignInAccount,
  authMethod: AuthMethod,
): Promise<SessionlessAccount> {
  const token = newSecret();
  const former = getCookie(c, 'session', 'host');
  const signedIn = await openSession(depsOf(c), {
    account,
    authMethod,
    sessionId: hashSecret(token),
    formerId: former ? hashSecret(former) : undefined,
    place: placeOf(c),
  });
  setCookie(c, 'session', token, { ...hostCookie, maxAge: maxSessionMs(account.role) / 1_000 });
  setHint(c, account.role);
  rememberDevice(c, account);
  return signedIn;
}

/** How a person signs in, if not with a password or an emailed link. */
export interface SignedInBy {
  readonly authMethod?: AuthMethod;
  readonly action?: AuditAction;
  /** The id of the passkey. */
  readonly recordId?: string;
}

/**
 * Like `startSession`, and also records the sign-in in the audit log and syncs the token.
 * @returns the account with its session's state
 */
export async function signInTo(
  c: Context<AppEnv>,
  account: SignInAccount,
  { authMethod = 'nothing', action = 'signIn', recordId = '' }: SignedInBy = {},
): Promise<SessionlessAccount> {
  const signedIn = await startSession(c, account, authMethod);
  recordAudit(depsOf(c), { action, accountId: account.id, recordId });
  syncToken(depsOf(c), 'POST', account);
  return signedIn;
}

/** Signs the caller out. Without a session it only clears the cookies. */
export async function signOut(c: Context<AppEnv>): Promise<void> {
  const { account, db } = c.var;
  if (account) await endSession(db, account);
  clearCookies(c);
}
