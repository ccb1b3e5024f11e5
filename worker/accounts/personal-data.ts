/**
 * Exports all of a person's data as a file, and deletes it. The order data that accounting needs stays, without name,
 * address and email.
 */
import { eq, inArray, or, type SQL } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { Account } from '#contract/accounts.ts';
import type { AnswerOf } from '#contract/call.ts';
import type { accountCalls } from '#contract/accounts.calls.ts';
import { auditStatement } from '../audit/audit.ts';
import { saveWithRetry } from '../audit/setting-events.ts';
import type { Database, Statement } from '../db/client.ts';
import type { Env } from '../env.ts';
import type { RequestDeps } from '../http/app.ts';
import { momentOf } from '../http/clock.ts';
import { describeError } from '../http/log.ts';
import { isAddressedTo } from '../mail/outbox.ts';
import { mails } from '../mail/schema.ts';
import { deleteObjects } from '../operations/bucket.ts';
import { writeTombstone } from '../operations/tombstones.ts';
import { findAccount } from './find-account.ts';
import { queueLimitedMail } from './limited-mail.ts';
import { accountDeletedMail, farewellKind } from './mails.ts';
import { ownRecordStatements } from './members.ts';
import { assertUnchanged } from './owner.ts';
import { deletePasskeys, listPasskeys } from './passkeys.ts';
import { toProfile } from './profile.ts';
import { accounts, accountTokens, passwordChanges } from './schema.ts';
import { deleteSessions, listSessions } from './sessions.ts';

type Exported = AnswerOf<(typeof accountCalls)['GET /auth/account']>;

/** The fields of an account that deleting it needs. */
export type Person = Pick<Account, 'id' | 'email' | 'emailVerified' | 'role'>;

/** Without a request, `clientIp` is empty. */
type DeletionContext = Pick<RequestDeps, 'db' | 'env' | 'log' | 'clientIp'>;

/** What a feature stores about a person: how to export it, and the statements that delete it. */
export interface PersonalRecords {
  readonly export: (
    db: Database,
    account: Account,
    env: Env,
  ) => Promise<Partial<Omit<Exported, 'account' | 'sessions' | 'passkeys' | 'recoveryCodesLeft'>>>;
  readonly forget: (db: Database, account: Person) => readonly Statement[];
  /**
   * Ends things at other services that must end before the account does, such as open payments.
   * @returns the statements that record it, for the batch of the deletion, before those of `forget`
   * @throws ApiError 409 while that is impossible
   */
  readonly conclude?: (context: DeletionContext, account: Person) => Promise<readonly Statement[]>;
  /** The bucket keys of the files to delete with the account. */
  readonly files?: (db: Database, account: Person) => Promise<readonly string[]>;
  /** The condition that this feature still needs an unconfirmed account. The sweep then keeps the account. */
  readonly needs?: (db: Database, accountId: SQLiteColumn) => SQL;
  /** The statements that move what is stored under an account's email to its new one. */
  readonly rename?: (
    db: Database,
    accountId: string,
    change: { readonly from: string; readonly to: string },
  ) => readonly Statement[];
  /** Gives an account what was stored under its email, once the email is verified. */
  readonly claim?: (db: Database, account: Pick<Account, 'id' | 'email'>) => Promise<void>;
  /** The path of the page that waits for the owner of an email to verify it; undefined if there is none. */
  readonly awaits?: (db: Database, email: string) => Promise<string | undefined>;
}

/** Called with an account whose email is verified, whether just now or long ago. */
export type OnVerified = NonNullable<PersonalRecords['claim']>;

/**
 * Everything that is stored about the caller.
 * @param records the parts of the other features
 */
export async function exportAccount(
  { db, env }: { readonly db: Database; readonly env: Env },
  account: Account,
  records: readonly PersonalRecords[],
): Promise<Exported> {
  const [details, sessions, changes, ways, ...parts] = await Promise.all([
    findAccount(db, { id: account.id }),
    listSessions(db, account),
    db.select().from(passwordChanges).where(eq(passwordChanges.accountId, account.id)),
    listPasskeys(db, account),
    ...records.map((part) => part.export(db, account, env)),
  ]);
  return {
    account: {
      email: account.email,
      profile: toProfile(details ?? { name: '', company: '', phone: '', website: '' }),
      createdAt: momentOf(details?.createdAt),
      emailVerifiedAt: momentOf(details?.emailVerifiedAt),
      role: account.role,
      signsInWithGoogle: Boolean(details?.googleSubject),
      passwordChanges: changes.map(({ changedAt, reason }) => ({ changedAt: momentOf(changedAt), reason })),
    },
    sessions: sessions.map(({ device, place, createdAt, lastUsedAt }) => ({
      device,
      place,
      createdAt: momentOf(createdAt),
      lastUsedAt: momentOf(lastUsedAt),
    })),
    passkeys: ways.passkeys.map(({ name, addedAt, lastUsedAt }) => ({ name, addedAt, lastUsedAt })),
    recoveryCodesLeft: ways.recoveryCodesLeft,
    ...parts.reduce((whole, part) => ({ ...whole, ...part }), {}),
  };
}

/**
 * Deletes an account and its record in the list of users. If the email is unverified, the record stays, because it
 * may belong to someone else.
 * @param records the parts of the other features, deleted in the same batch
 * @throws ApiError 409 if it is the last administrator's, or the bank is processing a payment
 */
export async function deleteAccount(
  context: DeletionContext,
  { id }: Pick<Person, 'id'>,
  records: readonly PersonalRecords[],
): Promise<void> {
  const { db, env, log } = context;
  const files = await saveWithRetry(db, async () => {
    const account = await findAccount(db, { id });
    return account ? prepareDeletion(context, account, records) : { statements: [], answer: [] };
  });
  // The sweep deletes any files that are left behind.
  await deleteObjects(env, files).catch((error: unknown) =>
    log('account.file-deletion-failed', describeError(error)),
  );
  await writeTombstone(env, log, 'account', id);
}

/**
 * Deletes accounts again that a restored backup brought back.
 * @param fail called when an account cannot be deleted now
 * @returns how many were deleted
 */
export async function repeatAccountDeletions(
  context: Omit<DeletionContext, 'clientIp'>,
  ids: readonly string[],
  records: readonly PersonalRecords[],
  fail: (error: unknown) => void,
): Promise<number> {
  const { db } = context;
  const isBack = inArray(accounts.id, [...ids]);
  const back = await db.select({ id: accounts.id }).from(accounts).where(isBack);
  let deleted = 0;
  for (const { id } of back)
    try {
      await deleteAccount({ ...context, clientIp: '' }, { id }, records);
      await auditStatement(db, { action: 'deletion', accountId: id });
      deleted += 1;
    } catch (error) {
      fail(error);
    }
  return deleted;
}

/**
 * Ends everything at other services that must end before an account does.
 * @returns the statements that delete it, and the keys of its files
 */
async function prepareDeletion(
  context: DeletionContext,
  account: Person,
  records: readonly PersonalRecords[],
) {
  const { db, env } = context;
  const { id, email, emailVerified } = account;
  // Check known reasons to refuse a deletion first, so that a refused deletion changes nothing.
  const ownRecord = await ownRecordStatements(context, account);
  const concluded: Statement[] = [];
  for (const part of records) concluded.push(...((await part.conclude?.(context, account)) ?? []));
  const files = await Promise.all(records.map(async (part) => part.files?.(db, account) ?? []));
  const waiting = or(eq(mails.accountId, id), emailVerified ? isAddressedTo(email) : undefined);
  return {
    statements: [
      // The owner may have changed the email in the meantime. Nothing stored under either email may remain.
      assertUnchanged(db, account),
      ...ownRecord,
      ...concluded,
      ...records.flatMap((part) => part.forget(db, account)),
      deleteSessions(db, id),
      db.delete(mails).where(waiting),
      ...deletePasskeys(db, id),
      db.delete(accountTokens).where(eq(accountTokens.accountId, id)),
      db.delete(passwordChanges).where(eq(passwordChanges.accountId, id)),
      ...queueLimitedMail(db, env, {
        accountId: id,
        to: email,
        kind: farewellKind,
        content: accountDeletedMail(),
      }),
      // The farewell email stays after the account is deleted, until it is sent. If it cannot be sent, the sweep
      // deletes it (sweep.ts).
      db.update(mails).set({ accountId: '' }).where(eq(mails.accountId, id)),
      db.delete(accounts).where(eq(accounts.id, id)),
    ],
    answer: files.flat(),
  };
}
