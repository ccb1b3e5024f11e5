/**
 * Mails to somebody with an account. Until its email is verified the mailbox may be a stranger's, which an account in
 * their name must neither fill nor speak to in the firm's name.
 */
import { and, eq, exists, isNotNull, not, or, sql, type SQL } from 'drizzle-orm';
import { normalizeEmail } from '#contract/accounts.ts';
import type { Database, Statement } from '../db/client.ts';
import type { Env } from '../env.ts';
import type { MailContent } from '../mail/layout.ts';
import { queueMail, type Mail } from '../mail/outbox.ts';
import { allowanceFor, countOne, isBelow } from '../limits/allowances.ts';
import { accounts } from './schema.ts';

export interface LimitedMail extends Mail {
  /** Empty for somebody who has no account (yet): an address that nobody has verified. */
  readonly accountId: string;
  /**
   * What an address that nobody has verified gets instead: nothing in it may have been typed by a person. To be left
   * out only where that holds for the mail itself.
   */
  readonly toUnverified?: MailContent;
  /** Queued only if it holds. */
  readonly onlyIf?: SQL;
}

/** Of the hourly mails to an address that nobody has verified, those that only links somebody asks for may use. */
const keptForLinks = 5;

/**
 * The statements that queue a mail to an account's email: always once that is verified, before within an allowance. Put
 * them in the batch of the change that the mail tells of, before the account is deleted.
 * @param occasion a link that somebody asks for, or news of what the account does
 */
export function queueLimitedMail(
  db: Database,
  env: Env,
  { toUnverified, onlyIf, ...mail }: LimitedMail,
  occasion: 'asked for' | 'told' = 'told',
): Statement[] {
  const now = Date.now();
  const email = normalizeEmail(mail.to);
  const allowance = allowanceFor(env, 'unverifiedMail', email);
  const max = occasion === 'told' ? Math.max(allowance.max - keptForLinks, 1) : allowance.max;
  const account = (...conditions: Parameters<typeof and>) =>
    exists(
      db
        .select({ id: accounts.id })
        .from(accounts)
        .where(and(eq(accounts.id, mail.accountId), ...conditions)),
    );
  const isVerified = account(eq(accounts.email, email), isNotNull(accounts.emailVerifiedAt));
  const isTold = onlyIf ? and(onlyIf, isVerified) : isVerified;
  const hasAccount = mail.accountId === '' ? undefined : account();
  const mayBeTold = and(onlyIf, hasAccount, not(isVerified), isBelow(allowance, max, now));
  return [
    ...(toUnverified
      ? [queueMail(db, env, mail, isTold), queueMail(db, env, { ...mail, ...toUnverified }, mayBeTold)]
      : [queueMail(db, env, mail, or(isTold, mayBeTold))]),
    // Counted where a mail was queued: of several with one topic a single one is.
    countOne(db, allowance, now, and(mayBeTold, sql`changes() = 1`)),
  ];
}
