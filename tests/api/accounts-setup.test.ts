import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { setupTasks } from '#contract/attention.calls.ts';
import { newId } from '#contract/ids.ts';
import { firstContent } from '#deploy/first-content.ts';
import { accounts, users } from '#worker/accounts/schema.ts';
import { readSetupTasks } from '#worker/attention/setup-tasks.ts';
import { contentTables } from '#worker/db/content-tables.ts';
import { stripeKeys } from '#worker/payments/schema.ts';
import type { CreationOptions, RequestOptions } from '#contract/passkeys.calls.ts';
import { Authenticator } from '../support/authenticator.ts';
import type { Visitor } from '../support/visitor.ts';
import { type AccountsApp, openAccountsApp, origin, sessionOf, signInNew } from './accounts-app.ts';

const setupToken = 'the-token-of-the-first-run';
const password = 'a-password-of-an-owner';

let app: AccountsApp;

beforeEach(async () => {
  app = await openAccountsApp({ SETUP_TOKEN: setupToken });
});
afterEach(() => app.close());

const setUp = (browser: Visitor, changes: Record<string, unknown> = {}) =>
  browser.post('/api/add-user', { userEmail: 'Owner@example.com', setupToken, password, ...changes });
const isNeeded = async (): Promise<unknown> => (await app.openBrowser().get('/api/setup')).json;

test('The setup token creates the first administrator, who is then signed in', async () => {
  expect(await isNeeded()).toEqual({ needed: true });
  const browser = app.openBrowser();
  expect((await setUp(browser)).status).toBe(201);
  const account = {
    email: 'owner@example.com',
    emailVerified: true,
    isAdmin: true,
    role: 'Admin',
    lacks: null,
  };
  expect(await sessionOf(browser)).toEqual({ account });
  expect(await isNeeded()).toEqual({ needed: false });
  const later = app.openBrowser();
  const login = await later.post('/api/auth/login', { email: 'owner@example.com', password });
  expect(login.json).toEqual({ account });
});

test.each([
  [
    { setupToken: 'a-wrong-token' },
    403,
    { setupToken: 'This setup token is not correct. Check it, then try again.' },
  ],
  [{ setupToken: undefined }, 403, { setupToken: 'Please enter the setup token.' }],
  [{ password: 'eleven-char' }, 422, { password: 'Minimum 12 Characters for an administrator' }],
])('Nobody becomes administrator with %o', async (changes, status, errors) => {
  const browser = app.openBrowser();
  const answer = await setUp(browser, changes);
  expect([answer.status, answer.json]).toMatchObject([status, { errors }]);
  expect(await isNeeded()).toEqual({ needed: true });
  expect(await app.db.$count(accounts)).toBe(0);
});

test('Without a token in the settings, there is no first run', async () => {
  const locked = await openAccountsApp({ SETUP_TOKEN: '' });
  expect((await setUp(locked.openBrowser(), { setupToken: '' })).status).toBe(403);
  expect(await locked.db.$count(accounts)).toBe(0);
  await locked.close();
});

test('Once there is an administrator, the token does nothing', async () => {
  await setUp(app.openBrowser());
  const visitor = app.openBrowser();
  expect((await setUp(visitor, { userEmail: 'second@example.com' })).status).toBe(401);
  await visitor.post('/api/auth/register', { email: 'second@example.com', password });
  expect((await setUp(visitor, { userEmail: 'second@example.com' })).status).toBe(403);
  expect(await app.db.$count(users)).toBe(1);
});

test('Only one of several racing setups creates an administrator, and the others leave nothing behind', async () => {
  const answers = await Promise.all(
    [1, 2, 3, 4, 5].map((other) => setUp(app.openBrowser(), { userEmail: `other${other}@example.com` })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
  expect(await app.db.$count(users)).toBe(1);
  expect(await app.db.$count(accounts)).toBe(1);
});

test('An account that already had that email loses its passkeys and recovery codes', async () => {
  const former = await signInNew(app, 'owner@example.com');
  const device = new Authenticator(origin);
  const toAdd = await former.post('/api/auth/passkeys/options');
  const credential = device.create(toAdd.json as CreationOptions);
  const added = await former.post('/api/auth/passkeys', { credential });
  const { recoveryCodes } = added.json as { recoveryCodes: string[] };
  const browser = app.openBrowser();
  expect((await setUp(browser)).status).toBe(201);
  const left = await browser.get('/api/auth/passkeys');
  expect(left.json).toEqual({ passkeys: [], recoveryCodesLeft: 0 });
  const toSignIn = await former.get('/api/auth/passkey/options');
  const assertion = device.show(toSignIn.json as RequestOptions);
  expect((await former.post('/api/auth/passkey', { assertion })).status).toBe(401);
  const byCode = { email: 'owner@example.com', code: recoveryCodes[0] };
  expect((await former.post('/api/auth/recovery', byCode)).status).toBe(401);
});

test('Guesses at the setup token are rate limited', async () => {
  for (let guess = 0; guess < 20; guess += 1)
    expect((await setUp(app.openBrowser(), { setupToken: `guess-${guess}` })).status).toBe(403);
  const answer = await setUp(app.openBrowser());
  expect(answer.status).toBe(429);
  expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(3_000);
});

test('Remaining setup tasks are listed until each is done', async () => {
  const { db, env } = app;
  const { brand, legalPage, businessDetails } = contentTables;
  const remaining = () => readSetupTasks(db, env);
  await db.insert(brand).values(firstContent.brand.map((values) => ({ ...values, _id: newId() })));
  await db.insert(legalPage).values(firstContent.legalPage.map((values) => ({ ...values, _id: newId() })));
  expect(await remaining()).toEqual(setupTasks);

  await db.insert(stripeKeys).values({ _id: newId(), stripeKey: 'pk_test_first' });
  await db
    .insert(businessDetails)
    .values({ _id: newId(), legalName: 'New Agency LLC', postalAddress: '1 Main Street' });
  await db.update(brand).set({ name: new URL(origin).hostname });
  await db.update(legalPage).set({ text: 'Our own text.' }).where(eq(legalPage.path, '/privacy'));
  expect(await remaining()).toEqual(['brand', 'businessPages']);

  await db.update(brand).set({ name: 'New Agency' });
  await db.update(legalPage).set({ text: 'Our own text.' });
  expect(await remaining()).toEqual([]);
});
