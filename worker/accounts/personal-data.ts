/**
 * Somebody's own data: all of it as a file, and its deletion. What accounting needs of orders stays, without name,
 * address and email.
 */
import { eq } from 'drizzle-orm';
import type { Context } from 'hono';
import { type Account, passwordTexts } from '../contract/accounts.ts';
import { type Database, writeBatch } from '../db/client.ts';
import type { AppEnv } from '../http/app.ts';
import { conflict, invalid } from '../http/errors.ts';
import { exportInbox, forgetSender } from '../inbox/personal-data.ts';
import { deliverSoon } from '../mail/outbox.ts';
import { mails } from '../mail/schema.ts';
import { anonymizeOrders, exportOrders } from '../orders/personal-data.ts';
import { accountDeletedMail } from './mails.ts';
import { queueOwnMail } from './own-mail.ts';
import { accounts, accountTokens, passwordChanges } from './schema.ts';
import { confirmOwnPassword, findAccount, hasUserRecord } from './service.ts';
import { endSessionsOf, listSessions } from './session.ts';

/** Everything that is stored about the caller. */
export async function exportAccount(db: Database, account: Account) {
  const [details, sessions, changes, orders, inbox] = await Promise.all([
    findAccount(db, { id: account.id }),
    listSessions(db, account),
    db.select().from(passwordChanges).where(eq(passwordChanges.accountId, account.id)),
    exportOrders(db, account.id),
    // What was sent under an email belongs to whoever has shown that it is theirs.
    account.emailVerified ? exportInbox(db, account.email) : undefined,
  ]);
  const at = (ms: number | null | undefined) => (typeof ms === 'number' ? new Date(ms).toISOString() : null);
  return {
    account: {
      email: account.email,
      createdAt: at(details?.createdAt),
      emailVerifiedAt: at(details?.emailVerifiedAt),
      signsInWithGoogle: details?.googleSubject !== null,
      passwordChanges: changes.map(({ changedAt, reason }) => ({ changedAt: at(changedAt), reason })),
    },
    sessions: sessions.map(({ device, createdAt, lastUsedAt }) => ({
      device,
      createdAt: at(createdAt),
      lastUsedAt: at(lastUsedAt),
    })),
    orders,
    ...inbox,
  };
}

/**
 * Deletes the caller's account.
 * @throws ApiError 409 while the email stands in the list of users, 422 the password is missing or wrong
 */
export async function deleteAccount(
  c: Context<AppEnv>,
  caller: Account,
  { password }: { password?: string | undefined },
): Promise<void> {
  const { db } = c.var;
  const { id, email } = caller;
  if (await hasUserRecord(db, email))
    throw conflict(
      'Your email is in the list of users of this site. Ask an administrator to remove it first.',
    );
  const account = await findAccount(db, { id });
  if (account?.passwordHash) {
    if (password === undefined) throw invalid({ password: passwordTexts.required });
    await confirmOwnPassword(c, caller, { password, field: 'password' });
  }
  await writeBatch(db, [
    ...anonymizeOrders(db, id),
    ...(caller.emailVerified ? forgetSender(db, email) : []),
    endSessionsOf(db, id),
    db.delete(accountTokens).where(eq(accountTokens.accountId, id)),
    db.delete(passwordChanges).where(eq(passwordChanges.accountId, id)),
    db.delete(mails).where(eq(mails.accountId, id)),
    ...queueOwnMail(db, c.env, {
      accountId: id,
      to: email,
      kind: 'account-deleted',
      ...accountDeletedMail(),
    }),
    // The last mail outlives the account.
    db.update(mails).set({ accountId: null }).where(eq(mails.accountId, id)),
    db.delete(accounts).where(eq(accounts.id, id)),
  ]);
  deliverSoon(c);
}
