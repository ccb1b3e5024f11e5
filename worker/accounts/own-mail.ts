/**
 * Mails that somebody with an account causes: signing up, ordering, cancelling. Until its email is verified the mailbox
 * may be a stranger's, which an account in their name must not fill.
 */
import { and, eq, exists, isNotNull, not, or } from 'drizzle-orm';
import { normalizeEmail } from '../contract/accounts.ts';
import type { Database, Statement } from '../db/client.ts';
import type { Env } from '../env.ts';
import { queueMail, type Mail } from '../mail/outbox.ts';
import { allowanceFor, countOne, isWithin } from './limits.ts';
import { accounts } from './schema.ts';

/**
 * The statements that queue a mail to an account's email: always once that is verified, before within an allowance. Put
 * them in the batch of the change that the mail tells of, before the account is deleted.
 */
export function queueOwnMail(db: Database, env: Env, mail: Mail): Statement[] {
  const email = normalizeEmail(mail.to);
  const allowance = allowanceFor(env, 'unverifiedMail', email);
  const isVerified = exists(
    db
      .select({ id: accounts.id })
      .from(accounts)
      .where(and(eq(accounts.email, email), isNotNull(accounts.emailVerifiedAt))),
  );
  return [
    countOne(db, allowance, Date.now(), not(isVerified)),
    queueMail(db, env, mail, or(isVerified, isWithin(allowance))),
  ];
}
