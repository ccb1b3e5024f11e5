/**
 * Changes the email of an account. We send a link to the new address and notify both addresses. The change takes
 * effect when somebody opens the link who is signed in to the account or knows its password. If the old email was
 * verified, everything stored under it moves along: the record in the list of users, the messages and the
 * subscription. An unverified email may belong to somebody else, so nothing stored under it moves.
 */
import { and, desc, eq, exists, gt, inArray, sql, type SQL } from 'drizzle-orm';
import { type Account, signInTexts } from '#contract/accounts.ts';
import { newId } from '#contract/ids.ts';
import { auditOfRequest } from '../audit/audit.ts';
import { settingEvents } from '../audit/schema.ts';
import { forgetEmail } from '../audit/setting-events.ts';
import {
  isFailedAssertion,
  isUniqueViolation,
  writeBatch,
  type Database,
  type Statement,
} from '../db/client.ts';
import type { RequestDeps } from '../http/app.ts';
import { conflict, invalid } from '../http/errors.ts';
import { rateLimitFor, checkFlood, takeFromLimit } from '../limits/rate-limits.ts';
import { deliverSoon, isMailedTo } from '../mail/outbox.ts';
import { mails } from '../mail/schema.ts';
import { recordOfEmail } from './find-account.ts';
import { queueLimitedMail } from './limited-mail.ts';
import { endLinks, linkStatements, useUpLink } from './links.ts';
import { emailAskedMail, emailChangedMail } from './mails.ts';
import { actorId, hasVerifiedEmail } from './owner.ts';
import type { PersonalRecords } from './personal-data.ts';
import { accounts, accountTokens, invitations, users } from './schema.ts';

/**
 * Requests a change of email. The answer does not reveal whether the new email has an account.
 * @throws ApiError 422, 429
 */
export async function requestEmail(deps: RequestDeps, account: Account, newEmail: string): Promise<void> {
  const { db } = deps;
  await checkFlood(deps);
  if (newEmail === account.email) throw invalid({ email: 'This is your email already.' });
  await takeFromLimit(db, rateLimitFor(deps.env, 'mailKnown', account.id));
  await writeBatch(db, [
    // Nobody has verified the new address yet.
    ...linkStatements(
      db,
      deps.env,
      'email',
      { id: account.id, email: account.email, newEmail },
      'link for a stranger',
    ),
    ...queueLimitedMail(db, deps.env, {
      accountId: account.id,
      to: account.email,
      kind: 'email-asked',
      ...emailAskedMail(deps.env.SITE_URL),
    }),
  ]);
  deliverSoon(deps);
}

/** The email that an account last asked to change to, while its link is still valid. */
export async function findRequestedEmail(db: Database, accountId: string): Promise<string | null> {
  const asked = await db
    .select({ newEmail: accountTokens.newEmail })
    .from(accountTokens)
    .where(
      and(
        eq(accountTokens.accountId, accountId),
        eq(accountTokens.purpose, 'email'),
        gt(accountTokens.expiresAt, Date.now()),
      ),
    )
    .orderBy(desc(accountTokens.expiresAt))
    .limit(1)
    .get();
  return asked?.newEmail ?? null;
}

/**
 * The statement that logs a user record's change to its owner's new email. It does nothing if there is no record.
 * @param condition logged only if it holds
 */
const memberRenamed = (
  db: Database,
  { from, to }: { readonly from: string; readonly to: string },
  by: SQL<string>,
  condition: SQL,
): Statement =>
  db.insert(settingEvents).select(
    db
      .select({
        id: sql<string>`${newId()}`.as('id'),
        setting: sql<'member'>`'member'`.as('setting'),
        recordId: users._id,
        version: sql<number>`${users.version} + 1`.as('version'),
        action: sql<'updated'>`'updated'`.as('action'),
        at: sql<number>`${Date.now()}`.as('at'),
        by: by.as('by'),
        before: sql<string>`json_object('userEmail', ${users.userEmail}, 'userRole', ${users.userRole})`.as(
          'before',
        ),
        after: sql<string>`json_object('userEmail', ${to}, 'userRole', ${users.userRole})`.as('after'),
      })
      .from(users)
      .where(and(recordOfEmail(from), condition)),
  );

const listedText =
  'The list of users has both your email and the new one. Ask an administrator to remove the new one from it, then open the link again.';

/**
 * Gives an account the email that its link was sent to.
 * @param link the link's secret, and the account and emails that were looked up by it
 * @param records what other features store under an email
 * @throws ApiError 409 when another account has the email or the list of users has both, 422 when the link is no
 * longer valid because of a new password or email
 */
export async function changeEmail(
  deps: RequestDeps,
  { token, id, email, newEmail }: Readonly<Record<'token' | 'id' | 'email' | 'newEmail', string>>,
  records: readonly PersonalRecords[],
): Promise<void> {
  const { db } = deps;
  const change = { from: email, to: newEmail };
  const isVerified = hasVerifiedEmail(id);
  const record = db.select({ _id: users._id }).from(users).where(recordOfEmail(email));
  const statements: Statement[] = [
    ...useUpLink(db, token),
    ...queueLimitedMail(db, deps.env, {
      accountId: id,
      to: email,
      kind: 'email-changed',
      ...emailChangedMail(deps.env.SITE_URL),
    }),
    memberRenamed(db, change, actorId(id), isVerified),
    auditOfRequest(
      deps,
      { action: 'role', accountId: id, recordId: sql`${record}` },
      and(exists(record), isVerified),
    ),
    db.delete(invitations).where(and(inArray(invitations.recordId, record), isVerified)),
    db
      .update(users)
      .set({ userEmail: newEmail, version: sql`${users.version} + 1` })
      .where(and(recordOfEmail(email), isVerified)),
    auditOfRequest(deps, { action: 'emailChanged', accountId: id }),
    // The audit log identifies the person by the account's id.
    forgetEmail(db, email, isVerified),
    // Mails that are still queued for the old address move with the account. Those about orders go to the new
    // address, those about the account itself to the old one.
    db
      .update(mails)
      .set({
        accountId: id,
        recipient: sql`CASE WHEN ${mails.number} IS NULL THEN ${mails.recipient} ELSE ${newEmail} END`,
      })
      .where(and(isMailedTo(email), isVerified)),
    ...records.flatMap((part) => part.rename?.(db, id, change) ?? []),
    db.update(accounts).set({ email: newEmail, emailVerifiedAt: Date.now() }).where(eq(accounts.id, id)),
    endLinks(db, ['verify', 'reset', 'email'], id),
    ...queueLimitedMail(db, deps.env, {
      accountId: id,
      to: newEmail,
      kind: 'email-changed',
      ...emailChangedMail(deps.env.SITE_URL),
    }),
  ];
  try {
    await writeBatch(db, statements);
  } catch (error) {
    if (isFailedAssertion(error, 'unchanged')) throw invalid({ token: signInTexts.linkOver });
    if (isUniqueViolation(error, 'users_userEmail_unique'))
      throw conflict(listedText, { errors: { token: listedText } });
    if (isUniqueViolation(error)) throw conflict(signInTexts.taken, { errors: { token: signInTexts.taken } });
    throw error;
  }
  deliverSoon(deps);
}
