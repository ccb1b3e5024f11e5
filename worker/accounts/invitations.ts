/**
 * Invitations: who is added to the list of users gets a mail. Somebody without a verified account gets a link that is
 * good once, for seven days: it verifies the email and asks for a password. Nobody but the reader of the mail becomes a
 * member by it, and a password or session that a stranger has under that email is over.
 */
import { and, eq, gt, sql } from 'drizzle-orm';
import type { Context } from 'hono';
import { normalizeEmail, signInTexts } from '#contract/accounts.ts';
import { hasAbility, type Role } from '#contract/audience.ts';
import { linkTo } from '#contract/screens.ts';
import type { Database, Statement } from '../db/client.ts';
import { writeUnlessConflict } from '../db/conflicts.ts';
import type { Env } from '../env.ts';
import type { AppEnv } from '../http/app.ts';
import { conflict, invalid } from '../http/errors.ts';
import { hashSecret, newSecret } from '../http/secrets.ts';
import { checkFlood } from '../limits/allowances.ts';
import { queueLimitedMail } from './limited-mail.ts';
import { endLinks } from './links.ts';
import { invitationMail, roleMail } from './mails.ts';
import { invitations, users } from './schema.ts';
import { checkNewPassword, findAccount } from './service.ts';
import type { SignInAccount } from './session.ts';
import { verifiedAccountStatements } from './setup.ts';

const lastsMs = 7 * 24 * 60 * 60_000;

interface Invited {
  readonly _id: string;
  readonly userEmail: string;
  readonly userRole: Role;
}

/** The statement after which no link invites somebody by this record any more. */
export const endInvitations = (db: Database, recordId: string): Statement =>
  db.delete(invitations).where(eq(invitations.recordId, recordId));

/** The statements that tell somebody of their place in the list of users, for the batch that writes the record. */
export async function invitationStatements(
  { db, env }: { readonly db: Database; readonly env: Env },
  { _id, userEmail, userRole }: Invited,
): Promise<Statement[]> {
  const account = await findAccount(db, { email: userEmail });
  const to = normalizeEmail(userEmail);
  if (account?.emailVerified) {
    if (!hasAbility(userRole, 'staff')) return [];
    const mail = { accountId: account.id, to, kind: 'role', ...roleMail(env.SITE_URL + linkTo('admin')) };
    return [endInvitations(db, _id), ...queueLimitedMail(db, env, mail)];
  }
  const secret = newSecret();
  const link = `${env.SITE_URL}${linkTo('invitation')}?token=${secret}`;
  return [
    endInvitations(db, _id),
    db.insert(invitations).values({ id: hashSecret(secret), recordId: _id, expiresAt: Date.now() + lastsMs }),
    ...queueLimitedMail(
      db,
      env,
      { accountId: account?.id ?? '', to, kind: 'invitation', ...invitationMail({ link }) },
      'asked for',
    ),
  ];
}

/**
 * Makes the invited person's account, with a password and a verified email.
 * @throws ApiError 422 the link is over, or the password weak; 409 the email is verified already
 */
export async function acceptInvitation(
  c: Context<AppEnv>,
  { token, password }: { token: string; password: string },
): Promise<SignInAccount> {
  const { db } = c.var;
  await checkFlood(c);
  const isThis = and(eq(invitations.id, hashSecret(token)), gt(invitations.expiresAt, Date.now()));
  const record = await db
    .select({ _id: users._id, email: users.userEmail })
    .from(invitations)
    .innerJoin(users, eq(users._id, invitations.recordId))
    .where(isThis)
    .get();
  const over = () => invalid({ token: signInTexts.linkOver });
  if (!record) throw over();
  const { _id, email } = record;
  await checkNewPassword({ db, env: c.env }, { email, password });
  const before = await findAccount(db, { email });
  if (before?.emailVerified) throw conflict('There is an account with this email already. Please log in.');
  const isStillThere = sql`exists (select 1 from ${invitations} where ${isThis})`;
  const isAccepted = await writeUnlessConflict(
    db,
    [
      ...(await verifiedAccountStatements(db, { email, password }, isStillThere)),
      ...(before ? [endLinks(db, 'verify', before.id), endLinks(db, 'reset', before.id)] : []),
      endInvitations(db, _id),
    ],
    'accounts.createdAt',
  );
  const account = isAccepted ? await findAccount(db, { email }) : undefined;
  if (!account) throw over();
  return account;
}
