/**
 * Sessions, by Lucia behind this one module. The cookie holds a random token, Lucia and the database its SHA-256. Each
 * request computes when its session ends, from when it was created and last used and from the current role; our adapter
 * ignores the expiry that Lucia would extend. A request with a cookie costs one round trip to the database; a request
 * without one costs none.
 */
import { and, desc, eq, exists, lt, notInArray, sql, type SQL } from 'drizzle-orm';
import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { createMiddleware } from 'hono/factory';
import { type Adapter, type DatabaseSession, Lucia } from 'lucia';
import { type Account, type AccountOutside, normalizeEmail, type AuthMethod } from '#contract/accounts.ts';
import type { SessionEntry } from '#contract/accounts.calls.ts';
import type { SignedIn } from '#contract/account-schemas.ts';
import { hasAbility, type Requirement, type Role } from '#contract/audience.ts';
import { findScreen } from '#contract/all-screens.ts';
import { allCalls } from '#contract/all-calls.ts';
import { newId } from '#contract/ids.ts';
import { assert } from '../db/assert.ts';
import { type Database, type Statement, writeBatch } from '../db/client.ts';
import { deleteSome } from '../db/delete-some.ts';
import type { Env } from '../env.ts';
import { depsOf, type AppEnv } from '../http/app.ts';
import { hostCookie } from '../http/cookies.ts';
import { runInBackground } from '../http/run-in-background.ts';
import { conflict, notFound } from '../http/errors.ts';
import { deviceOf } from './device.ts';
import { rememberDevice } from './known-device.ts';
import { assertAccount } from './owner.ts';
import { accounts, passkeys, sessions, users } from './schema.ts';
import { hashSecret, newSecret } from '../http/secrets.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/**
 * How long a session lasts: in total, and without being used. An administrator is anybody whose role opens the
 * administration.
 */
const sessionLimits = {
  administrator: { absoluteMs: 12 * hourMs, idleMs: 2 * hourMs },
  customer: { absoluteMs: 10 * 24 * hourMs, idleMs: Infinity },
} as const;

const isStaff = (role: Role): boolean => hasAbility(role, 'staff');
const kindOf = (role: Role) => (isStaff(role) ? 'administrator' : 'customer');

/** When a session of somebody in this role ends, in ms. */
function sessionEnd(
  { createdAt, lastUsedAt }: { createdAt: number; lastUsedAt: number },
  role: Role,
): number {
  const { absoluteMs, idleMs } = sessionLimits[kindOf(role)];
  return Math.min(createdAt + absoluteMs, lastUsedAt + idleMs);
}

/** Sessions of one account at a time: a further sign-in ends the one that was not used for longest. */
const mostSessions = 20;

interface SessionAttributes {
  readonly passwordVersion: number;
  readonly createdAt: number;
  readonly lastUsedAt: number;
  readonly device: string;
  readonly _id: string;
  readonly place: string;
  readonly confirmedAt: number;
  readonly authMethod: AuthMethod;
}

type AccountAttributes = Omit<AccountOutside, 'id'>;

declare module 'lucia' {
  interface Register {
    Lucia: ReturnType<typeof openLucia>;
    DatabaseSessionAttributes: SessionAttributes;
    DatabaseUserAttributes: AccountAttributes;
  }
}

/** Joins an account to its record in the list of users; emails compare without regard to case. */
export const recordOfAccount = sql`lower(${users.userEmail}) = ${accounts.email}`;

/** The condition that a record in the list of users is that of an email. */
export const recordOfEmail = (email: string): SQL =>
  sql`lower(${users.userEmail}) = ${normalizeEmail(email)}`;

/** Whether the account of a query has a passkey. */
export const hasPasskey = sql`exists (select 1 from ${passkeys} where ${passkeys.accountId} = ${accounts.id})`
  .mapWith(Boolean)
  .as('hasPasskey');

/** What an account with access to the administration must still do where the settings require a passkey. */
function passkeyRequirement(
  { ADMIN_PASSKEY }: Pick<Env, 'ADMIN_PASSKEY'>,
  account: Pick<Account, 'role' | 'hasPasskey'>,
  authMethod: AuthMethod,
): Requirement | null {
  if (ADMIN_PASSKEY !== 'required' || !isStaff(account.role)) return null;
  // Somebody who has lost their passkeys uses a recovery code, and adds another passkey.
  if (!account.hasPasskey || authMethod === 'recoveryCode') return 'passkey';
  return authMethod === 'passkey' ? null : 'passkeySignIn';
}

/**
 * Checks that the caller may change the ways to sign in besides the password.
 * @throws ApiError 409 while the email is not verified: the person who signed up may not own it, and a passkey of theirs
 *   would survive the owner's new password
 */
export function checkMayChangeWaysIn({ emailVerified }: Account): void {
  if (!emailVerified)
    throw conflict('Please verify your email first, by the link that we sent you by email.');
}

/** Adds to an account what it must do first, which depends on how it was signed in to. */
const withRequirement = <A extends AccountOutside>(env: Env, account: A, authMethod: AuthMethod): A => ({
  ...account,
  lacks: passkeyRequirement(env, account, authMethod) ?? account.lacks,
});

/** The role of an account, and what it must do first, from its row and its record in the list of users. */
export function standingOf(
  {
    emailVerifiedAt,
    hasShortPassword,
  }: Pick<typeof accounts.$inferSelect, 'emailVerifiedAt' | 'hasShortPassword'>,
  userRole: Role | null,
): { readonly emailVerified: boolean; readonly role: Role; readonly lacks: Requirement | null } {
  const emailVerified = emailVerifiedAt !== null;
  const role = (emailVerified && userRole) || 'User';
  return { emailVerified, role, lacks: isStaff(role) && hasShortPassword ? 'longPassword' : null };
}

const toDatabaseSession = (row: typeof sessions.$inferSelect, role: Role): DatabaseSession => ({
  id: row.id,
  userId: row.accountId,
  expiresAt: new Date(sessionEnd(row, role)),
  attributes: row,
});

function sessionAdapter(db: Database): Adapter {
  return {
    async getSessionAndUser(id) {
      const row = await db
        .select({ session: sessions, account: accounts, userRole: users.userRole, hasPasskey })
        .from(sessions)
        .innerJoin(accounts, eq(accounts.id, sessions.accountId))
        .leftJoin(users, recordOfAccount)
        .where(and(eq(sessions.id, id), eq(sessions.passwordVersion, accounts.passwordVersion)))
        .get();
      if (!row) return [null, null];
      const { session, account, userRole } = row;
      const standing = standingOf(account, userRole);
      return [
        toDatabaseSession(session, standing.role),
        {
          id: account.id,
          attributes: { email: account.email, hasPasskey: row.hasPasskey, ...standing },
        },
      ];
    },
    async getUserSessions(accountId) {
      const rows = await db
        .select({ session: sessions, account: accounts, userRole: users.userRole })
        .from(sessions)
        .innerJoin(accounts, eq(accounts.id, sessions.accountId))
        .leftJoin(users, recordOfAccount)
        .where(and(eq(accounts.id, accountId), eq(sessions.passwordVersion, accounts.passwordVersion)));
      return rows.map(({ session, account, userRole }) =>
        toDatabaseSession(session, standingOf(account, userRole).role),
      );
    },
    async setSession({ id, userId, attributes }) {
      const kept = db
        .select({ id: sessions.id })
        .from(sessions)
        .where(eq(sessions.accountId, userId))
        .orderBy(desc(sessions.lastUsedAt), desc(sessions.createdAt))
        .limit(mostSessions);
      await writeBatch(db, [
        assertAccount(db, userId),
        db.insert(sessions).values({ id, accountId: userId, ...attributes }),
        db.delete(sessions).where(and(eq(sessions.accountId, userId), notInArray(sessions.id, kept))),
      ]);
    },
    async updateSessionExpiration() {
      // When a session ends is computed, not stored.
    },
    async deleteSession(id) {
      await db.delete(sessions).where(eq(sessions.id, id));
    },
    async deleteUserSessions(accountId) {
      await writeBatch(db, [endSessionsOf(db, accountId)]);
    },
    async deleteExpiredSessions() {
      await deleteSome(db, sessions, lt(sessions.createdAt, Date.now() - sessionLimits.customer.absoluteMs));
    },
  };
}

const openLucia = (db: Database) =>
  new Lucia(sessionAdapter(db), {
    getSessionAttributes: (attributes) => attributes,
    getUserAttributes: (attributes) => attributes,
  });

/** Tells the navigation bar what to show at first paint. It holds no secret and grants nothing. */
const hintCookie = { secure: true, sameSite: 'Lax', path: '/' } as const;
const hintFor = (role: Role) => (isStaff(role) ? 'admin' : 'customer');

function setHint(c: Context<AppEnv>, role: Role): void {
  const { absoluteMs } = sessionLimits[kindOf(role)];
  setCookie(c, 'signed-in', hintFor(role), { ...hintCookie, maxAge: absoluteMs / 1_000 });
}

function clearCookies(c: Context<AppEnv>): void {
  deleteCookie(c, 'session', hostCookie);
  deleteCookie(c, 'signed-in', hintCookie);
}

/** Corrects the hint when it differs from who is signed in: after a change of role, or when a session has ended. */
function correctHint(c: Context<AppEnv>, account: Account | undefined): void {
  const hint = getCookie(c, 'signed-in');
  if (account && hint !== hintFor(account.role)) setHint(c, account.role);
  if (!account && (hint !== undefined || getCookie(c, 'session', 'host') !== undefined)) clearCookies(c);
}

/** The addresses of calls that screens make by themselves. */
const backgroundPaths = new Set(
  allCalls.flatMap(({ background, path }) => (background ? [`/api${path}`] : [])),
);

/** Looks up the account of a session. */
async function lookUpAccount(c: Context<AppEnv>, sessionId: string): Promise<Account | undefined> {
  const { session, user } = await openLucia(c.var.db).validateSession(sessionId);
  const account = session
    ? withRequirement(
        c.env,
        { ...user, sessionId, confirmedAt: session.confirmedAt, authMethod: session.authMethod },
        session.authMethod,
      )
    : undefined;
  const now = Date.now();
  if (session && now - session.lastUsedAt >= minuteMs && !backgroundPaths.has(c.req.path)) {
    const update = c.var.db.update(sessions).set({ lastUsedAt: now }).where(eq(sessions.id, session.id));
    runInBackground(
      depsOf(c),
      () => update,
      (failure) => c.var.log('session.use-not-noted', failure),
    );
  }
  return account;
}

/**
 * Whether the answer at a path depends on the caller; the public pages are the same for everyone and need no database.
 */
function dependsOnAccount(path: string): boolean {
  if (path.startsWith('/api/')) return true;
  const screen = findScreen(path)?.screen;
  return (
    screen !== undefined &&
    (screen.name === 'login' || (screen.kind !== 'content' && screen.kind !== 'frame'))
  );
}

/**
 * Sets the signed-in account as `c.var.account`, and corrects the `signed-in` hint in the answer unless the handler
 * sets cookies of its own.
 */
export const loadAccount = createMiddleware<AppEnv>(async (c, next) => {
  const { path } = c.req;
  if (!dependsOnAccount(path)) {
    await next();
    return;
  }
  const token = getCookie(c, 'session', 'host');
  if (token) c.set('account', await lookUpAccount(c, hashSecret(token)));
  await next();
  if (!c.res.headers.has('Set-Cookie')) correctHint(c, c.var.account);
});

/** An account as it is when somebody signs in to it. */
export interface SignInAccount extends AccountOutside {
  /** The version of the password that this sign-in was checked against; a newer password ends the session. */
  readonly passwordVersion: number;
}

/** Where a request comes from, as far as Cloudflare knows it. */
function placeOf(c: Context<AppEnv>): string {
  const { city, country } = (c.req.raw as Request<unknown, IncomingRequestCfProperties>).cf ?? {};
  return [city, country].filter((part) => typeof part === 'string' && part !== '').join(', ');
}

/**
 * Signs somebody in: a new token in the cookie; the session that the browser had before is over.
 * @returns the account as it stands in its session
 */
export async function startSession(
  c: Context<AppEnv>,
  account: SignInAccount,
  authMethod: AuthMethod = 'nothing',
): Promise<AccountOutside> {
  const lucia = openLucia(c.var.db);
  const token = newSecret();
  const now = Date.now();
  const former = getCookie(c, 'session', 'host');
  const { passwordVersion } = account;
  await Promise.all([
    lucia.createSession(
      account.id,
      {
        passwordVersion,
        createdAt: now,
        lastUsedAt: now,
        confirmedAt: now,
        authMethod,
        device: deviceOf(c),
        place: placeOf(c),
        _id: newId(now),
      },
      { sessionId: hashSecret(token) },
    ),
    former && lucia.invalidateSession(hashSecret(former)),
  ]);
  const { absoluteMs } = sessionLimits[kindOf(account.role)];
  setCookie(c, 'session', token, { ...hostCookie, maxAge: absoluteMs / 1_000 });
  setHint(c, account.role);
  rememberDevice(c, account);
  return withRequirement(c.env, account, authMethod);
}

/** Signs the caller out; without a session it only clears the cookies. */
export async function endSession(c: Context<AppEnv>): Promise<void> {
  if (c.var.account) await openLucia(c.var.db).invalidateSession(c.var.account.sessionId);
  clearCookies(c);
}

/** Signs the caller out everywhere. */
export async function endAllSessions(c: Context<AppEnv>, account: Account): Promise<void> {
  await openLucia(c.var.db).invalidateUserSessions(account.id);
  clearCookies(c);
}

/** Ends one of the caller's own sessions. @throws ApiError 404 */
export async function endOneSession(db: Database, account: Account, id: string): Promise<void> {
  const isIt = and(eq(sessions.accountId, account.id), eq(sessions._id, id));
  if ((await db.delete(sessions).where(isIt)).rowsAffected === 0) throw notFound('There is no such session.');
}

/** Records that the caller has just confirmed their identity, which some calls require for a while. */
export async function confirmSession(db: Database, account: Account, authMethod?: AuthMethod): Promise<void> {
  await confirmation(db, account, authMethod);
}

/** The statement for that. @param authMethod how they did, if that is stronger than a password */
export const confirmation = (db: Database, { sessionId }: Account, authMethod?: AuthMethod) =>
  db
    .update(sessions)
    .set({ confirmedAt: Date.now(), ...(authMethod && { authMethod }) })
    .where(eq(sessions.id, sessionId));

/** The statement that fails its batch, and its call with 401 (http/errors.ts), once the caller's session is over. */
export const assertSignedIn = (db: Database, { sessionId }: Account): Statement =>
  assert(
    db,
    exists(db.select({ id: sessions.id }).from(sessions).where(eq(sessions.id, sessionId))),
    'signedIn',
  );

/** The statement that ends every session of an account, for the batch of a change that wants it. */
export const endSessionsOf = (db: Database, accountId: string): Statement =>
  db.delete(sessions).where(eq(sessions.accountId, accountId));

/** The caller's own live sessions, last used first. */
export async function listSessions(db: Database, account: Account): Promise<SessionEntry[]> {
  const live = await openLucia(db).getUserSessions(account.id);
  return live
    .map(({ id, _id, device, place, createdAt, lastUsedAt }) => ({
      _id,
      device,
      place,
      createdAt,
      lastUsedAt,
      isCurrent: id === account.sessionId,
    }))
    .sort((one, other) => other.lastUsedAt - one.lastUsedAt);
}

/** Deletes sessions that are over for everyone. */
export const deleteOldSessions = (db: Database): Promise<void> => openLucia(db).deleteExpiredSessions();

/** What the API tells of the account that is signed in. */
export const describeAccount = ({
  email,
  emailVerified,
  role,
  lacks,
}: Omit<AccountOutside, 'id' | 'hasPasskey'>): SignedIn => ({
  email,
  emailVerified,
  isAdmin: role === 'Admin',
  role,
  lacks,
});
