/**
 * Invitations: a person who is added to the list of users gets an email. If they have no verified account, the email
 * has a link that works once within seven days. Its form verifies the email and asks for a password. Only the person
 * who reads the email becomes a member. Any password or session that a stranger created for that address stops working.
 */
import { and, eq, gt, isNotNull, max, not, sql } from 'drizzle-orm';
import type { InvitedMember } from '#contract/accounts.calls.ts';
import type { CreationOptions, NewCredential } from '#contract/passkeys.calls.ts';
import { normalizeEmail } from '#contract/account-rules.ts';
import type { AuthMethod } from '#contract/accounts.ts';
import { passwordTexts } from '#contract/password-rules.ts';
import { hasAbility } from '#contract/audience.ts';
import { linkTo } from '#contract/screens.ts';
import { auditOfRequest } from '../audit/audit.ts';
import { assert } from '../db/assert.ts';
import { writeUnlessConflict, type Database, type Statement } from '../db/client.ts';
import { hasRow } from '../db/has-row.ts';
import type { Env } from '../env.ts';
import type { RequestDeps } from '../http/app.ts';
import { ApiError, conflict, invalid } from '../http/errors.ts';
import { hashSecret, newSecret } from '../http/secrets.ts';
import { rateLimitFor, releaseAttempt, countAttemptAndRead } from '../limits/rate-limits.ts';
import { cancelMailsAbout, queueMail } from '../mail/outbox.ts';
import { momentOf } from '../http/clock.ts';
import {
  accountQuery,
  findAccount,
  idOfEmail,
  recordOfAccount,
  type SignInAccount,
  toStoredAccount,
} from './find-account.ts';
import { queueLimitedMail } from './limited-mail.ts';
import { invitationMail, roleMail } from './mails.ts';
import { interrupted, newPasskey } from './passkeys.ts';
import { checkNewPassword } from './password-choice.ts';
import { accounts, invitations, users } from './schema.ts';
import { verifiedAccountStatements } from './verified-account.ts';
import { checkNewCredential, creationOptions, handleFrom, type NewlyMade, type Purpose } from './webauthn.ts';

const lastsMs = 7 * 24 * 60 * 60_000;

/** The statements that end the invitations of a record and delete queued emails that contain their links. */
export const revokeInvitations = (db: Database, recordId: string): Statement[] => [
  db.delete(invitations).where(eq(invitations.recordId, recordId)),
  cancelMailsAbout(db, sql`(${recordId})`),
];

/**
 * The statements that notify a person that they were added to the list of users, for the batch that writes the record.
 * Invitations have their own rate limit, which only administrators can use up.
 * @throws ApiError 429 when this email was invited too often
 */
export async function invitationStatements(
  { db, env }: { readonly db: Database; readonly env: Env },
  { _id, userEmail, userRole }: Pick<typeof users.$inferSelect, '_id' | 'userEmail' | 'userRole'>,
): Promise<Statement[]> {
  const to = normalizeEmail(userEmail);
  const isStaff = hasAbility(userRole, 'staff');
  const limit = rateLimitFor(env, 'invitationMail', to);
  const account = toStoredAccount(await countAttemptAndRead(db, [limit], accountQuery(db, { email: to })));
  if (account?.emailVerified) {
    const notInvited = [releaseAttempt(db, limit), ...revokeInvitations(db, _id)];
    const content = roleMail(env.SITE_URL, isStaff);
    return [
      ...notInvited,
      ...queueLimitedMail(db, env, { accountId: account.id, to, kind: 'role', content }),
    ];
  }
  const secret = newSecret();
  const link = `${env.SITE_URL}${linkTo('invitation')}?token=${secret}`;
  const content = invitationMail({ link, isStaff });
  return [
    ...revokeInvitations(db, _id),
    db.insert(invitations).values({ id: hashSecret(secret), recordId: _id, expiresAt: Date.now() + lastsMs }),
    // Not tied to an account. The account with this address may belong to a stranger, who could then delete the email
    // by deleting the account.
    queueMail(db, env, { accountId: '', about: _id, to, kind: 'invitation', content }),
  ];
}

/** The users who have no account with a verified email yet. */
export async function listInvited(db: Database): Promise<InvitedMember[]> {
  const rows = await db
    .select({ _id: users._id, until: max(invitations.expiresAt) })
    .from(users)
    .leftJoin(invitations, and(eq(invitations.recordId, users._id), gt(invitations.expiresAt, Date.now())))
    .where(not(hasRow(accounts, and(recordOfAccount, isNotNull(accounts.emailVerifiedAt)))))
    .groupBy(users._id);
  return rows.map(({ _id, until }) => ({
    _id,
    until: momentOf(until),
  }));
}

const over = () =>
  invalid({
    token:
      'This invitation has already been accepted or has expired. If you have accepted it, log in. If not, ask an administrator to send you a new one.',
  });

/** The condition that a token belongs to a valid invitation. */
const isOf = (token: string) =>
  and(eq(invitations.id, hashSecret(token)), gt(invitations.expiresAt, Date.now()));

/**
 * Finds the person whom a link invites.
 * @throws ApiError 422 if the link is no longer valid, 409 if the email is already verified
 */
async function findInvited(db: Database, token: string) {
  const record = await db
    .select({ _id: users._id, email: users.userEmail })
    .from(invitations)
    .innerJoin(users, eq(users._id, invitations.recordId))
    .where(isOf(token))
    .get();
  if (!record) throw over();
  const before = await findAccount(db, { email: record.email });
  if (before?.emailVerified) throw conflict('There is already an account with this email. Please log in.');
  return record;
}

/** Why a link does not, or no longer, invite anyone, as a sentence; undefined if it does. */
export async function invitationProblem(db: Database, token: string): Promise<string | undefined> {
  try {
    await findInvited(db, token);
    return undefined;
  } catch (error) {
    if (error instanceof ApiError) return error.message;
    throw error;
  }
}

/** The purpose of creating an invited person's passkey, valid only with the emailed link. */
const accepting = (token: string): Purpose => ({ purpose: 'invitation', by: hashSecret(token) });

/**
 * The options with which a device creates a passkey for the invited person.
 * @throws ApiError 409, 422
 */
export async function generateInvitationOptions(deps: RequestDeps, token: string): Promise<CreationOptions> {
  const { email } = await findInvited(deps.db, token);
  return creationOptions(deps, accepting(token), { email: normalizeEmail(email), exclude: [] });
}

/** The verified passkey of an invited person, if they chose a passkey over a password. */
async function checkWayIn(
  deps: RequestDeps,
  email: string,
  { token, password, credential }: Acceptance,
): Promise<NewlyMade | undefined> {
  if (credential) {
    const passkey = await checkNewCredential(deps, accepting(token), credential);
    if (!passkey) throw interrupted();
    return passkey;
  }
  if (password === undefined) throw invalid({ password: passwordTexts.required });
  await checkNewPassword(deps, { email, password });
  return undefined;
}

interface Acceptance {
  readonly token: string;
  readonly password?: string | undefined;
  readonly credential?: NewCredential | undefined;
}

/**
 * Creates the invited person's account, with a password or a passkey and a verified email.
 * @returns the account, and how they signed in to it
 * @throws ApiError 422 if the link is no longer valid or the password is weak, 409 if the email is already
 * verified
 */
export async function acceptInvitation(
  deps: RequestDeps,
  sent: Acceptance,
): Promise<{ readonly account: SignInAccount; readonly authMethod: AuthMethod }> {
  const { db } = deps;
  const { _id, email } = await findInvited(db, sent.token);
  const passkey = await checkWayIn(deps, email, sent);
  const opened = passkey
    ? { email, passkeyHandle: handleFrom(passkey.challenge) }
    : { email, password: sent.password };
  const id = idOfEmail(email);
  const isAccepted = await writeUnlessConflict(db, [
    assert(db, hasRow(invitations, isOf(sent.token))),
    // A password that a stranger set before no longer works.
    auditOfRequest(deps, { action: 'passwordReset', accountId: id }, sql`${id} <> ''`),
    ...(await verifiedAccountStatements(db, opened)),
    ...(passkey ? newPasskey(deps, id, passkey).statements : []),
    ...revokeInvitations(db, _id),
  ]);
  const account = isAccepted ? await findAccount(db, { email }) : undefined;
  if (!account) throw over();
  return { account, authMethod: passkey ? 'passkey' : 'nothing' };
}
