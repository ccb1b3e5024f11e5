/** Rows that are kept for a limited time. Each is deleted when its time is over, in bounded steps, and not before. */
import { lt } from 'drizzle-orm';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { newId } from '#contract/ids.ts';
import { accounts, accountTokens, invitations, sessions, users } from '#worker/accounts/schema.ts';
import { auditEvents } from '#worker/audit/schema.ts';
import { sweepAccounts } from '#worker/accounts/sweep.ts';
import { conversationMessages } from '#worker/fulfillment/conversation-schema.ts';
import { sweepConversations } from '#worker/fulfillment/sweep.ts';
import { deleteSome } from '#worker/db/delete-some.ts';
import { sweepDrafts } from '#worker/editing/drafts.ts';
import { sweepPreviewLinks } from '#worker/editing/preview-links.ts';
import { drafts, previewLinks } from '#worker/editing/schema.ts';
import { messages, subscribers } from '#worker/inbox/schema.ts';
import { sweepInbox } from '#worker/inbox/sweep.ts';
import { attempts } from '#worker/limits/schema.ts';
import { mails } from '#worker/mail/schema.ts';
import { holdClock, moveClock } from '../support/clock.ts';
import { openTestDatabase } from '../support/test-database.ts';

const dayMs = 86_400_000;
const log = () => undefined;

const server = await openTestDatabase();
afterAll(() => server.close());
// The database keeps the audit log for a year by its own clock, which no test moves.
holdClock(400 * dayMs);
beforeEach(async () => {
  for (const table of [messages, subscribers, mails, drafts, previewLinks, attempts, users, accounts])
    await server.db.delete(table);
});

async function addAccount(emailVerifiedAt: number | null = 1): Promise<string> {
  const id = newId();
  const account = { id, email: `${id}@site.test`, emailVerifiedAt, createdAt: Date.now() };
  await server.db.insert(accounts).values(account);
  return id;
}
async function addUser(): Promise<string> {
  const _id = newId();
  await server.db.insert(users).values({ _id, userEmail: 'a@site.test', userRole: 'Editor' });
  return _id;
}
const ofMessage = { name: 'Ann', email: 'a@site.test', number: '1', subject: 'Hello', message: 'Hello' };

/** Each kind of row: how many days it is kept, its table, and the statement that adds one. */
const kinds = {
  'an account that nobody confirmed': [30, accounts, () => addAccount(null)],
  'an email that could not be sent': [
    30,
    mails,
    (now: number) => {
      const mail = { kind: 'test', recipient: 'a@site.test', subject: 'Hello', body: '' };
      return server.db.insert(mails).values({ ...mail, _id: newId(), createdAt: now, dueAt: null });
    },
  ],
  'a session': [
    10,
    sessions,
    async (now: number) => {
      const session = {
        id: newId(),
        _id: newId(),
        accountId: await addAccount(),
        passwordVersion: 1,
        device: '',
      };
      await server.db.insert(sessions).values({ ...session, createdAt: now, lastUsedAt: now });
    },
  ],
  'an emailed link': [
    1,
    accountTokens,
    async (now: number) => {
      const link = { id: newId(), accountId: await addAccount(), purpose: 'verify' } as const;
      await server.db.insert(accountTokens).values({ ...link, expiresAt: now + dayMs });
    },
  ],
  'an attempt that was counted': [
    1,
    attempts,
    (now: number) => server.db.insert(attempts).values({ id: newId(), count: 1, windowEndsAt: now + dayMs }),
  ],
  'an invitation': [
    7,
    invitations,
    async (now: number) => {
      const invitation = { id: newId(), recordId: await addUser() };
      await server.db.insert(invitations).values({ ...invitation, expiresAt: now + 7 * dayMs });
    },
  ],
  'an entry of the audit log': [
    365,
    auditEvents,
    (at: number) => {
      const entry = { action: 'signIn', accountId: '', recordId: '', network: '' } as const;
      return server.db.insert(auditEvents).values({ ...entry, at });
    },
  ],
  'a draft': [
    30,
    drafts,
    async (at: number) => {
      const draft = { section: 'banner', recordId: '', values: {} };
      await server.db.insert(drafts).values({ ...draft, at, accountId: await addAccount() });
    },
  ],
  'a link to a preview': [
    7,
    previewLinks,
    (now: number) => {
      const link = { tokenHash: newId(), releaseId: newId() };
      return server.db.insert(previewLinks).values({ ...link, expiresAt: now + 7 * dayMs });
    },
  ],
  'a message': [
    730,
    messages,
    (receivedAt: number) =>
      server.db.insert(messages).values({ ...ofMessage, _id: newId(), messageStatus: 'Read', receivedAt }),
  ],
  'a message on an order': [
    730,
    conversationMessages,
    (at: number) => {
      const message = { _id: newId(), orderId: newId(), sequence: 1, accountId: newId(), text: 'Hello' };
      return server.db
        .insert(conversationMessages)
        .values({ ...message, side: 'customer', kind: 'message', at });
    },
  ],
  'a subscription that nobody confirmed': [
    7,
    subscribers,
    (askedAt: number) =>
      server.db.insert(subscribers).values({ _id: newId(), subemail: 'a@site.test', askedAt }),
  ],
} as const;

async function sweep(): Promise<void> {
  await sweepAccounts(server.env, log, [], server.db);
  await sweepInbox(server.env, log, server.db);
  await sweepConversations(server.env, log, server.db);
  await sweepDrafts(server.db, Date.now());
  await sweepPreviewLinks(server.db, Date.now());
}

test.each(Object.entries(kinds))(
  '%s is kept for its full time and then deleted',
  async (_, [days, table, add]) => {
    await add(Date.now());
    moveClock(days * dayMs - 60_000);
    await sweep();
    expect(await server.db.$count(table)).toBe(1);
    moveClock(2 * 60_000);
    await sweep();
    expect(await server.db.$count(table)).toBe(0);
  },
);

test('A run deletes a bounded number of rows, and the next run continues', async () => {
  const rows = Array.from({ length: 25 }, (_, index) => ({ id: `row ${index}`, count: 1, windowEndsAt: 0 }));
  await server.db.insert(attempts).values(rows);
  const deleted = [];
  for (let run = 0; run < 4; run += 1)
    deleted.push(await deleteSome(server.db, attempts, lt(attempts.windowEndsAt, 1), 10));
  expect(deleted).toEqual([10, 10, 5, 0]);
});
