/**
 * Mails to account holders. Until the email is verified, the mailbox may belong to somebody else: an account registered
 * in their name must neither flood it nor have the firm send words of the registrant.
 */
import { and, eq, exists, isNotNull, not, or, sql, type SQL } from 'drizzle-orm';
import { normalizeEmail } from '#contract/accounts.ts';
import type { Database, Statement } from '../db/client.ts';
import type { Env } from '../env.ts';
import { type RateLimit, rateLimitFor, countOne, isBelow } from '../limits/rate-limits.ts';
import type { MailContent } from '../mail/layout.ts';
import { queueMail, type Mail } from '../mail/outbox.ts';
import { accounts } from './schema.ts';

export interface LimitedMail extends Mail {
  /** Empty for somebody who has no account (yet): an address that nobody has verified. */
  readonly accountId: string;
  /**
   * What an unverified address gets instead, without anything that a person typed. Leave it out only if the mail itself
   * holds nothing typed.
   */
  readonly toUnverified?: MailContent;
  /** Queued only if it holds. */
  readonly onlyIf?: SQL;
}

/** Of the hourly mails to an unverified address, how many are reserved for links that somebody asks for. */
const keptForLinks = 5;
/** How many are reserved for a caller who is signed in or uses a known device, so that strangers cannot use them up. */
const keptForKnown = 5;

/** Why a mail is sent: a stranger or a known caller asked for a link, or the account is notified of a change. */
export type Occasion = 'notice' | 'link for a stranger' | 'link for a known caller';

/** The rate limit of an unverified address for an occasion. */
function unverifiedMailLimit(env: Env, email: string, occasion: Occasion): RateLimit {
  const inAll = rateLimitFor(env, 'unverifiedMail', email);
  if (occasion === 'link for a known caller') return { ...inAll, key: `known ${email}`, max: keptForKnown };
  const max = inAll.max - keptForKnown - (occasion === 'notice' ? keptForLinks : 0);
  return { ...inAll, max: Math.max(max, 1) };
}

/**
 * The statements that queue a mail to an account's email: always once that is verified, before within a rate limit. Put
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
  const limit = unverifiedMailLimit(env, email, occasion);
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
  const isAllowed = and(onlyIf, hasAccount, not(isVerified), isBelow(limit, limit.max, now));
  return [
    ...(toUnverified
      ? [queueMail(db, env, mail, isMailed), queueMail(db, env, { ...mail, ...toUnverified }, isAllowed)]
      : [queueMail(db, env, mail, or(isMailed, isAllowed))]),
    // Counted only where a mail was queued: a mail whose topic already waits is not queued again.
    countOne(db, limit, now, and(isAllowed, sql`changes() = 1`)),
  ];
}
