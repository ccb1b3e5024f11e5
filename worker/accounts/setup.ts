/**
 * The first run. While no administrator exists, anyone with the one-time set-up token can create the first
 * administrator and save the first payment key. Two concurrent set-ups create one administrator.
 */
import { eq } from 'drizzle-orm';
import { adminPasswordMinLength } from '#contract/accounts.ts';
import type { Database, Statement } from '../db/client.ts';
import type { Env } from '../env.ts';
import type { RequestDeps } from '../http/app.ts';
import { ApiError, invalid } from '../http/errors.ts';
import { secretsEqual } from '../http/secrets.ts';
import { rateLimitFor, checkFlood, clientAddress, takeFromLimit } from '../limits/rate-limits.ts';
import { firmNames, isShort, refuseGuessable } from './password-choice.ts';
import { firstRun, users } from './schema.ts';
import { verifiedAccountStatements } from './verified-account.ts';

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
 * Checks the set-up token. A rate limit restricts wrong tokens.
 * @throws ApiError 403 with the field's error, 429
 */
export async function checkSetupToken(deps: RequestDeps, token: string | undefined): Promise<void> {
  await checkFlood(deps);
  await takeFromLimit(deps.db, rateLimitFor(deps.env, 'setUpAddress', clientAddress(deps)));
  if (token && deps.env.SETUP_TOKEN && secretsEqual(token, deps.env.SETUP_TOKEN)) return;
  const text = token ? 'This is not the set-up token.' : 'Please enter the set-up token.';
  throw new ApiError(403, text, { errors: { setupToken: text } });
}

/**
 * The statements that create the first administrator's account, for the batch that also adds the `users` record.
 * If another set-up came first, the batch fails with a unique violation.
 * @throws ApiError 422 if the password is short or easily guessed
 */
export async function firstAdministrator(
  { db, env }: { readonly db: Database; readonly env: Env },
  { email, password }: { readonly email: string; readonly password: string },
): Promise<Statement[]> {
  if (isShort(password))
    throw invalid({ password: `Minimum ${adminPasswordMinLength} Characters for an administrator` });
  refuseGuessable(env, { email, password }, await firmNames(db));
  return [
    db.insert(firstRun).values({ id: 1, doneAt: Date.now() }),
    ...(await verifiedAccountStatements(db, { email, password })),
  ];
}
