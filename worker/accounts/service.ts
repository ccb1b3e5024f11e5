/** Accounts: sign-up, sign-in and all that changes a password or proves an email. */
import { eq, sql } from 'drizzle-orm';
import type { Context } from 'hono';
import {
  type Account,
  adminPasswordMinLength,
  normalizeEmail,
  passwordTexts,
  signInTexts,
} from '#contract/accounts.ts';
import { hasAbility } from '#contract/audience.ts';
import { newId } from '#contract/ids.ts';
import { assert } from '../db/assert.ts';
import {
  isUniqueViolation,
  readTogether,
  writeBatch,
  writeUnlessConflict,
  type Database,
  type Statement,
} from '../db/client.ts';
import type { Env } from '../env.ts';
import { depsOf, type AppEnv } from '../http/app.ts';
import { runInBackground } from '../http/run-in-background.ts';
import { ApiError, conflict, invalid } from '../http/errors.ts';
import { deliverMail, deliverSoon } from '../mail/outbox.ts';
import {
  type RateLimit,
  rateLimitFor,
  checkFlood,
  clientAddress,
  giveBackToLimit,
  resetLimit,
  takeFromLimit,
  takeAndRead,
} from '../limits/rate-limits.ts';
import { auditOfRequest, noteAudit } from '../audit/audit.ts';
import { changeEmail } from './change-email.ts';
import type { PersonalRecords } from './personal-data.ts';
import { endLinks, findLinkAccount, linkStatements, useUpLink } from './links.ts';
import { passwordChangedMail } from './mails.ts';
import { queueLimitedMail } from './limited-mail.ts';
import { knownDevice, rememberDevice } from './known-device.ts';
import { accountExists, assertAccount, hasGoogleLink } from './owner.ts';
import { type ChosenPassword, firmNames, isShort, refuseGuessable } from './password-choice.ts';
import { hashPassword, verifyPassword } from './password-hash.ts';
import { accounts, passwordChanges, users } from './schema.ts';
import {
  endSessionsOf,
  hasPasskey,
  recordOfAccount,
  recordOfEmail,
  standingOf,
  type SignInAccount,
} from './session.ts';

export type StoredAccount = Readonly<typeof accounts.$inferSelect> & SignInAccount;

/** What names an account. */
type AccountName = { readonly email: string } | { readonly id: string } | { readonly googleSubject: string };

/** The query for the account of that name, with what the list of users says of it. */
export const accountQuery = (db: Database, by: AccountName) =>
  db
    .select({ account: accounts, userRole: users.userRole, hasPasskey })
    .from(accounts)
    .leftJoin(users, recordOfAccount)
    .where(
      'email' in by
        ? eq(accounts.email, normalizeEmail(by.email))
        : 'id' in by
          ? eq(accounts.id, by.id)
          : eq(accounts.googleSubject, by.googleSubject),
    );

/** An account that was found, with its role. */
export const withStanding = ([row]: Awaited<ReturnType<typeof accountQuery>>): StoredAccount | undefined =>
  row && { ...row.account, hasPasskey: row.hasPasskey, ...standingOf(row.account, row.userRole) };

/** The account of that name, with its role. */
export const findAccount = async (db: Database, by: AccountName): Promise<StoredAccount | undefined> =>
  withStanding(await accountQuery(db, by));

/** The query for the role that the list of users gives an email, with an account or not. */
const roleOfEmail = (db: Database, email: string) =>
  db.select({ role: users.userRole }).from(users).where(recordOfEmail(email));

/**
 * Refuses a password that guessers try first, and a short one for an administrator.
 * @param isProved whether the caller has proved that the email is theirs; nobody else may learn who is an administrator
 * @throws ApiError 422
 */
export async function checkNewPassword(
  { db, env }: { readonly db: Database; readonly env: Env },
  chosen: ChosenPassword,
  isProved = true,
): Promise<void> {
  const { email, password, field = 'password' } = chosen;
  const [named, [record]] = await readTogether(db, [firmNames(db), roleOfEmail(db, email)]);
  refuseGuessable(env, chosen, named);
  if (isProved && isShort(password) && record && hasAbility(record.role, 'staff'))
    throw invalid({ [field]: `Minimum ${adminPasswordMinLength} Characters for an administrator` });
}

/**
 * Makes an account and mails it a link.
 * @param next where they were going, to which the link leads on
 * @throws ApiError 409 when the email has an account already
 */
export async function registerAccount(
  c: Context<AppEnv>,
  { email: typed, password, next }: { email: string; password: string; next: string | undefined },
): Promise<SignInAccount> {
  const { db } = c.var;
  const email = normalizeEmail(typed);
  await checkFlood(depsOf(c));
  const limit = rateLimitFor(c.env, 'signUpAddress', clientAddress(depsOf(c)));
  refuseGuessable(c.env, { email, password }, await takeAndRead(db, [limit], firmNames(db)));
  const account = {
    id: newId(),
    email,
    passwordHash: await hashPassword(password),
    hasShortPassword: isShort(password),
    createdAt: Date.now(),
  };
  try {
    await writeBatch(db, [
      db.insert(accounts).values(account),
      ...linkStatements(db, c.env, 'verify', { ...account, hasPassword: true, next }, 'notice'),
    ]);
  } catch (error) {
    if (isUniqueViolation(error)) throw conflict(signInTexts.taken, { errors: { email: signInTexts.taken } });
    throw error;
  }
  deliverSoon(depsOf(c));
  return {
    id: account.id,
    email,
    emailVerified: false,
    role: 'User',
    lacks: null,
    hasPasskey: false,
    passwordVersion: 1,
  };
}

/** What an account can be confirmed by beside its passkeys. */
export async function waysToConfirm(
  db: Database,
  { id }: Account,
): Promise<{ readonly password: boolean; readonly google: boolean }> {
  const account = await findAccount(db, { id });
  return { password: Boolean(account?.passwordHash), google: Boolean(account?.googleSubject) };
}

interface Guess {
  readonly email: string;
  /** What else identifies the caller: a session, or the secret of a mailed link. */
  readonly holds?: string;
  /** The account whose password or code is tried. */
  readonly by: AccountName;
}

interface Guesser {
  readonly rateLimits: readonly [RateLimit, RateLimit?];
  /** Names the account for which the caller is known; undefined for a stranger. */
  readonly known: string | undefined;
}

/**
 * Strangers share the rateLimits of their address and of the account; a known caller has rateLimits that strangers
 * cannot use up.
 */
async function findGuesser(c: Context<AppEnv>, { email, holds }: Guess): Promise<Guesser> {
  const { env } = c;
  const name = normalizeEmail(email);
  if (holds !== undefined) return { rateLimits: [rateLimitFor(env, 'signInKnown', holds)], known: name };
  const device = await knownDevice(c, email);
  return device
    ? {
        rateLimits: [
          rateLimitFor(env, 'signInKnown', device.name),
          rateLimitFor(env, 'signInKnownAccount', device.accountId),
        ],
        known: name,
      }
    : {
        rateLimits: [
          rateLimitFor(env, 'signInAddress', clientAddress(depsOf(c))),
          rateLimitFor(env, 'signInAccount', name),
        ],
        known: undefined,
      };
}

/**
 * Checks a password or code within the rateLimits; a correct one uses none up, a wrong one is audited.
 * @param isRight does the same work where there is no account; `known` as in `hashPassword`
 * @returns the account if it is correct
 */
export async function checkGuess(
  c: Context<AppEnv>,
  guess: Guess,
  isRight: (account: StoredAccount | undefined, known: string | undefined) => Promise<boolean>,
): Promise<StoredAccount | undefined> {
  const { db } = c.var;
  await checkFlood(depsOf(c));
  const { rateLimits, known } = await findGuesser(c, guess);
  const account = withStanding(await takeAndRead(db, rateLimits, accountQuery(db, guess.by)));
  const giveBack = () =>
    writeBatch(
      db,
      rateLimits.flatMap((limit) => (limit ? [giveBackToLimit(db, limit)] : [])),
    );
  try {
    if (!(await isRight(account, known))) {
      noteAudit(depsOf(c), { action: 'signInFailed', accountId: account?.id ?? '' });
      return undefined;
    }
    await giveBack();
    return account;
  } catch (error) {
    await giveBack();
    throw error;
  }
}

/** Checks the password of an account within the rateLimits. @returns the account if it is right */
const checkPassword = (
  c: Context<AppEnv>,
  { password, ...guess }: Guess & { readonly password: string },
): Promise<StoredAccount | undefined> =>
  checkGuess(c, guess, (account, known) => verifyPassword(password, account?.passwordHash, known));

/** The id of the account with an email; empty where there is none. */
export const idOfEmail = (email: string) =>
  sql<string>`coalesce((select ${accounts.id} from ${accounts} where ${accounts.email} = ${normalizeEmail(email)}), '')`;

/** Finds the account with this email and password. @throws ApiError 401 with the same words for an unknown email */
export async function signIn(
  c: Context<AppEnv>,
  { email, password }: { email: string; password: string },
): Promise<SignInAccount> {
  const account = await checkPassword(c, { email, password, by: { email } });
  if (!account) throw new ApiError(401, signInTexts.failed);
  return account;
}

/** Mails the caller another link to verify the email, unless it is verified. @throws ApiError 429 */
export async function resendVerification(
  c: Context<AppEnv>,
  account: Account,
  next: string | undefined,
): Promise<void> {
  if (account.emailVerified) return;
  const { env } = c;
  const { db } = c.var;
  const limit = rateLimitFor(env, 'mailKnown', account.id);
  const [found] = await takeAndRead(db, [limit], accountQuery(db, { id: account.id }));
  const reader = { ...account, hasPassword: Boolean(found?.account.passwordHash), next };
  await writeBatch(db, linkStatements(db, env, 'verify', reader, 'link for a known caller'));
  deliverSoon(depsOf(c));
}

/**
 * Verifies an email. The mailed link proves that the caller reads its mail, and the password that they made the
 * account: somebody else may have signed up with their email. A caller who is signed in to the account need not repeat
 * the password. The link may also be the one that changes the account's email.
 * @param records what other features keep under an email
 * @throws ApiError 422 the link is over, or the password is missing or wrong
 */
export async function verifyEmail(
  c: Context<AppEnv>,
  { token, password }: { token: string; password?: string | undefined },
  records: readonly PersonalRecords[],
): Promise<SignInAccount> {
  const { db } = c.var;
  await checkFlood(depsOf(c));
  const { id, email, newEmail, passwordVersion } = await findLinkAccount(db, ['verify', 'email'], token);
  if (password) {
    const account = await checkPassword(c, {
      email,
      password,
      holds: token,
      by: { id },
    });
    if (!account) throw invalid({ password: signInTexts.wrongPassword });
  } else if (c.var.account?.id !== id) {
    throw invalid({ password: passwordTexts.required });
  }
  if (newEmail !== null) await changeEmail(c, { token, id, email, newEmail }, records);
  else if (
    !(await writeUnlessConflict(db, [
      ...useUpLink(db, token),
      db
        .update(accounts)
        .set({ emailVerifiedAt: sql`coalesce(${accounts.emailVerifiedAt}, ${Date.now()})` })
        .where(eq(accounts.id, id)),
      endLinks(db, ['verify', 'email'], id),
    ]))
  )
    throw invalid({ token: signInTexts.linkOver });
  const verified = await findAccount(db, { id });
  if (!verified) throw invalid({ token: signInTexts.linkOver });
  // Signed in under the password that was checked: a new one that came meanwhile ends the session.
  return { ...verified, passwordVersion };
}

/**
 * Mails a link for a new password if the email has an account. Neither the answer nor its timing reveals whether it
 * does, because the account is looked up after answering. Links sent before stay valid for their ten minutes; a new
 * password ends them all.
 * @throws ApiError 429 when this address asks too often
 */
export async function requestReset(
  c: Context<AppEnv>,
  { email, next }: { email: string; next: string | undefined },
): Promise<void> {
  const { db } = c.var;
  await checkFlood(depsOf(c));
  const device = await knownDevice(c, email);
  if (!device) await takeFromLimit(db, rateLimitFor(c.env, 'resetAddress', clientAddress(depsOf(c))));
  const mailLink = async () => {
    const account = await findAccount(db, { email });
    if (!account) return;
    const asked = device?.name ?? `${account.id} ${clientAddress(depsOf(c))}`;
    await takeFromLimit(db, rateLimitFor(c.env, device ? 'mailKnown' : 'mailAddress', asked));
    await takeFromLimit(db, rateLimitFor(c.env, device ? 'mailKnownAccount' : 'mailAccount', account.id));
    const occasion = device ? 'link for a known caller' : 'link for a stranger';
    await writeBatch(db, linkStatements(db, c.env, 'reset', { ...account, next }, occasion));
    await deliverMail(c.env, c.var.log, db);
  };
  runInBackground(depsOf(c), mailLink, (failure) => c.var.log('reset.not-mailed', failure));
}

interface NewPassword {
  readonly account: Pick<StoredAccount, 'id' | 'email' | 'passwordVersion' | 'hasPasskey'>;
  readonly password: string;
  /** The secret of the mailed link that it is chosen by; without one, its owner typed the earlier password. */
  readonly token?: string;
}

/**
 * The statement that audits that an account is no longer linked to Google, if it was. It comes before the one that
 * unlinks it.
 */
const googleUnlinked = (c: Context<AppEnv>, accountId: string): Statement =>
  auditOfRequest(depsOf(c), { action: 'googleUnlinked', accountId }, hasGoogleLink(accountId));

/**
 * Writes a new password: all sessions and reset links end, the owner is notified, and the rateLimits for guesses are
 * reset.
 * @returns false when another new password came first, or the link is over by now
 */
async function writePassword(
  c: Context<AppEnv>,
  { account: { id, email, passwordVersion, hasPasskey: hasOne }, password, token }: NewPassword,
): Promise<boolean> {
  const { db } = c.var;
  // The caller has a session or a mailed link.
  const passwordHash = await hashPassword(password, email);
  const now = Date.now();
  const version = passwordVersion + 1;
  const reason = token === undefined ? 'changed' : 'reset';
  // A link opened from a mail proves the email.
  const emailVerifiedAt = sql`coalesce(${accounts.emailVerifiedAt}, ${reason === 'reset' ? now : null})`;
  const isSamePassword = eq(accounts.passwordVersion, passwordVersion);
  const statements = [
    ...(token === undefined ? [] : useUpLink(db, token)),
    assertAccount(db, id),
    // An invitation that was accepted meanwhile has given the account to somebody else.
    assert(db, accountExists(id, isSamePassword)),
    db.insert(passwordChanges).values({ accountId: id, version, reason, changedAt: now }),
    auditOfRequest(depsOf(c), {
      action: reason === 'reset' ? 'passwordReset' : 'passwordChanged',
      accountId: id,
    }),
    ...(reason === 'reset' ? [googleUnlinked(c, id)] : []),
    db
      .update(accounts)
      .set({
        passwordHash,
        hasShortPassword: isShort(password),
        passwordVersion: version,
        emailVerifiedAt,
        ...(reason === 'reset' && { googleSubject: null }),
      })
      .where(eq(accounts.id, id)),
    endSessionsOf(db, id),
    // This also ends a link by which somebody else tried to change the email.
    endLinks(db, ['reset', 'email'], id),
    resetLimit(db, { kind: 'signInAccount', key: email }),
    ...queueLimitedMail(db, c.env, {
      accountId: id,
      to: email,
      kind: 'password-changed',
      ...passwordChangedMail(c.env.SITE_URL, reason, hasOne),
    }),
  ];
  const isWritten = await writeUnlessConflict(db, statements);
  if (isWritten) deliverSoon(depsOf(c));
  return isWritten;
}

/** Gives an account a new password by its mailed link, which verifies its email. @returns the account @throws ApiError 422 the link is over, or the password weak */
export async function confirmReset(
  c: Context<AppEnv>,
  { token, password }: { token: string; password: string },
): Promise<Pick<Account, 'id' | 'email'>> {
  const { db } = c.var;
  await checkFlood(depsOf(c));
  const account = await findLinkAccount(db, ['reset'], token);
  await checkNewPassword({ db, env: c.env }, { email: account.email, password });
  if (!(await writePassword(c, { account, password, token }))) throw invalid({ token: signInTexts.linkOver });
  rememberDevice(c, { id: account.id, passwordVersion: account.passwordVersion + 1 });
  return account;
}

export const noPassword = () =>
  conflict('Your account has no password yet. Choose one under "Password" in your account first.');

/**
 * Checks the caller's own password again, before something that a stolen session must not be able to do.
 * @param field name of the form's field, which the error names
 * @throws ApiError 422 wrong, 409 the account has none
 */
export async function confirmOwnPassword(
  c: Context<AppEnv>,
  { id, email, sessionId }: Account,
  { password, field }: { password: string; field: string },
): Promise<StoredAccount> {
  const guess = { email, holds: sessionId, by: { id } };
  const account = await checkGuess(c, guess, (found, known) => {
    if (found?.passwordHash === null) throw noPassword();
    return verifyPassword(password, found?.passwordHash, known);
  });
  if (!account) throw invalid({ [field]: signInTexts.wrongPassword });
  return account;
}

/** Changes the caller's own password. @returns the account under its new password */
export async function changePassword(
  c: Context<AppEnv>,
  caller: Account,
  { currentPassword, newPassword }: { currentPassword: string; newPassword: string },
): Promise<SignInAccount> {
  const { email, emailVerified } = caller;
  const chosen = { email, password: newPassword, field: 'newPassword' };
  await checkNewPassword({ db: c.var.db, env: c.env }, chosen, emailVerified);
  const account = await confirmOwnPassword(c, caller, {
    password: currentPassword,
    field: 'currentPassword',
  });
  if (!(await writePassword(c, { account, password: newPassword })))
    throw conflict('Your password has just been changed elsewhere. Please log in again.');
  const changed = { ...account, hasShortPassword: isShort(newPassword) };
  return { ...changed, ...standingOf(changed, account.role), passwordVersion: account.passwordVersion + 1 };
}
