/**
 * The first run: while no administrator exists, anyone who has the one-time set-up token makes the first administrator and
 * the first payment key. Two racing set-ups make one administrator.
 */
import { eq, sql } from 'drizzle-orm';
import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { adminPasswordMinLength, normalizeEmail } from '#contract/accounts.ts';
import { requirementTextFor, may } from '#contract/audience.ts';
import { newId } from '#contract/ids.ts';
import type { Database, Statement } from '../db/client.ts';
import { depsOf, type AppEnv } from '../http/app.ts';
import { ApiError, invalid, notAllowed, signInFirst } from '../http/errors.ts';
import { rateLimitFor, checkFlood, clientAddress, takeFromLimit } from '../limits/rate-limits.ts';
import { noteAudit } from '../audit/audit.ts';
import { tellAudit } from '../audit/audited-calls.ts';
import { firmNames, isShort, refuseGuessable } from './password-choice.ts';
import { hashPassword } from './password-hash.ts';
import { accounts, firstRun, sessions, users } from './schema.ts';
import { secretsEqual } from '../http/secrets.ts';
import { findAccount } from './service.ts';
import { startSession } from './session.ts';
import { syncToken } from './token-sync.ts';

/** Whether the site has no administrator yet. */
export async function isSetupNeeded(db: Database): Promise<boolean> {
  const administrator = await db
    .select({ id: users._id })
    .from(users)
    .where(eq(users.userRole, 'Admin'))
    .limit(1)
    .get();
  return administrator === undefined;
}

/**
 * Checks the set-up token; wrong tokens are limited by a rate limit. @throws ApiError 403 with the field's error, 429
 */
export async function checkSetupToken(c: Context<AppEnv>, token: string | undefined): Promise<void> {
  await checkFlood(depsOf(c));
  await takeFromLimit(c.var.db, rateLimitFor(c.env, 'setUpAddress', clientAddress(depsOf(c))));
  if (token && c.env.SETUP_TOKEN && secretsEqual(token, c.env.SETUP_TOKEN)) return;
  const text = token ? 'This is not the set-up token.' : 'Please enter the set-up token.';
  throw new ApiError(403, text, { errors: { setupToken: text } });
}

/**
 * The gate of the calls that serve the first run: open to administrators, and while there is none to anyone with the
 * set-up token (`checkSetupToken`). It answers 401 or 403 before it reads the body.
 */
export const firstRunGate = createMiddleware<AppEnv>(async (c, next) => {
  const { account, db } = c.var;
  if (!may(account, 'administrator') && !(await isSetupNeeded(db)))
    throw account ? notAllowed(requirementTextFor(account, 'administrator')) : signInFirst();
  await next();
});

/** An account to make, and how it is signed in to: a password, or passkeys that know it by this handle. */
export type VerifiedAccount = { readonly email: string } & (
  { readonly password: string } | { readonly passkeyHandle: string }
);

/**
 * The statements that make a verified account, with a password or none, or take over the account of that email: its
 * sessions end, and its link to Google is removed.
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

/**
 * The first administrator's account, for the batch that also adds the `users` record. The batch of a concurrent
 * set-up aborts on a unique violation: there is one first run.
 * @returns the statements, and what signs the new administrator in once the batch is written
 * @throws ApiError 422 when the password is short or easily guessed
 */
export async function firstAdministrator(
  c: Context<AppEnv>,
  { email, password }: { email: string; password: string },
): Promise<{ statements: Statement[]; signIn: () => Promise<void> }> {
  const { db } = c.var;
  if (isShort(password))
    throw invalid({ password: `Minimum ${adminPasswordMinLength} Characters for an administrator` });
  refuseGuessable(c.env, { email, password }, await firmNames(db));
  return {
    statements: [
      db.insert(firstRun).values({ id: 1, doneAt: Date.now() }),
      ...(await verifiedAccountStatements(db, { email, password })),
    ],
    async signIn() {
      const account = await findAccount(db, { email });
      if (!account) return;
      await startSession(c, account);
      noteAudit(depsOf(c), { action: 'signIn', accountId: account.id });
      tellAudit(c, { accountId: account.id });
      syncToken(c, 'POST', account);
    },
  };
}
