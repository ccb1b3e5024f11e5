/** What people deleted stays deleted, even if an older backup is restored. */
import { eq, inArray } from 'drizzle-orm';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { newId } from '#contract/ids.ts';
import { deleteAccount, repeatAccountDeletions } from '#worker/accounts/personal-data.ts';
import { accounts, users } from '#worker/accounts/schema.ts';
import { auditEvents } from '#worker/audit/schema.ts';
import { mountInbox } from '#worker/inbox/routes.ts';
import { subscribers } from '#worker/inbox/schema.ts';
import { unsubscribe } from '#worker/inbox/subscribers.ts';
import { jobRuns } from '#worker/operations/schema.ts';
import { deleteTombstoned, type Deletions } from '#worker/operations/tombstones.ts';
import { openBucket } from '../support/bucket.ts';
import { openAccountsApp, signInNew } from './accounts-app.ts';

const dayMs = 86_400_000;

const bucket = await openBucket();
const app = await openAccountsApp({ FILES: bucket }, (api) =>
  mountInbox(api, () => Promise.resolve(new Response(''))),
);
afterAll(() => app.close());
const logged: string[] = [];
beforeEach(() => {
  logged.length = 0;
});

/** Runs this part of the cron trigger, which is now due. */
async function runCron() {
  const log = (event: string) => void logged.push(event);
  await app.db.delete(jobRuns).where(eq(jobRuns.name, 'tombstones'));
  const deletions: Deletions = {
    account: (db, ids, fail) => repeatAccountDeletions({ db, env: app.env, log }, ids, [], fail),
    subscriber: unsubscribe,
  };
  await deleteTombstoned(app.env, log, deletions, app.db);
}

const tombstones = async () => (await bucket.list()).objects.map(({ key }) => key);

/**
 * Deletes an account as its owner.
 * @returns its row, as an older backup has it
 */
async function leave(email: string) {
  const browser = await signInNew(app, email);
  const account = await app.accountOf(email);
  expect((await browser.delete('/api/auth/account')).status).toBe(204);
  await app.settle();
  return account;
}

const isThere = async (id: string) => (await app.db.$count(accounts, eq(accounts.id, id))) > 0;

test('An account that a backup brings back is deleted again, and the audit log says so', async () => {
  const account = await leave('ann@site.test');
  await app.db.insert(accounts).values(account);
  const stays = { ...account, id: newId(), email: 'bob@site.test' };
  await app.db.insert(accounts).values(stays);
  await runCron();
  expect([await isThere(account.id), await isThere(stays.id)]).toEqual([false, true]);
  expect(logged).toEqual(['tombstones.deleted-again']);
  const audited = app.db.select().from(auditEvents).where(eq(auditEvents.accountId, account.id));
  const entries = await audited.orderBy(auditEvents.sequence);
  expect(entries.at(-1)).toMatchObject({ action: 'deletion', network: '' });
  await runCron();
  expect(logged).toHaveLength(1);
});

test('All accounts except the only administrator’s are deleted again, and the log says so', async () => {
  const [owner, other] = [await leave('owner@site.test'), await leave('other@site.test')];
  await app.db.insert(accounts).values([owner, other]);
  const record = { _id: newId(), userEmail: owner.email, userRole: 'Admin' as const };
  await app.db.insert(users).values(record);
  await runCron();
  expect([await isThere(owner.id), await isThere(other.id)]).toEqual([true, false]);
  expect(logged.toSorted()).toEqual(['tombstones.deleted-again', 'tombstones.failed']);
  const second = { ...owner, id: newId(), email: 'second@site.test' };
  await app.db.insert(accounts).values(second);
  await app.db.insert(users).values({ ...record, _id: newId(), userEmail: second.email });
  await runCron();
  expect(await isThere(owner.id)).toBe(false);
});

test('A person who unsubscribed is removed from the list again, and an unknown link leaves no tombstone', async () => {
  const row = (subemail: string) => ({ _id: newId(), subemail, subscribedAt: 1, confirmedAt: 1 });
  const [left, stays] = [row('left@site.test'), row('stays@site.test')];
  await app.db.insert(subscribers).values([left, stays]);
  const before = await tombstones();
  for (const id of [left._id, newId()])
    expect((await app.openBrowser().post(`/api/unsubscribe/${id}`)).status).toBe(204);
  await app.settle();
  expect((await tombstones()).filter((key) => !before.includes(key))).toEqual([
    `tombstones/subscriber/${left._id}`,
  ]);
  await app.db.insert(subscribers).values(left);
  await runCron();
  const found = await app.db
    .select({ _id: subscribers._id })
    .from(subscribers)
    .where(inArray(subscribers._id, [left._id, stays._id]));
  expect(found).toEqual([{ _id: stays._id }]);
});

test('A tombstone is kept for a year', async () => {
  const account = await leave('late@site.test');
  const key = `tombstones/account/${account.id}`;
  const { uploaded } = (await bucket.head(key)) ?? { uploaded: new Date(0) };
  for (const [days, isKept] of [
    [364, true],
    [366, false],
  ] as const) {
    vi.useFakeTimers({ toFake: ['Date'], now: uploaded.getTime() + days * dayMs });
    await runCron();
    expect((await tombstones()).includes(key)).toBe(isKept);
  }
});

test('A deletion succeeds while the bucket is unavailable, and the log says so', async () => {
  const away = new Proxy(bucket, {
    get: () => () => Promise.reject(new Error('The bucket is down.')),
  });
  const log = (event: string) => void logged.push(event);
  const account = await leave('away@site.test');
  await app.db.insert(accounts).values(account);
  const context = { db: app.db, env: { ...app.env, FILES: away }, log, clientIp: '' };
  await deleteAccount(context, account, []);
  expect(await isThere(account.id)).toBe(false);
  expect(logged).toContain('tombstone.write-failed');
});
