/**
 * The first run. As long as no administrator exists, anyone with the one-time setup token can create the first
 * administrator and save the first payment key. Two concurrent setups create one administrator.
 */
import { eq } from 'drizzle-orm';
import { saveWithRetry } from '../audit/setting-events.ts';
import type { Database } from '../db/client.ts';
import type { RequestDeps } from '../http/app.ts';
import { ApiError, conflict } from '../http/errors.ts';
import { clientAddress } from '../http/network-address.ts';
import { secretsEqual } from '../http/secrets.ts';
import { countAttempt } from '../limits/rate-limits.ts';
import { findAccount, idOfEmail } from './find-account.ts';
import { auditChange, checkUnique, insertRecord, newRecord } from './members.ts';
import { firmNames, refuseGuessable, refuseShort } from './password-choice.ts';
import { firstRun, users } from './schema.ts';
import { verifiedAccountStatements } from './verified-account.ts';

/** Whether the site has no administrator yet. */
export const isSetupNeeded = async (db: Database): Promise<boolean> =>
  (await db.$count(users, eq(users.userRole, 'Admin'))) === 0;

/**
 * Checks the setup token. Wrong tokens are rate-limited.
 * @throws ApiError 403 with the field's error, 429
 */
export async function checkSetupToken(deps: RequestDeps, token: string | undefined): Promise<void> {
  await countAttempt(deps, 'setUpAddress', clientAddress(deps));
  if (token && deps.env.SETUP_TOKEN && secretsEqual(token, deps.env.SETUP_TOKEN)) return;
  const text = token
    ? 'This setup token is not correct. Check it, then try again.'
    : 'Please enter the setup token.';
  throw new ApiError(403, text, { errors: { setupToken: text } });
}

/** @throws ApiError 409 if there is already an administrator, 422 if the password is short or easily guessed */
export async function addFirstAdministrator(
  deps: RequestDeps,
  { userEmail, password = '' }: { readonly userEmail: string; readonly password?: string | undefined },
) {
  const { db, env } = deps;
  const record = newRecord({ userEmail, userRole: 'Admin' });
  const chosen = { email: userEmail, password };
  refuseShort(password);
  refuseGuessable(env, chosen, await firmNames(db));
  const statements = await verifiedAccountStatements(db, chosen);
  const member = await saveWithRetry(db, async () => {
    if (!(await isSetupNeeded(db))) throw conflict('This site already has an administrator.');
    await checkUnique(db, record._id, userEmail);
    return {
      statements: [
        // If two setups run concurrently, only one can insert this row.
        db.insert(firstRun).values({ id: 1, doneAt: Date.now() }),
        ...statements,
        insertRecord(db, record),
        auditChange(deps, idOfEmail(userEmail), record, 'Added a user with the role Admin'),
      ],
      answer: { ...record, position: 0 },
    };
  });
  const account = await findAccount(db, { email: userEmail });
  if (!account) throw conflict('The new account was deleted in the meantime.');
  return { member, account };
}
