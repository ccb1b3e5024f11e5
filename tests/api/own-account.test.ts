/**
 * What people do with their own account: edit the profile, change the email, end sessions, and confirm their
 * identity.
 */
import { and, eq, inArray, sql } from 'drizzle-orm';
import { afterAll, describe, expect, test } from 'vitest';
import { accounts, sessions, users } from '#worker/accounts/schema.ts';
import { auditEvents } from '#worker/audit/schema.ts';
import { newId } from '#contract/ids.ts';
import { mountCustomers } from '#worker/customers/routes.ts';
import { messages, subscribers } from '#worker/inbox/schema.ts';
import { mails } from '#worker/mail/schema.ts';
import { customerPassword } from '../support/accounts.ts';
import type { Visitor } from '../support/visitor.ts';
import { openAccountsApp, sessionOf, signInNew } from './accounts-app.ts';
import { holdClock, moveClock } from '../support/clock.ts';

const minute = 60_000;
const hour = 60 * minute;
const password = customerPassword;

let serial = 0;
const newEmail = () => `owner${(serial += 1)}@example.com`;

const app = await openAccountsApp(
  { LIMIT_SIGN_UP_ADDRESS: '1000', LIMIT_SIGN_IN_ADDRESS: '1000' },
  mountCustomers,
);
afterAll(() => app.close());
holdClock();

const signUp = async (email = newEmail()) => ({ browser: await signInNew(app, email), email });

const status = async (browser: Visitor, method: string, path: string, json?: unknown) =>
  (await browser.send(method, `/api${path}`, json)).status;
const emailOf = async (browser: Visitor) => (await sessionOf(browser)).account?.email;

test('Ten minutes after signing in, sensitive calls require the password again', async () => {
  const { browser } = await signUp();
  const readData = () => status(browser, 'GET', '/auth/account');
  const confirm = (typed: string) => status(browser, 'POST', '/auth/confirm', { password: typed });
  moveClock(9 * minute);
  expect(await readData()).toBe(200);
  moveClock(2 * minute);
  const refused = await browser.get('/api/auth/account');
  expect([refused.status, refused.json]).toMatchObject([403, { confirm: true }]);
  expect(await status(browser, 'GET', '/auth/profile')).toBe(200);
  expect([await confirm('not-it-at-all'), await readData()]).toEqual([422, 403]);
  expect([await confirm(password), await readData()]).toEqual([204, 200]);
});

test('A profile is saved field by field, and an invalid website is refused', async () => {
  const { browser } = await signUp();
  const put = async (json: object) => (await browser.put('/api/auth/profile', json)).json;
  const profile = { name: 'Maria Lopez', company: 'Lopez Lending', phone: '+1 555 0100', website: '' };
  expect(await put(profile)).toEqual(profile);
  expect(await put({ website: ' lopezlending.com ' })).toEqual({
    ...profile,
    website: 'https://lopezlending.com',
  });
  for (const wrong of [
    { website: 'javascript:alert(1)' },
    { website: 'mailto:a@b.example' },
    { name: 'x'.repeat(201) },
    { email: 'a@b.cd' },
  ])
    expect(await status(browser, 'PUT', '/auth/profile', wrong)).toBe(422);
  expect((await browser.get('/api/auth/account')).json).toMatchObject({
    account: { profile: { name: 'Maria Lopez' } },
  });
});

test('The password rules of an unverified account do not reveal who is an administrator', async () => {
  const [invited, anybody] = [newEmail(), newEmail()];
  await app.db.insert(users).values({ _id: newId(), userEmail: invited, userRole: 'Admin' });
  const change = async (email: string, currentPassword: string) => {
    const browser = await signInNew(app, email, false);
    const json = { currentPassword, newPassword: 'vjolet7' };
    const answer = await browser.put('/api/auth/password', json);
    return [answer.status, answer.text];
  };
  expect(await change(invited, 'not-it')).toEqual(await change(anybody, 'not-it'));
  expect((await change(newEmail(), password))[0]).toBe(204);
});

describe('Another email', () => {
  test('takes effect once its link is opened; both addresses are notified, and the records of the old one follow', async () => {
    const { browser, email } = await signUp();
    const _id = newId();
    await app.db.insert(users).values({ _id, userEmail: email.toUpperCase(), userRole: 'Support' });
    await app.db.insert(subscribers).values({ _id: newId(), subemail: email });
    const message = { _id: newId(), name: 'Ann', number: '1', subject: 'Hello', message: 'Hello' };
    await app.db.insert(messages).values({ ...message, email, messageStatus: 'UnRead', receivedAt: 1 });
    // Queued emails go to the person's mailbox at the time of sending, except those about the account itself.
    const waiting = { recipient: email, subject: '', body: '', createdAt: 1, dueAt: Date.now() + 86_400_000 };
    const [ofOrder, ofAccount] = [newId(), newId()];
    const { id: accountId } = await app.accountOf(email);
    await app.db.insert(mails).values([
      { ...waiting, _id: ofOrder, accountId, kind: 'order-message', number: 1042, tries: 0 },
      { ...waiting, _id: ofAccount, accountId, kind: 'passkey-added', tries: 0 },
    ]);
    const wanted = newEmail();
    expect(await status(browser, 'PUT', '/auth/email', { email: wanted })).toBe(202);
    expect(await emailOf(browser)).toBe(email);
    const requested = async () => (await browser.get('/api/auth/email')).json;
    expect(await requested()).toEqual({ requested: wanted });
    const token = await app.mailedToken(wanted);
    expect(app.mails.at(-1)?.to === email || app.mails.at(-2)?.to === email).toBe(true);
    expect(await status(app.openBrowser(), 'POST', '/auth/verify', { token })).toBe(422);
    const headers = { 'CF-Connecting-IP': '203.0.113.9' };
    const opened = await browser.post('/api/auth/verify', { token }, { headers });
    expect(opened.status).toBe(200);
    expect(await requested()).toEqual({ requested: null });
    expect(await emailOf(browser)).toBe(wanted);
    await app.settle();
    expect(new Set(app.mails.slice(-2).map(({ to }) => to))).toEqual(new Set([email, wanted]));
    expect(await status(app.openBrowser(), 'POST', '/auth/login', { email: wanted, password })).toBe(200);
    expect(await status(app.openBrowser(), 'POST', '/auth/login', { email, password })).toBe(401);
    expect(await app.db.select().from(users).where(eq(users._id, _id)).get()).toMatchObject({
      userEmail: wanted,
      version: 2,
    });
    const account = await app.accountOf(wanted);
    const noted = and(eq(auditEvents.action, 'role'), eq(auditEvents.recordId, _id));
    expect(await app.db.select().from(auditEvents).where(noted)).toMatchObject([
      { accountId: account.id, network: '203.0.113.0/24' },
    ]);
    expect(await app.db.$count(messages, eq(messages.email, wanted))).toBe(1);
    expect(await app.db.$count(subscribers, eq(subscribers.subemail, wanted))).toBe(1);
    const recipientOf = async (id: string) =>
      (await app.db.select().from(mails).where(eq(mails._id, id)).get())?.recipient;
    expect([await recipientOf(ofOrder), await recipientOf(ofAccount)]).toEqual([wanted, email]);
    expect(await status(browser, 'POST', '/auth/verify', { token })).toBe(422);
  });

  test('is not set by a link from before the latest new password', async () => {
    const { browser, email } = await signUp();
    const wanted = newEmail();
    await status(browser, 'PUT', '/auth/email', { email: wanted });
    const token = await app.mailedToken(wanted);
    const json = { currentPassword: password, newPassword: 'another-fine-word' };
    expect(await status(browser, 'PUT', '/auth/password', json)).toBe(204);
    const opened = { token, password: 'another-fine-word' };
    expect(await status(browser, 'POST', '/auth/verify', opened)).toBe(422);
    expect(await emailOf(browser)).toBe(email);
  });

  test('brings along nothing from an email that the account never verified', async () => {
    const invited = newEmail();
    const record = { _id: newId(), userEmail: invited, userRole: 'Admin' } as const;
    await app.db.insert(users).values(record);
    const browser = await signInNew(app, invited, false);
    const wanted = newEmail();
    expect(await status(browser, 'PUT', '/auth/email', { email: wanted })).toBe(202);
    expect(await status(browser, 'POST', '/auth/verify', { token: await app.mailedToken(wanted) })).toBe(200);
    expect(await emailOf(browser)).toBe(wanted);
    expect(await app.db.select().from(users).where(eq(users._id, record._id)).get()).toMatchObject(record);
    expect(await app.db.$count(auditEvents, eq(auditEvents.recordId, record._id))).toBe(0);
    expect(await status(browser, 'POST', '/add-user', { userEmail: newEmail() })).toBe(403);
  });

  test('is set by only one of two links that are opened at the same time', async () => {
    const { browser, email } = await signUp();
    const _id = newId();
    await app.db.insert(users).values({ _id, userEmail: email, userRole: 'Support' });
    const wanted = [newEmail(), newEmail()] as const;
    const tokens: string[] = [];
    for (const each of wanted) {
      expect(await status(browser, 'PUT', '/auth/email', { email: each })).toBe(202);
      tokens.push(await app.mailedToken(each));
    }
    await Promise.all(tokens.map((token) => status(browser, 'POST', '/auth/verify', { token })));
    const now = await emailOf(browser);
    expect(wanted).toContain(now);
    expect(await app.db.select().from(users).where(eq(users._id, _id)).get()).toMatchObject({
      userEmail: now,
    });
  });

  test('keeps a confirmed subscription, even if the new email is on the list unconfirmed', async () => {
    const { browser, email } = await signUp();
    const [wanted, confirmedAt] = [newEmail(), 1_000];
    await app.db.insert(subscribers).values([
      { _id: newId(), subemail: email, confirmedAt },
      { _id: newId(), subemail: wanted, askedAt: Date.now() },
    ]);
    expect(await status(browser, 'PUT', '/auth/email', { email: wanted })).toBe(202);
    expect(await status(browser, 'POST', '/auth/verify', { token: await app.mailedToken(wanted) })).toBe(200);
    const isEither = inArray(subscribers.subemail, [email, wanted]);
    expect(await app.db.select().from(subscribers).where(isEither)).toMatchObject([
      { subemail: wanted, confirmedAt },
    ]);
  });

  test('that is on the list of users along with the old one is refused with advice', async () => {
    const { browser, email } = await signUp();
    const other = newEmail();
    await app.db
      .insert(users)
      .values([email, other].map((userEmail) => ({ _id: newId(), userEmail, userRole: 'Support' as const })));
    expect(await status(browser, 'PUT', '/auth/email', { email: other })).toBe(202);
    const json = { token: await app.mailedToken(other) };
    const refused = await browser.post('/api/auth/verify', json);
    expect([refused.status, refused.text]).toEqual([
      409,
      expect.stringContaining('Ask an administrator to remove the new one'),
    ]);
    await app.db.delete(users).where(eq(users.userEmail, other));
    expect(await status(browser, 'POST', '/auth/verify', json)).toBe(200);
    expect(await emailOf(browser)).toBe(other);
    await app.db.delete(users);
  });

  test('that belongs to an account can be requested like any other, but is not set', async () => {
    const [one, other] = [await signUp(), await signUp()];
    expect(await status(one.browser, 'PUT', '/auth/email', { email: other.email })).toBe(202);
    const token = await app.mailedToken(other.email);
    expect(await status(one.browser, 'POST', '/auth/verify', { token })).toBe(409);
    expect(await emailOf(one.browser)).toBe(one.email);
    expect(await emailOf(other.browser)).toBe(other.email);
  });
});

/** A session of a new customer whose email is unverified. */
async function newSession() {
  const email = newEmail();
  const browser = await signInNew(app, email, false);
  const session = () => sessionOf(browser);
  return { browser, email, session };
}

const idOf = (email: string) => sql<string>`(select id from accounts where email = ${email})`;
const isOf = (email: string) => eq(sessions.accountId, idOf(email));

/** Verifies an account and adds its email to the list of users as an administrator's. */
async function makeAdministrator(email: string) {
  await app.db.update(accounts).set({ emailVerifiedAt: 1 }).where(eq(accounts.email, email));
  await app.db.insert(users).values({ _id: email, userEmail: email.toUpperCase(), userRole: 'Admin' });
}

describe('A session', () => {
  test('is a token in a cookie that scripts cannot read', async () => {
    const json = { email: newEmail(), password };
    const answer = await app.openBrowser().post('/api/auth/register', json);
    const cookie = answer.headers.getSetCookie().find((line) => line.startsWith('__Host-session='));
    const [token, ...attributes] = cookie?.split('; ') ?? [];
    expect(token).toMatch(/^__Host-session=[\w-]{43}$/);
    expect(attributes).toEqual(expect.arrayContaining(['Path=/', 'HttpOnly', 'Secure', 'SameSite=Lax']));
    expect(cookie).not.toMatch(/Domain/);
  });

  test('of a customer lasts 10 days, used or not', async () => {
    const { session, email } = await newSession();
    moveClock(240 * hour - minute);
    expect(await session()).toEqual({
      account: { email, emailVerified: false, isAdmin: false, role: 'User', lacks: null },
    });
    moveClock(2 * minute);
    expect(await session()).toEqual({ account: null });
  });

  test('of an administrator lasts 12 hours, however busy', async () => {
    const { session, email } = await newSession();
    await makeAdministrator(email);
    for (let hours = 1; hours < 12; hours += 1) {
      moveClock(hour);
      expect(await session()).toEqual({
        account: { email, emailVerified: true, isAdmin: true, role: 'Admin', lacks: null },
      });
      await app.settle();
    }
    moveClock(hour);
    expect(await session()).toEqual({ account: null });
  });

  test('of an administrator ends after 2 idle hours even if an open screen keeps making background calls', async () => {
    const { browser, session, email } = await newSession();
    await makeAdministrator(email);
    for (let minutes = 0; minutes < 120; minutes += 20) {
      expect((await browser.get('/api/waiting')).status).toBe(200);
      await app.settle();
      moveClock(20 * minute);
    }
    expect(await session()).toEqual({ account: null });
  });

  test('records its use at most once a minute', async () => {
    const { session, email } = await newSession();
    const lastUse = async () => {
      await app.settle();
      return (await app.db.select().from(sessions).where(isOf(email)).get())?.lastUsedAt ?? 0;
    };
    const start = await lastUse();
    moveClock(minute - 1);
    await session();
    expect(await lastUse()).toBe(start);
    moveClock(2);
    await session();
    expect(await lastUse()).toBeGreaterThan(start + minute);
  });

  test('gets a new token at every sign-in, and the next sign-in or signing out ends it and clears its cookies', async () => {
    const { browser, email } = await newSession();
    const tokens = [browser.cookies.get('__Host-session') ?? ''];
    await browser.post('/api/auth/login', { email, password });
    tokens.push(browser.cookies.get('__Host-session') ?? '');
    expect(new Set(tokens).size).toBe(2);
    expect(browser.cookies.get('signed-in')).toBe('customer');
    expect((await browser.post('/api/auth/logout')).status).toBe(204);
    expect([...browser.cookies.keys()]).toEqual(['__Host-device']);
    const thief = app.openBrowser();
    for (const token of tokens) {
      thief.cookies.set('__Host-session', token);
      expect(await sessionOf(thief)).toEqual({ account: null });
    }
  });

  test('stays open if an answer to the session before it arrives late', async () => {
    const { browser, email } = await newSession();
    const former = browser.cookies.get('__Host-session') ?? '';
    const change = { currentPassword: password, newPassword: 'amber-window-37' };
    expect(await status(browser, 'PUT', '/auth/password', change)).toBe(204);
    // Another tab sent a request with the former token. Both tabs share their cookies.
    const headers = { Cookie: `__Host-session=${former}; signed-in=customer` };
    const late = await browser.get('/api/auth/session', { headers });
    expect(late.json).toEqual({ account: null });
    expect(await emailOf(browser)).toBe(email);
    expect(browser.cookies.get('signed-in')).toBe('customer');
  });

  test('is one of at most 20 of an account; another one ends the least recently used', async () => {
    const { browser, email } = await newSession();
    const others = Array.from({ length: 19 }, (_, index) => ({
      id: `session-${index}`,
      _id: newId(),
      accountId: idOf(email),
      passwordVersion: 1,
      createdAt: Date.now() + index,
      lastUsedAt: Date.now() + index + 1,
      device: 'A browser',
    }));
    await app.db.insert(sessions).values(others);
    const login = (typed: string) => app.openBrowser().post('/api/auth/login', { email, password: typed });
    expect((await login('not-the-password')).status).toBe(401);
    expect(await sessionOf(browser)).toMatchObject({ account: { email } });
    moveClock(minute);
    expect((await login(password)).status).toBe(200);
    expect(await sessionOf(browser)).toEqual({ account: null });
    expect(await app.db.$count(sessions, isOf(email))).toBe(20);
  });
});
