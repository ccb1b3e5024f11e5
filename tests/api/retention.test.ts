/** What is kept for a while alone goes when its time is over, in bounded steps, and not before: each shown with a moved clock. */
import { lt } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '#contract/ids.ts';
import {
  accounts,
  accountTokens,
  auditEvents,
  invitations,
  sessions,
  users,
} from '#worker/accounts/schema.ts';
import { sweepAccounts } from '#worker/accounts/sweep.ts';
import { deleteSome } from '#worker/db/delete-some.ts';
import { drafts, previewLinks } from '#worker/editing/schema.ts';
import { sweepEditor } from '#worker/editing/sweep.ts';
import { messages, subscribers } from '#worker/inbox/schema.ts';
import { sweepInbox } from '#worker/inbox/sweep.ts';
import { attempts } from '#worker/limits/schema.ts';
import { mails } from '#worker/mail/schema.ts';
import { type AccountsApp, openAccountsApp } from './accounts-app.ts';
import { holdClock, moveClock } from '../support/clock.ts';

const dayMs = 86_400_000;
const log = () => undefined;

let app: AccountsApp;
beforeAll(async () => {
  app = await openAccountsApp();
});
afterAll(() => app.close());
// The database itself keeps the audit log for a year, by a clock that nobody moves.
holdClock(400 * dayMs);
beforeEach(async () => {
  for (const table of [messages, subscribers, mails, drafts, previewLinks, attempts, users])
    await app.db.delete(table);
  await app.db.delete(accounts);
});

async function addAccount(emailVerifiedAt: number | null = 1): Promise<string> {
  const id = newId();
  await app.db
    .insert(accounts)
    .values({ id, email: `${id}@site.test`, emailVerifiedAt, createdAt: Date.now() });
  return id;
}

const mail = { kind: 'test', recipient: 'a@site.test', subject: 'Hello', body: '' };
const message = { name: 'Ann', email: 'a@site.test', number: '1', subject: 'Hello', message: 'Hello' };

/** Each kind of row: for how many days it is kept, its table, and how one comes to be. */
const kinds = {
  'an account that nobody confirmed': [30, accounts, () => addAccount(null)],
  'a mail that could not be sent': [
    30,
    mails,
    () => app.db.insert(mails).values({ ...mail, _id: newId(), createdAt: Date.now(), dueAt: null }),
  ],
  'a session': [
    10,
    sessions,
    async () => {
      const [id, now] = [newId(), Date.now()];
      const accountId = await addAccount();
      await app.db
        .insert(sessions)
        .values({ id, _id: id, accountId, passwordVersion: 1, createdAt: now, lastUsedAt: now, device: '' });
    },
  ],
  'a mailed link': [
    1,
    accountTokens,
    async () =>
      app.db.insert(accountTokens).values({
        id: newId(),
        accountId: await addAccount(),
        purpose: 'verify',
        expiresAt: Date.now() + dayMs,
      }),
  ],
  'an invitation': [
    7,
    invitations,
    async () => {
      const recordId = newId();
      await app.db.insert(users).values({ _id: recordId, userEmail: 'a@site.test', userRole: 'Editor' });
      await app.db.insert(invitations).values({ id: newId(), recordId, expiresAt: Date.now() + 7 * dayMs });
    },
  ],
  'an entry of the audit log': [
    365,
    auditEvents,
    () =>
      app.db
        .insert(auditEvents)
        .values({ at: Date.now(), action: 'signIn', accountId: '', recordId: '', network: '' }),
  ],
  'a draft': [
    30,
    drafts,
    async () =>
      app.db.insert(drafts).values({
        accountId: await addAccount(),
        section: 'banner',
        recordId: '',
        values: {},
        at: Date.now(),
      }),
  ],
  'a link to a preview': [
    7,
    previewLinks,
    () =>
      app.db
        .insert(previewLinks)
        .values({ tokenHash: newId(), releaseId: newId(), expiresAt: Date.now() + 7 * dayMs }),
  ],
  'a message': [
    730,
    messages,
    () =>
      app.db
        .insert(messages)
        .values({ ...message, _id: newId(), messageStatus: 'Read', receivedAt: Date.now() }),
  ],
  'a subscription that nobody confirmed': [
    7,
    subscribers,
    () => app.db.insert(subscribers).values({ _id: newId(), subemail: 'a@site.test', askedAt: Date.now() }),
  ],
} as const;

async function sweep(): Promise<void> {
  await sweepAccounts(app.env, log, []);
  await sweepInbox(app.env, log);
  await sweepEditor(app.env);
}

test.each(Object.entries(kinds))('%s is kept for its days', async (_, [days, table, add]) => {
  await add();
  moveClock(days * dayMs - 60_000);
  await sweep();
  expect(await app.db.$count(table)).toBe(1);
  moveClock(2 * 60_000);
  await sweep();
  expect(await app.db.$count(table)).toBe(0);
});

test('A run takes so many rows, and the next goes on', async () => {
  const rows = Array.from({ length: 25 }, (_, index) => ({ id: `row ${index}`, count: 1, windowEndsAt: 0 }));
  await app.db.insert(attempts).values(rows);
  const deleted = [];
  for (let run = 0; run < 4; run += 1)
    deleted.push(await deleteSome(app.db, attempts, lt(attempts.windowEndsAt, 1), 10));
  expect(deleted).toEqual([10, 10, 5, 0]);
});
