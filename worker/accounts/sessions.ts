/**
 * Sessions. This is the only module that uses Lucia. The browser has a random token (session-cookies.ts); Lucia and the
 * database have its SHA-256. Each request computes when its session ends, from when it was created, when it was last
 * used, and the current role. Our adapter ignores the expiry that Lucia would extend. A request with a cookie costs one
 * round trip to the database; a request without a cookie costs none.
 */
import { and, desc, eq, lt, notInArray, type SQL } from 'drizzle-orm';
import { type Adapter, type DatabaseSession, Lucia } from 'lucia';
import type { Account, SessionlessAccount, AuthMethod } from '#contract/accounts.ts';
import type { SessionEntry } from '#contract/accounts.calls.ts';
import { hasAbility, type Requirement, type Role } from '#contract/audience.ts';
import { newId } from '#contract/ids.ts';
import { assert } from '../db/assert.ts';
import { type Database, type Statement, writeBatch } from '../db/client.ts';
import { deleteSome } from '../db/delete-some.ts';
import { hasRow } from '../db/has-row.ts';
import type { Env } from '../env.ts';
import type { RequestDeps } from '../http/app.ts';
import { dayMs, hourMs, minuteMs } from '../http/clock.ts';
import { conflict, notFound } from '../http/errors.ts';
import { runInBackground } from '../http/run-in-background.ts';
import { deviceOf } from './device.ts';
import { accessOf, hasPasskey, recordOfAccount, type SignInAccount } from './find-account.ts';
import { assertAccount } from './owner.ts';
import { accounts, sessions, users } from './schema.ts';

/**
 * How long a session lasts, in total and when idle. Everyone whose role has access to the admin pages counts as staff.
 */
const staffLimits = { absoluteMs: 12 * hourMs, idleMs: 2 * hourMs };
const customerLimits = { absoluteMs: 10 * dayMs, idleMs: Infinity };

/** Whether a role has access to the admin pages. */
export const isStaff = (role: Role): boolean => hasAbility(role, 'staff');
const limitsOf = (role: Role) => (isStaff(role) ? staffLimits : customerLimits);

/** The maximum length of a session in this role, in ms. */
export const maxSessionMs = (role: Role): number => limitsOf(role).absoluteMs;

/** When a session in this role ends, in ms. */
function sessionEnd(
  { createdAt, lastUsedAt }: { createdAt: number; lastUsedAt: number },
  role: Role,
): number {
  const { absoluteMs, idleMs } = limitsOf(role);
  return Math.min(createdAt + absoluteMs, lastUsedAt + idleMs);
}

/** The maximum number of sessions per account. Another sign-in ends the least recently used one. */
const maxSessions = 20;

type SessionAttributes = Omit<typeof sessions.$inferSelect, 'id' | 'accountId'>;
type AccountAttributes = Omit<SessionlessAccount, 'id'>;

declare module 'lucia' {
  interface Register {
    Lucia: ReturnType<typeof openLucia>;
    DatabaseSessionAttributes: SessionAttributes;
    DatabaseUserAttributes: AccountAttributes;
  }
}

/** What an account with access to the admin pages must still do if the settings require a passkey. */
function passkeyRequirement(
  { ADMIN_PASSKEY }: Pick<Env, 'ADMIN_PASSKEY'>,
  account: Pick<Account, 'role' | 'hasPasskey'>,
  authMethod: AuthMethod,
): Requirement | null {
  if (ADMIN_PASSKEY !== 'required' || !isStaff(account.role)) return null;
  // A person who has lost their passkeys uses a recovery code and adds another passkey.
  if (!account.hasPasskey || authMethod === 'recoveryCode') return 'passkey';
  return authMethod === 'passkey' ? null : 'passkeySignIn';
}

/**
 * Checks that the caller may change their sign-in methods other than the password.
 * @throws ApiError 409 while the email is unverified: the person who signed up may not own it, and their passkey would
 *   survive the real owner's new password
 */
export function checkMayChangeSignInMethods({ emailVerified }: Account): void {
  if (!emailVerified) throw conflict('Please verify your email first. Open the link that we emailed you.');
}

/** Adds to an account what it must do first, which depends on how the person signed in. */
const withRequirement = <A extends SessionlessAccount>(env: Env, account: A, authMethod: AuthMethod): A => ({
  ...account,
  lacks: passkeyRequirement(env, account, authMethod) ?? account.lacks,
});

const toDatabaseSession = (row: typeof sessions.$inferSelect, role: Role): DatabaseSession => ({
  id: row.id,
  userId: row.accountId,
  expiresAt: new Date(sessionEnd(row, role)),
  attributes: row,
});

/** The query for sessions with their accounts. Leaves out sessions that a new password has ended. */
const sessionQuery = (db: Database, condition: SQL) =>
  db
    .select({ session: sessions, account: accounts, userRole: users.userRole, hasPasskey })
    .from(sessions)
    .innerJoin(accounts, eq(accounts.id, sessions.accountId))
    .leftJoin(users, recordOfAccount)
    .where(and(condition, eq(sessions.passwordVersion, accounts.passwordVersion)));

function sessionAdapter(db: Database): Adapter {
  return {
    async getSessionAndUser(id) {
      const [row] = await sessionQuery(db, eq(sessions.id, id));
      if (!row) return [null, null];
      const { session, account, userRole } = row;
      const access = accessOf(account, userRole);
      return [
        toDatabaseSession(session, access.role),
        {
          id: account.id,
          attributes: { email: account.email, hasPasskey: row.hasPasskey, ...access },
        },
      ];
    },
    async getUserSessions(accountId) {
      const rows = await sessionQuery(db, eq(accounts.id, accountId));
      return rows.map(({ session, account, userRole }) =>
        toDatabaseSession(session, accessOf(account, userRole).role),
      );
    },
    async setSession({ id, userId, attributes }) {
      const kept = db
        .select({ id: sessions.id })
        .from(sessions)
        .where(eq(sessions.accountId, userId))
        .orderBy(desc(sessions.lastUsedAt), desc(sessions.createdAt))
        .limit(maxSessions);
      await writeBatch(db, [
        assertAccount(db, userId),
        db.insert(sessions).values({ id, accountId: userId, ...attributes }),
        db.delete(sessions).where(and(eq(sessions.accountId, userId), notInArray(sessions.id, kept))),
      ]);
    },
    async updateSessionExpiration() {
      // The end of a session is computed, not stored.
    },
    async deleteSession(id) {
      await db.delete(sessions).where(eq(sessions.id, id));
    },
    async deleteUserSessions(accountId) {
      await writeBatch(db, [deleteSessions(db, accountId)]);
    },
    async deleteExpiredSessions() {
      await deleteSome(db, sessions, lt(sessions.createdAt, Date.now() - customerLimits.absoluteMs));
    },
  };
}

const openLucia = (db: Database) =>
  new Lucia(sessionAdapter(db), {
    getSessionAttributes: (attributes) => attributes,
    getUserAttributes: (attributes) => attributes,
  });

/**
 * Looks up the account of a session.
 * @param isUse whether the request counts as use of the session and extends it
 */
export async function findSignedIn(
  deps: RequestDeps,
  { sessionId, isUse }: { readonly sessionId: string; readonly isUse: boolean },
): Promise<Account | undefined> {
  const { db, env, log } = deps;
  const { session, user } = await openLucia(db).validateSession(sessionId);
  if (!session) return undefined;
  const now = Date.now();
  if (isUse && now - session.lastUsedAt >= minuteMs)
    runInBackground(
      deps,
      () => db.update(sessions).set({ lastUsedAt: now }).where(eq(sessions.id, session.id)),
      (failure) => log('session.touch-failed', failure),
    );
  const { confirmedAt, authMethod } = session;
  return withRequirement(env, { ...user, sessionId, confirmedAt, authMethod }, authMethod);
}

interface NewSession {
  readonly account: SignInAccount;
  readonly authMethod: AuthMethod;
  /** SHA-256 of the token that the browser gets. */
  readonly sessionId: string;
  /** The SHA-256 of the browser's previous token, whose session ends. */
  readonly formerId: string | undefined;
  /** City and country; empty if unknown. */
  readonly place: string;
}

/** @returns the account with its session's state */
export async function openSession(
  deps: RequestDeps,
  { account, authMethod, sessionId, formerId, place }: NewSession,
): Promise<SessionlessAccount> {
  const lucia = openLucia(deps.db);
  const now = Date.now();
  const attributes = {
    passwordVersion: account.passwordVersion,
    createdAt: now,
    lastUsedAt: now,
    confirmedAt: now,
    authMethod,
    device: deviceOf(deps),
    place,
    _id: newId(now),
  };
  await Promise.all([
    lucia.createSession(account.id, attributes, { sessionId }),
    formerId !== undefined && lucia.invalidateSession(formerId),
  ]);
  return withRequirement(deps.env, account, authMethod);
}

export const endSession = (db: Database, { sessionId }: Account): Promise<void> =>
  openLucia(db).invalidateSession(sessionId);

export const endAllSessions = (db: Database, { id }: Account): Promise<void> =>
  openLucia(db).invalidateUserSessions(id);

/** Ends one of the caller's own sessions. @throws ApiError 404 */
export async function endOwnSession(db: Database, account: Account, id: string): Promise<void> {
  const isIt = and(eq(sessions.accountId, account.id), eq(sessions._id, id));
  if ((await db.delete(sessions).where(isIt)).rowsAffected === 0)
    throw notFound('We could not find this session.');
}

/**
 * The statement that records that the caller has just confirmed their identity. Some calls require a recent
 * confirmation.
 * @param authMethod how they confirmed it, if that is stronger than a password
 */
export const confirmSession = (db: Database, { sessionId }: Account, authMethod?: AuthMethod) =>
  db
    .update(sessions)
    .set({ confirmedAt: Date.now(), ...(authMethod && { authMethod }) })
    .where(eq(sessions.id, sessionId));

/**
 * The statement that fails its batch if the caller's session has ended. The caller then gets a 401
 * (http/errors.ts).
 */
export const assertSignedIn = (db: Database, { sessionId }: Account): Statement =>
  assert(db, hasRow(sessions, eq(sessions.id, sessionId)), 'signedIn');

/** The statement that ends every session of an account, for the batch of a change that requires it. */
export const deleteSessions = (db: Database, accountId: string): Statement =>
  db.delete(sessions).where(eq(sessions.accountId, accountId));

/** The caller's own active sessions, most recently used first. */
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

/** Deletes sessions that have ended in every role. */
export const deleteOldSessions = (db: Database): Promise<void> => openLucia(db).deleteExpiredSessions();
