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
import { type Allowance, allowanceFor, countOne, isBelow } from '../limits/allowances.ts';
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

/** Of the hourly mails to an address that nobody has verified, those that only links may use that somebody asks for. */
const keptForLinks = 5;
/** And those of a caller who is signed in to its account, or asks on a device that is known for it: no stranger uses them up. */
const keptForKnown = 5;

/** What a mail is: a link that a stranger or a known caller asks for, or a notice of what the account does. */
export type Occasion = 'notice' | 'link for a stranger' | 'link for a known caller';

/** What an address that nobody has verified may get on an occasion. */
function unverifiedAllowance(env: Env, email: string, occasion: Occasion): Allowance {
  const inAll = allowanceFor(env, 'unverifiedMail', email);
  if (occasion === 'link for a known caller') return { ...inAll, key: `known ${email}`, max: keptForKnown };
  const max = inAll.max - keptForKnown - (occasion === 'notice' ? keptForLinks : 0);
  return { ...inAll, max: Math.max(max, 1) };
}

/**
 * The statements that queue a mail to an account's email: always once that is verified, before within an allowance. Put
 * them in the batch of the change that the mail tells of, before the account is deleted.
 */
export function queueLimitedMail(
  db: Database,
  env: Env,
  { toUnverified, onlyIf, ...mail }: LimitedMail,
  occasion: Occasion = 'notice',
): Statement[] {
  const now = Date.now();
  const email = normalizeEmail(mail.to);
  const allowance = unverifiedAllowance(env, email, occasion);
  const account = (...conditions: Parameters<typeof and>) =>
    exists(
      db
        .select({ id: accounts.id })
        .from(accounts)
        .where(and(eq(accounts.id, mail.accountId), ...conditions)),
    );
  const isVerified = account(eq(accounts.email, email), isNotNull(accounts.emailVerifiedAt));
  const isMailed = onlyIf ? and(onlyIf, isVerified) : isVerified;
  const hasAccount = mail.accountId === '' ? undefined : account();
  const isAllowed = and(onlyIf, hasAccount, not(isVerified), isBelow(allowance, allowance.max, now));
  return [
    ...(toUnverified
      ? [queueMail(db, env, mail, isMailed), queueMail(db, env, { ...mail, ...toUnverified }, isAllowed)]
      : [queueMail(db, env, mail, or(isMailed, isAllowed))]),
    // Counted where a mail was queued: of several with one topic a single one is.
    countOne(db, allowance, now, and(isAllowed, sql`changes() = 1`)),
  ];
}
