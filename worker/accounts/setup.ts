/**
 * The first run. While no administrator exists, anyone with the one-time set-up token can create the first
 * administrator and save the first payment key. Two concurrent set-ups create one administrator.
 */
import { eq } from 'drizzle-orm';
import type { Database } from '../db/client.ts';
import type { RequestDeps } from '../http/app.ts';
import { ApiError } from '../http/errors.ts';
import { secretsEqual } from '../http/secrets.ts';
import { rateLimitFor, checkFlood, clientAddress, countAttempt } from '../limits/rate-limits.ts';
import { users } from './schema.ts';

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
  await countAttempt(deps.db, rateLimitFor(deps.env, 'setUpAddress', clientAddress(deps)));
  if (token && deps.env.SETUP_TOKEN && secretsEqual(token, deps.env.SETUP_TOKEN)) return;
  const text = token ? 'This is not the set-up token.' : 'Please enter the set-up token.';
  throw new ApiError(403, text, { errors: { setupToken: text } });
}
