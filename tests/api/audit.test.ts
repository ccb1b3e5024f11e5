/** The audit log, and how long temporary data is kept. */
import { eq, isNull } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import * as z from 'zod';
import { accounts, accountTokens, sessions, users } from '#worker/accounts/schema.ts';
import { auditEvents } from '#worker/audit/schema.ts';
import { sweepAccounts } from '#worker/accounts/sweep.ts';
import { ordersOfPerson } from '#worker/orders/personal-data.ts';
import type { Visitor } from '../support/visitor.ts';
import { type AccountsApp, openAccountsApp } from './accounts-app.ts';
import { holdClock } from '../support/clock.ts';
import { actBefore } from '../support/overtake.ts';
import { openWorkShop } from './work-shop.ts';

const dayMs = 86_400_000;
const setupToken = 'the-token-of-the-first-run';
const password = 'a-password-of-an-owner';
const noLog = () => undefined;

let app: AccountsApp;
let administrator: Visitor;
// The database itself keeps the log for a year, on a clock that no test moves.
holdClock(400 * dayMs);
beforeEach(async () => {
  app = await openAccountsApp({ SETUP_TOKEN: setupToken });
  administrator = app.openBrowser();
  await administrator.post('/api/add-user', { userEmail: 'owner@example.com', setupToken, password });
});
afterEach(() => app.close());

const entries = z.array(
  z.object({
    action: z.string(),
    email: z.string(),
    name: z.string(),
    accountId: z.string(),
    recordId: z.string(),
    network: z.string(),
    details: z.string(),
    subjectEmail: z.string(),
  }),
);
async function readLog() {
  await app.settle();
  const answer = await administrator.get('/api/audit-log');
  return { total: answer.headers.get('X-Total-Count'), log: entries.parse(answer.json) };
}

test('Sign-ins, failures, roles, exports and deletions are logged with account and network, and without secrets', async () => {
  const email = 'ann@example.com';
  const from = { 'CF-Connecting-IP': '203.0.113.77' };
  await app.openBrowser().post('/api/auth/register', { email, password });
  const ann = app.openBrowser();
  await ann.post('/api/auth/login', { email, password: 'not-the-password' }, { headers: from });
  await ann.post('/api/auth/login', { email: 'who@example.com', password }, { headers: from });
  const headers = { 'CF-Connecting-IP': '2001:db8:1:2:3::4' };
  await ann.post('/api/auth/login', { email, password }, { headers });
  expect((await ann.get('/api/auth/account')).status).toBe(200);
  const added = await administrator.post('/api/add-user', { userEmail: 'new@example.com' });
  const { _id } = added.json as { _id: string };
  await administrator.delete(`/api/users/${_id}`);
  // A refused removal is not logged.
  await administrator.delete(`/api/users/${_id}`);
  const annId = (await app.accountOf(email)).id;
  await ann.delete('/api/auth/account');

  const { total, log } = await readLog();
  expect(log.map(({ action, email: who, network }) => [action, who, network])).toEqual([
    ['deletion', '', ''],
    ['role', 'owner@example.com', ''],
    ['role', 'owner@example.com', ''],
    ['export', '', ''],
    ['signIn', '', '2001:db8:1::/48'],
    ['signInFailed', '', '203.0.113.0/24'],
    ['signInFailed', '', '203.0.113.0/24'],
    ['signIn', '', ''],
    // The first run.
    ['signIn', 'owner@example.com', ''],
    ['role', 'owner@example.com', ''],
  ]);
  expect(total).toBe('10');
  expect([log[1]?.recordId, log[2]?.recordId]).toEqual([_id, _id]);
  const first = await app.db.select().from(users).where(eq(users.userEmail, 'owner@example.com')).get();
  expect(log[9]?.recordId).toBe(first?._id);
  expect([0, 5, 6].map((index) => log[index]?.accountId).toSorted()).toEqual(['', annId, annId].toSorted());
  const kept = JSON.stringify(await app.db.select().from(auditEvents));
  for (const secret of [email, 'who@example.com', password, '203.0.113.77'])
    expect(kept).not.toContain(secret);
  const csv = (await administrator.get('/api/audit-log.csv')).text;
  expect(csv.split('\n').filter((line) => line.includes('Failed to log in'))).toHaveLength(2);
  expect((await readLog()).log[0]).toMatchObject({ action: 'export', email: 'owner@example.com' });
});

test('The log shows the name of an account, or its email if it has none', async () => {
  const profile = { name: 'Olga Owner', company: '', phone: '' };
  expect((await administrator.put('/api/auth/profile', profile)).status).toBe(200);
  const json = { email: 'ann@example.com', password };
  await app.openBrowser().post('/api/auth/register', json);
  const { log } = await readLog();
  const names = log.map(({ email, name }) => [email, name]);
  expect(names).toContainEqual(['owner@example.com', 'Olga Owner']);
  expect(names).not.toContainEqual(['ann@example.com', 'Olga Owner']);
  const csv = (await administrator.get('/api/audit-log.csv')).text;
  expect(csv).toContain(',Olga Owner,owner@example.com,');
});

test('A change of a user is logged with the previous values and whose it was, and a save without a change is not logged', async () => {
  const json = { email: 'new@example.com', password };
  await app.openBrowser().post('/api/auth/register', json);
  const added = await administrator.post('/api/add-user', { userEmail: 'new@example.com' });
  const { _id } = added.json as { _id: string };
  for (const json of [
    { userRole: 'Admin' },
    { userRole: 'Editor' },
    { userRole: 'Editor' },
    { userEmail: 'other@example.com' },
    { userRole: 'Support', userEmail: 'third@example.com' },
  ])
    expect((await administrator.put(`/api/upadete-users/${_id}`, json)).status).toBe(200);
  await administrator.delete(`/api/users/${_id}`);
  const ofUser = async () => (await readLog()).log.filter(({ recordId }) => recordId === _id);
  expect((await ofUser()).map(({ details, subjectEmail }) => [details, subjectEmail])).toEqual([
    // The address has no account, and the record is gone.
    ['Removed a user with the role Support', ''],
    ['Changed a role from Editor to Support, and the email', ''],
    ['Changed the email of a user', 'new@example.com'],
    ['Changed a role from Admin to Editor', 'new@example.com'],
    ['Added a user with the role Admin', 'new@example.com'],
  ]);
});

test('Wrong passwords of people who are signed in or have a link are logged, and so are new passwords and emails', async () => {
  const email = 'ann@example.com';
  const changed = 'ann@elsewhere.example';
  const next = 'another-password-of-hers';
  const last = 'the-last-password-of-hers';
  const wrong = 'not-the-password';
  const ann = app.openBrowser();
  await ann.post('/api/auth/register', { email, password });
  const { id } = await app.accountOf(email);
  const write = async (method: string, path: string, json: object, browser = ann) =>
    (await browser.send(method, `/api/auth/${path}`, json)).status;
  const isHers = eq(auditEvents.accountId, id);
  const actions = async () => {
    await app.settle();
    return (await app.db.select().from(auditEvents).where(isHers)).map(({ action }) => action);
  };

  const token = await app.mailedToken(email);
  expect(await write('POST', 'verify', { token, password: wrong }, app.openBrowser())).toBe(422);
  expect(await write('PUT', 'password', { currentPassword: wrong, newPassword: next })).toBe(422);
  for (let guess = 0; guess < 9; guess += 1)
    expect(await write('POST', 'confirm', { password: wrong })).toBe(422);
  for (let guess = 0; guess < 3; guess += 1)
    expect(await write('POST', 'confirm', { password: wrong })).toBe(429);
  const failures = Array.from({ length: 11 }, () => 'signInFailed');
  expect(await actions()).toEqual(['signIn', ...failures]);

  const other = app.openBrowser();
  await write('POST', 'login', { email, password }, other);
  await write('POST', 'verify', { token: await app.mailedToken(email) }, other);
  expect(await write('PUT', 'password', { currentPassword: password, newPassword: next }, other)).toBe(204);
  expect(await write('PUT', 'email', { email: changed }, other)).toBe(202);
  expect(await write('POST', 'verify', { token: await app.mailedToken(changed) }, other)).toBe(200);
  await write('POST', 'reset', { email: changed }, other);
  const reset = { token: await app.mailedToken(changed), password: last };
  expect(await write('POST', 'reset/confirm', reset, app.openBrowser())).toBe(204);
  expect((await actions()).slice(12)).toEqual(['signIn', 'passwordChanged', 'emailChanged', 'passwordReset']);
  const kept = JSON.stringify(await app.db.select().from(auditEvents));
  for (const secret of [email, changed, password, next, last, wrong]) expect(kept).not.toContain(secret);
});

test('An unverified account with an order is not deleted', async () => {
  const shop = await openWorkShop();
  await shop.addCustomer('idle@example.com', false);
  await shop.orderOf(await shop.addCustomer('buyer@example.com', false));
  await sweepAccounts(shop.env, noLog, [ordersOfPerson], shop.db);
  const unverified = await shop.db.select().from(accounts).where(isNull(accounts.emailVerifiedAt));
  expect(unverified.map(({ email }) => email)).toEqual(['buyer@example.com']);
  await shop.close();
});

test('An account that is verified during the sweep stays complete', async () => {
  const idOf = async (email: string) => {
    await app.openBrowser().post('/api/auth/register', { email, password });
    await app.settle();
    return (await app.accountOf(email)).id;
  };
  const [idle, late] = [await idOf('idle@example.com'), await idOf('late@example.com')];
  await app.db.update(accounts).set({ createdAt: 0 });
  const rowsOf = (id: string) =>
    Promise.all([
      app.db.$count(accounts, eq(accounts.id, id)),
      app.db.$count(sessions, eq(sessions.accountId, id)),
      app.db.$count(accountTokens, eq(accountTokens.accountId, id)),
    ]);
  // Confirmed after the sweep has found it and before the sweep deletes it.
  await actBefore(
    'delete from \\"accounts\\"',
    () => app.db.update(accounts).set({ emailVerifiedAt: 1 }).where(eq(accounts.id, late)),
    () => sweepAccounts(app.env, noLog, [ordersOfPerson], app.db),
  );
  expect(await rowsOf(idle)).toEqual([0, 0, 0]);
  expect(await rowsOf(late)).toEqual([1, 1, 1]);
});
