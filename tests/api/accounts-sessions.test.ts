import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '#contract/ids.ts';
import { accounts, sessions, users } from '#worker/accounts/schema.ts';
import { mountCustomers } from '#worker/customers/routes.ts';
import { customerPassword } from '../support/accounts.ts';
import { type AccountsApp, openAccountsApp, signInNew } from './accounts-app.ts';
import { holdClock, moveClock } from '../support/clock.ts';

const minute = 60_000;
const hour = 60 * minute;
const password = customerPassword;

let app: AccountsApp;
let serial = 0;
const newEmail = () => `somebody${(serial += 1)}@example.com`;

beforeAll(async () => {
  app = await openAccountsApp(
    { LIMIT_SIGN_UP_ADDRESS: '1000', LIMIT_SIGN_IN_ADDRESS: '1000' },
    mountCustomers,
  );
});
afterAll(() => app.close());
holdClock();

async function signUp() {
  const email = newEmail();
  const browser = await signInNew(app, email, false);
  const session = async (): Promise<unknown> => (await browser.send('GET', '/api/auth/session')).json();
  return { browser, email, session };
}

/** Verifies an account and lists its email as the administrator's. */
async function makeAdministrator(email: string) {
  await app.db
    .update(accounts)
    .set({ emailVerifiedAt: 1 })
    .where(sql`${accounts.email} = ${email}`);
  await app.db.insert(users).values({ _id: email, userEmail: email.toUpperCase(), userRole: 'Admin' });
}

describe('A session', () => {
  test('is a token in a cookie that scripts cannot read, of which the database holds only a hash', async () => {
    const browser = app.openBrowser();
    const answer = await browser.send('POST', '/api/auth/register', {
      json: { email: newEmail(), password },
    });
    const cookie = answer.headers.getSetCookie().find((line) => line.startsWith('__Host-session='));
    expect(cookie).toMatch(/; Path=\//);
    expect(cookie).toMatch(/; HttpOnly/);
    expect(cookie).toMatch(/; Secure/);
    expect(cookie).toMatch(/; SameSite=Lax/);
    expect(cookie).not.toMatch(/Domain/);
    const token = browser.cookies.get('__Host-session') ?? '';
    expect(token).toMatch(/^[\w-]{43}$/);
    const rows = JSON.stringify(await app.db.select().from(sessions));
    expect(rows).not.toContain(token);
  });

  test('of a customer lasts 10 days, used or not', async () => {
    const { session, email } = await signUp();
    moveClock(240 * hour - minute);
    expect(await session()).toEqual({
      account: { email, emailVerified: false, isAdmin: false, role: 'User', lacks: null },
    });
    moveClock(2 * minute);
    expect(await session()).toEqual({ account: null });
  });

  test('of an administrator lasts 12 hours, however busy', async () => {
    const { session, email } = await signUp();
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

  test('of an administrator ends after 2 idle hours', async () => {
    const { session, email } = await signUp();
    await makeAdministrator(email);
    moveClock(2 * hour - minute);
    expect(await session()).toMatchObject({ account: { isAdmin: true } });
    await app.settle();
    moveClock(2 * hour + minute);
    expect(await session()).toEqual({ account: null });
  });

  test('of an administrator ends after 2 idle hours even if an open screen keeps asking what waits', async () => {
    const { browser, session, email } = await signUp();
    await makeAdministrator(email);
    for (let minutes = 0; minutes < 120; minutes += 20) {
      expect((await browser.send('GET', '/api/waiting')).status).toBe(200);
      await app.settle();
      moveClock(20 * minute);
    }
    expect(await session()).toEqual({ account: null });
  });

  test('records its use at most once a minute', async () => {
    const { session, email } = await signUp();
    const lastUse = async () => {
      await app.settle();
      const id = sql`(select id from accounts where email = ${email})`;
      const row = await app.db
        .select()
        .from(sessions)
        .where(sql`${sessions.accountId} = ${id}`)
        .get();
      return row?.lastUsedAt ?? 0;
    };
    const start = await lastUse();
    moveClock(minute - 1);
    await session();
    expect(await lastUse()).toBe(start);
    moveClock(2);
    await session();
    expect(await lastUse()).toBeGreaterThan(start + minute);
  });

  test('gets a new token at every sign-in, and the old one ends', async () => {
    const { browser, email } = await signUp();
    const former = browser.cookies.get('__Host-session') ?? '';
    await browser.send('POST', '/api/auth/login', { json: { email, password } });
    expect(browser.cookies.get('__Host-session')).not.toBe(former);
    const thief = app.openBrowser();
    thief.cookies.set('__Host-session', former);
    expect(await (await thief.send('GET', '/api/auth/session')).json()).toEqual({ account: null });
  });

  test('is one of at most 20 of an account; another one ends the least recently used', async () => {
    const { browser, email } = await signUp();
    const others = Array.from({ length: 19 }, (_, index) => ({
      id: `session-${index}`,
      _id: newId(),
      accountId: sql<string>`(select id from accounts where email = ${email})`,
      passwordVersion: 1,
      createdAt: Date.now() + index,
      lastUsedAt: Date.now() + index + 1,
      device: 'A browser',
    }));
    await app.db.insert(sessions).values(others);
    const login = (typed: string) =>
      app.openBrowser().send('POST', '/api/auth/login', { json: { email, password: typed } });
    expect((await login('not-the-password')).status).toBe(401);
    expect(await (await browser.send('GET', '/api/auth/session')).json()).toMatchObject({
      account: { email },
    });
    moveClock(minute);
    expect((await login(password)).status).toBe(200);
    expect(await (await browser.send('GET', '/api/auth/session')).json()).toEqual({ account: null });
    const ofAccount = sql`${sessions.accountId} = (select id from accounts where email = ${email})`;
    expect(await app.db.$count(sessions, ofAccount)).toBe(20);
  });

  test('ends with signing out, and both cookies are removed', async () => {
    const { email } = await signUp();
    const browser = app.openBrowser();
    await browser.send('POST', '/api/auth/login', { json: { email, password } });
    const token = browser.cookies.get('__Host-session') ?? '';
    expect(browser.cookies.get('signed-in')).toBe('customer');
    expect((await browser.send('POST', '/api/auth/logout')).status).toBe(204);
    expect([...browser.cookies.keys()]).toEqual(['__Host-device']);
    browser.cookies.set('__Host-session', token);
    expect(await (await browser.send('GET', '/api/auth/session')).json()).toEqual({ account: null });
  });

  test('is looked up only for a caller with a cookie', async () => {
    const unreachable = await openAccountsApp();
    await unreachable.close();
    const browser = unreachable.openBrowser();
    expect(await (await browser.send('GET', '/api/auth/session')).json()).toEqual({ account: null });
    browser.cookies.set('__Host-session', 'something');
    expect((await browser.send('GET', '/api/auth/session')).status).toBe(503);
  });
});
