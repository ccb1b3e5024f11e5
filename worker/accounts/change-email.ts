/**
 * Changes the email of an account. We send a link to the new address and notify both addresses. The change takes effect
 * when the link is opened by a person who is signed in to the account or knows its password. If the old email was
 * verified, everything stored under it moves along: the record in the list of users, the messages and the subscription.
 * An unverified email may belong to someone else, so nothing stored under it moves.
 */
import { and, desc, eq, gt, sql } from 'drizzle-orm';
import { signInTexts } from '#contract/account-rules.ts';
import type { Account } from '#contract/accounts.ts';
import { auditOfRequest } from '../audit/audit.ts';
import { saveWithRetry } from '../audit/setting-events.ts';
import { writeBatch, type Database, type Statement } from '../db/client.ts';
import type { RequestDeps } from '../http/app.ts';
import { conflict, invalid } from '../http/errors.ts';
import { countAttempt } from '../limits/rate-limits.ts';
import { isAddressedTo } from '../mail/outbox.ts';
import { mails } from '../mail/schema.ts';
import { findAccount } from './find-account.ts';
import { revokeLinks, findLinkAccount, type LinkAccount, linkStatements, consumeLink } from './links.ts';
import { renamedRecordStatements } from './members.ts';
import { noticeStatements } from './notices.ts';
import { assertUnchanged } from './owner.ts';
import type { PersonalRecords } from './personal-data.ts';
import { accounts, accountTokens } from './schema.ts';

/**
 * Requests a change of email. The answer does not reveal whether the new email has an account.
 * @throws ApiError 422, 429
 */
export async function requestEmail(deps: RequestDeps, account: Account, newEmail: string): Promise<void> {
  const { db } = deps;
  if (newEmail === account.email) throw invalid({ email: 'This is already your email.' });
  await countAttempt(deps, 'mailKnown', account.id);
  await writeBatch(db, [
    // No one has verified the new address yet.
    ...linkStatements(
      db,
      deps.env,
      'email',
      { id: account.id, email: account.email, newEmail },
      'link for a stranger',
    ),
    ...noticeStatements(deps, account, 'email-asked'),
  ]);
}

/** The new email that an account last requested, if its link is still valid. */
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
 * Gives an account the email that its link was sent to. If another change happens between the read and the write,
 * starts over from the current state.
 * @param link the link's secret and the new email
 * @param records what other features store under an email
 * @throws ApiError 409 when another account has the email or the list of users has both, 422 when the link is no longer
 *   valid because of a new password or email
 */
export function changeEmail(
  deps: RequestDeps,
  { token, newEmail }: { readonly token: string; readonly newEmail: string },
  records: readonly PersonalRecords[],
): Promise<void> {
  const { db } = deps;
  return saveWithRetry(db, async () => {
    const account = await findLinkAccount(db, ['email'], token);
    const { id, email, emailVerified } = account;
    if (await findAccount(db, { email: newEmail }))
      throw conflict(signInTexts.taken, { errors: { token: signInTexts.taken } });
    const ofEmail = emailVerified ? await statementsOfEmail(deps, account, newEmail) : [];
    const statements = [
      ...consumeLink(db, token),
      assertUnchanged(db, account),
      ...noticeStatements(deps, account, 'email-changed'),
      ...ofEmail,
      auditOfRequest(deps, { action: 'emailChanged', accountId: id }),
      ...records.flatMap((part) => part.rename?.(db, id, { from: email, to: newEmail }) ?? []),
      db.update(accounts).set({ email: newEmail, emailVerifiedAt: Date.now() }).where(eq(accounts.id, id)),
      revokeLinks(db, ['verify', 'reset', 'email'], id),
      ...noticeStatements(deps, { id, email: newEmail }, 'email-changed'),
    ];
    return { statements, answer: undefined };
  });
}

/** The statements that move what accounts and the mail queue store under a verified email. */
async function statementsOfEmail(
  deps: RequestDeps,
  account: LinkAccount,
  newEmail: string,
): Promise<Statement[]> {
  const { db } = deps;
  const { id, email } = account;
  return [
    ...(await renamedRecordStatements(deps, account, newEmail)),
    // Queued emails about orders now go to the new address. Queued emails about the account itself still go to the old
    // one.
    db
      .update(mails)
      .set({
        accountId: id,
        recipient: sql`CASE WHEN ${mails.number} IS NULL THEN ${mails.recipient} ELSE ${newEmail} END`,
      })
      .where(isAddressedTo(email)),
  ];
}
