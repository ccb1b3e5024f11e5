/**
 * Another email for an account. A link goes to the new address, and the account has it once that link is opened by
 * somebody who is signed in to the account or knows its password; both addresses are told. What the site keeps under the
 * old email follows, if the account had shown that it was theirs: the record in the list of users, messages and the
 * subscription. An account that anybody may have opened under that email takes nothing of it along.
 */
import { and, eq, exists, sql } from 'drizzle-orm';
import type { Context } from 'hono';
import { type Account, signInTexts } from '#contract/accounts.ts';
import { isMissingValue, isUniqueViolation, writeBatch, type Statement } from '../db/client.ts';
import type { AppEnv } from '../http/app.ts';
import { conflict, invalid } from '../http/errors.ts';
import { allowanceFor, checkFlood, takeAllowance } from '../limits/allowances.ts';
import { deliverSoon, isMailedTo } from '../mail/outbox.ts';
import { mails } from '../mail/schema.ts';
import { auditOfRequest } from './audit.ts';
import { queueLimitedMail } from './limited-mail.ts';
import { endLinks, linkStatements } from './links.ts';
import { emailAskedMail, emailChangedMail } from './mails.ts';
import { actorId, hasVerifiedEmail } from './owner.ts';
import type { PersonalRecords } from './personal-data.ts';
import { accounts, users } from './schema.ts';
import { recordOfEmail } from './session.ts';
import { forgetEmail, memberRenamed } from './setting-events.ts';

/** Asks for another email. Whether it has an account already shows in nothing. @throws ApiError 422, 429 */
export async function requestEmail(c: Context<AppEnv>, account: Account, newEmail: string): Promise<void> {
  const { db } = c.var;
  await checkFlood(c);
  if (newEmail === account.email) throw invalid({ email: 'This is your email already.' });
  await takeAllowance(db, allowanceFor(c.env, 'mailKnown', account.id));
  await writeBatch(db, [
    // A new address is nobody's that we know.
    ...linkStatements(
      db,
      c.env,
      'email',
      { id: account.id, email: account.email, newEmail },
      'link for a stranger',
    ),
    ...queueLimitedMail(db, c.env, {
      accountId: account.id,
      to: account.email,
      kind: 'email-asked',
      ...emailAskedMail(c.env.SITE_URL),
    }),
  ]);
  deliverSoon(c);
}

/**
 * Gives an account the email that its link was sent to.
 * @param records what other features keep under an email
 * @throws ApiError 409 when another account has it, 422 when the account got another email meanwhile
 */
export async function changeEmail(
  c: Context<AppEnv>,
  { id, email, newEmail }: { readonly id: string; readonly email: string; readonly newEmail: string },
  records: readonly PersonalRecords[],
): Promise<void> {
  const { db } = c.var;
  const change = { from: email, to: newEmail };
  const isVerified = hasVerifiedEmail(id);
  const record = db.select({ _id: users._id }).from(users).where(recordOfEmail(email));
  const statements: Statement[] = [
    ...queueLimitedMail(db, c.env, {
      accountId: id,
      to: email,
      kind: 'email-changed',
      ...emailChangedMail(c.env.SITE_URL),
    }),
    memberRenamed(db, change, actorId(id), isVerified),
    auditOfRequest(
      c,
      { action: 'role', accountId: id, recordId: sql`${record}` },
      and(exists(record), isVerified),
    ),
    db
      .update(users)
      .set({ userEmail: newEmail, version: sql`${users.version} + 1` })
      .where(and(recordOfEmail(email), isVerified)),
    auditOfRequest(c, { action: 'emailChanged', accountId: id }),
    // The audit keeps who it was by the account's id.
    forgetEmail(db, email, isVerified),
    // What still waits for the old address goes with the account, though that is not its email any more. What tells of
    // an order goes to the new one; what tells of the account itself is for the one it had so far.
    db
      .update(mails)
      .set({
        accountId: id,
        recipient: sql`CASE WHEN ${mails.number} IS NULL THEN ${mails.recipient} ELSE ${newEmail} END`,
      })
      .where(and(isMailedTo(email), isVerified)),
    ...records.flatMap((part) => part.rename?.(db, id, change) ?? []),
    db
      .update(accounts)
      .set({
        email: sql`CASE WHEN ${accounts.email} = ${email} THEN ${newEmail} END`,
        emailVerifiedAt: Date.now(),
      })
      .where(eq(accounts.id, id)),
    endLinks(db, ['verify', 'reset', 'email'], id),
    ...queueLimitedMail(db, c.env, {
      accountId: id,
      to: newEmail,
      kind: 'email-changed',
      ...emailChangedMail(c.env.SITE_URL),
    }),
  ];
  try {
    await writeBatch(db, statements);
  } catch (error) {
    if (isMissingValue(error, 'accounts.email')) throw invalid({ token: signInTexts.linkOver });
    if (isUniqueViolation(error)) throw conflict(signInTexts.taken, { errors: { token: signInTexts.taken } });
    throw error;
  }
  deliverSoon(c);
}
