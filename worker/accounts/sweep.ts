/**
 * Deletes expired data: sessions, emailed links, counted attempts, and data that is kept for a number of days (a
 * setting). Each run deletes a limited number of rows of each kind, so that its statements stay short.
 */
import { and, eq, inArray, isNull, lt, not, or } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import { auditEvents } from '../audit/schema.ts';
import { writeBatch, type Database } from '../db/client.ts';
import { deleteSome } from '../db/delete-some.ts';
import { hasRow } from '../db/has-row.ts';
import { numberFrom, type Env } from '../env.ts';
import { dayMs } from '../http/clock.ts';
import type { Log } from '../http/log.ts';
import { sweepAttempts } from '../limits/rate-limits.ts';
import { mails } from '../mail/schema.ts';
import type { LimitName } from '../settings.ts';
import { farewellKind } from './mails.ts';
import type { PersonalRecords } from './personal-data.ts';
import {
  accounts,
  accountTokens,
  invitations,
  passkeys,
  passwordChanges,
  recoveryCodes,
  sessions,
  spentChallenges,
} from './schema.ts';
import { deleteOldSessions } from './sessions.ts';

/** The maximum number of accounts that one run deletes, together with their rows in other tables. */
const accountsRunLength = 200;

/**
 * Deletes accounts with an unconfirmed email, unless another feature needs them.
 * @returns the number of accounts found; those that were confirmed or placed an order in the meantime are kept
 */
async function sweepUnconfirmed(
  db: Database,
  before: number,
  records: readonly PersonalRecords[],
): Promise<number> {
  const needed = records.flatMap(({ needs }) => (needs ? [not(needs(db, accounts.id))] : []));
  const isOver = and(isNull(accounts.emailVerifiedAt), lt(accounts.createdAt, before), ...needed);
  const over = await db.select({ id: accounts.id }).from(accounts).where(isOver).limit(accountsRunLength);
  const ids = over.map(({ id }) => id);
  if (ids.length === 0) return 0;
  const isGone = (accountId: SQLiteColumn) =>
    and(inArray(accountId, ids), not(hasRow(accounts, eq(accounts.id, accountId))));
  await writeBatch(db, [
    db.delete(accounts).where(and(inArray(accounts.id, ids), isOver)),
    ...[sessions, accountTokens, passwordChanges, passkeys, recoveryCodes, mails].map((table) =>
      db.delete(table).where(isGone(table.accountId)),
    ),
  ]);
  return ids.length;
}

/**
 * The cron trigger runs this.
 * @param records the other features' personal data, and for which accounts they need it
 */
export async function sweepAccounts(
  env: Env,
  log: Log,
  records: readonly PersonalRecords[],
  db: Database,
): Promise<void> {
  const now = Date.now();
  const keptSince = (setting: LimitName, days: number) => now - numberFrom(env, setting, days) * dayMs;
  const [links, invited, challenges, windows, unconfirmed, unsent, audit] = await Promise.all([
    deleteSome(db, accountTokens, lt(accountTokens.expiresAt, now)),
    deleteSome(db, invitations, lt(invitations.expiresAt, now)),
    deleteSome(db, spentChallenges, lt(spentChallenges.expiresAt, now)),
    sweepAttempts(db),
    sweepUnconfirmed(db, keptSince('LIMIT_UNCONFIRMED_ACCOUNT_DAYS', 30), records),
    // Deletes emails that failed and were not resent. The farewell email contains an address that is stored nowhere
    // else, so it is deleted once we give up on it, or after a day of attempts.
    deleteSome(
      db,
      mails,
      or(
        and(isNull(mails.dueAt), lt(mails.createdAt, keptSince('LIMIT_UNSENT_MAIL_DAYS', 30))),
        and(eq(mails.kind, farewellKind), or(isNull(mails.dueAt), lt(mails.createdAt, now - dayMs))),
      ),
    ),
    deleteSome(db, auditEvents, lt(auditEvents.at, keptSince('LIMIT_AUDIT_DAYS', 365))),
    deleteOldSessions(db),
  ]);
  const swept = {
    links: links + invited,
    challenges,
    windows,
    accounts: unconfirmed,
    mails: unsent,
    audit,
  };
  if (Object.values(swept).some((count) => count > 0)) log('accounts.swept', swept);
}
