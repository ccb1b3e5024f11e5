/**
 * Emails to account holders. Until the address is verified, the mailbox may belong to someone else. An account
 * registered in that person's name must not flood the mailbox, or make the firm send text that the registrant entered.
 */
import { and, not, or, type SQL } from 'drizzle-orm';
import { normalizeEmail } from '#contract/account-rules.ts';
import type { Database, Statement } from '../db/client.ts';
import { hasChanged } from '../db/insert-if.ts';
import type { Env } from '../env.ts';
import { rateLimitFor, countOne, isBelow, type RateLimit } from '../limits/rate-limits.ts';
import type { MailContent } from '../mail/layout.ts';
import { queueMail, type Mail } from '../mail/outbox.ts';
import { accountExists, isVerifiedEmail } from './owner.ts';

export interface LimitedMail extends Mail {
  /** Empty for a person without an account, whose address is unverified. */
  readonly accountId: string;
  /**
   * What an unverified address gets instead, without any text that a person entered. Leave it out only if the email
   * itself contains no such text.
   */
  readonly toUnverified?: MailContent;
  /** The email is queued only if this holds. */
  readonly onlyIf?: SQL;
}

/** How many of the hourly emails to an unverified address are reserved for requested links. */
const keptForLinks = 5;
/**
 * How many of them are reserved for callers who are signed in or use a known device, so that strangers cannot use
 * them up.
 */
const keptForKnown = 5;

/** Why an email is sent: a stranger or a known caller asked for a link, or the account is notified of a change. */
export type Occasion = 'notice' | 'link for a stranger' | 'link for a known caller';

function unverifiedMailLimit(env: Env, email: string, occasion: Occasion): RateLimit {
  const inAll = rateLimitFor(env, 'unverifiedMail', email);
  if (occasion === 'link for a known caller') return { ...inAll, key: `known ${email}`, max: keptForKnown };
  const max = inAll.max - keptForKnown - (occasion === 'notice' ? keptForLinks : 0);
  return { ...inAll, max: Math.max(max, 1) };
}

/**
 * The statements that queue an email to an account's address. A verified address always gets it, an unverified one
 * within a rate limit. Put them in the batch of the change that the email is about, before the account is deleted.
 */
export function queueLimitedMail(
  db: Database,
  env: Env,
  { toUnverified, onlyIf, replyTo, ...mail }: LimitedMail,
  occasion: Occasion = 'notice',
): Statement[] {
  const now = Date.now();
  const email = normalizeEmail(mail.to);
  // Replies from an unverified address must not appear in the conversation of the account.
  const withReplyTo = replyTo === undefined ? mail : { ...mail, replyTo };
  const limit = unverifiedMailLimit(env, email, occasion);
  const isVerified = isVerifiedEmail(mail.accountId, email);
  const isMailed = and(onlyIf, isVerified);
  const hasAccount = mail.accountId === '' ? undefined : accountExists(mail.accountId);
  const isAllowed = and(onlyIf, hasAccount, not(isVerified), isBelow(limit, limit.max, now));
  return [
    ...(toUnverified
      ? [
          queueMail(db, env, withReplyTo, isMailed),
          queueMail(db, env, { ...mail, content: toUnverified }, isAllowed),
        ]
      : [queueMail(db, env, withReplyTo, or(isMailed, isAllowed))]),
    // Counted only if an email was queued. If its topic is already queued, an email is not queued again.
    countOne(db, limit, now, and(isAllowed, hasChanged)),
  ];
}
