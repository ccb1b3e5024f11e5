/** Passkeys and recovery codes through their calls, with a software authenticator that can lie on demand. */
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Assertion, CreationOptions, RequestOptions } from '#contract/passkeys.calls.ts';
import { newId } from '#contract/ids.ts';
import { passkeys, recoveryCodes, spentChallenges } from '#worker/accounts/schema.ts';
import { auditEvents } from '#worker/audit/schema.ts';
import { sweepAccounts } from '#worker/accounts/sweep.ts';
import { customerPassword } from '../support/accounts.ts';
import { Authenticator, type Wrong } from '../support/authenticator.ts';
import { holdClock, moveClock } from '../support/clock.ts';
import { overtake } from '../support/overtake.ts';
import type { Answer, Visitor } from '../support/visitor.ts';
import { type AccountsApp, openAccountsApp, origin, sessionOf, signInNew } from './accounts-app.ts';

const password = customerPassword;
const minuteMs = 60_000;

holdClock();
const app = await openAccountsApp();
afterAll(() => app.close());

let serial = 0;
interface Person {
  readonly browser: Visitor;
  readonly email: string;
}

/** A person with a verified account who has just signed in. */
async function signUp(site = app): Promise<Person> {
  const email = `person${String((serial += 1))}@example.com`;
  return { browser: await signInNew(site, email), email };
}

const signedInAs = async (browser: Visitor) => (await sessionOf(browser)).account;

const askToAdd = (browser: Visitor) => browser.post('/api/auth/passkeys/options');
const optionsToAdd = async (browser: Visitor) => (await askToAdd(browser)).json as CreationOptions;
const addCredential = (browser: Visitor, credential: object) =>
  browser.post('/api/auth/passkeys', { credential });

interface Added {
  readonly passkey: { readonly _id: string; readonly name: string };
  readonly recoveryCodes: readonly string[];
}

/**
 * Adds a passkey.
 * @returns the response, and the device that now has the passkey
 */
async function add(browser: Visitor, wrong?: Wrong, device = new Authenticator(origin)) {
  const credential = device.create(await optionsToAdd(browser), wrong);
  return { device, credential, answer: await addCredential(browser, credential) };
}

/** A person who has a passkey. */
async function withPasskey(site = app) {
  const person = await signUp(site);
  const { device, answer } = await add(person.browser);
  expect(answer.status).toBe(201);
  return { ...person, device, ...(answer.json as Added) };
}

const optionsToSignIn = async (browser: Visitor) =>
  (await browser.get('/api/auth/passkey/options')).json as RequestOptions;
/** How a signed-in person can confirm their identity. */
const waysToConfirm = async (browser: Visitor) =>
  (await browser.get('/api/auth/confirm')).json as { passkey: RequestOptions };
const show = (browser: Visitor, assertion: Assertion) => browser.post('/api/auth/passkey', { assertion });

/** Signs in with a passkey, in a browser where nobody is signed in. */
async function signInWith(device: Authenticator, wrong?: Wrong, browser = app.openBrowser()) {
  const answer = await show(browser, device.show(await optionsToSignIn(browser), wrong));
  return { browser, answer, status: answer.status };
}

const detailOf = (answer: Answer) => (answer.json as { detail: string }).detail;
const mailsTo = async (email: string) => {
  await app.settle();
  return app.mails.filter(({ to }) => to === email).map(({ subject }) => subject);
};
const recover = (email: string, code: string, browser = app.openBrowser()) =>
  browser.post('/api/auth/recovery', { email, code });
const list = async (browser: Visitor) =>
  (await browser.get('/api/auth/passkeys')).json as {
    passkeys: { _id: string; name: string; lastUsedAt: string | null }[];
    recoveryCodesLeft: number;
  };

/** Ways in which a device or a page can lie. Each is refused. */
const lies: Readonly<Record<string, Wrong>> = {
  'another site': { origin: 'https://evil.example' },
  'another port of this host': { origin: 'http://site.test:81' },
  'a frame in another site': { crossOrigin: true },
  'a device that was asked for another site': { rpId: 'evil.example' },
  'a device that did not verify its owner': { isVerified: false },
};

describe('Adding a passkey', () => {
  test('requires user verification and no attestation, and uses a handle that identifies nobody', async () => {
    const { browser, email } = await signUp();
    const options = await optionsToAdd(browser);
    const account = await app.accountOf(email);
    expect(options).toMatchObject({
      rp: { id: 'site.test' },
      user: { id: account.passkeyHandle, name: email },
      attestation: 'none',
      excludeCredentials: [],
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
    expect(options.user.id).toMatch(/^[\w-]{43,64}$/);
    expect(options.user.id).not.toContain(account.id);
    const { device } = await add(browser);
    const again = await optionsToAdd(browser);
    expect(again.user.id).toBe(options.user.id);
    expect(again.excludeCredentials.map(({ id }) => id)).toEqual([device.credentialId]);
    expect(again.challenge).not.toBe(options.challenge);
  });

  test('gives ten recovery codes with the first one only, and notifies the owner of each passkey', async () => {
    const { browser, email, recoveryCodes: codes } = await withPasskey();
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^([0-9a-z]{4}-){3}[0-9a-z]{4}$/);
    const { answer } = await add(browser);
    expect((answer.json as Added).recoveryCodes).toEqual([]);
    expect(await list(browser)).toMatchObject({ recoveryCodesLeft: 10, passkeys: [{}, {}] });
    const stored = JSON.stringify(await app.db.select().from(recoveryCodes));
    for (const code of codes) expect(stored).not.toContain(code.replaceAll('-', ''));
    const told = (await mailsTo(email)).filter((subject) => subject.startsWith('A new way to log in'));
    expect(told).toHaveLength(2);
  });

  test('is refused from another site, a frame, a device asked for another site, and one that did not verify its owner', async () => {
    const { browser } = await signUp();
    for (const [from, wrong] of Object.entries(lies))
      expect((await add(browser, wrong)).answer.status, from).toBe(409);
    expect(await list(browser)).toMatchObject({ passkeys: [], recoveryCodesLeft: 0 });
  });

  test('accepts a challenge once, in time, and only in its own session', async () => {
    const { browser, email } = await signUp();
    const { credential: used } = await add(browser);
    expect((await addCredential(browser, used)).status).toBe(409);
    const options = await optionsToAdd(browser);
    const credential = new Authenticator(origin).create(options);
    const elsewhere = app.openBrowser();
    await elsewhere.post('/api/auth/login', { email, password });
    expect((await addCredential(elsewhere, credential)).status).toBe(409);
    const forSignIn = await optionsToSignIn(browser);
    const crossed = new Authenticator(origin).create({ ...options, challenge: forSignIn.challenge });
    expect((await addCredential(browser, crossed)).status).toBe(409);
    moveClock(11 * minuteMs);
    // The identity is confirmed again, but the challenge is still too old.
    await browser.post('/api/auth/confirm', { password });
    expect((await addCredential(browser, credential)).status).toBe(409);
    expect((await list(browser)).passkeys).toHaveLength(1);
  });

  test('is refused for a key that another account has', async () => {
    const { device } = await withPasskey();
    const other = await signUp();
    expect((await add(other.browser, undefined, device)).answer.status).toBe(409);
    expect((await list(other.browser)).passkeys).toEqual([]);
  });

  test('requires a verified email and a confirmed identity', async () => {
    const stranger = app.openBrowser();
    await stranger.post('/api/auth/register', { email: 'stranger@example.com', password });
    expect((await askToAdd(stranger)).status).toBe(409);
    const { browser } = await signUp();
    moveClock(11 * minuteMs);
    const late = await askToAdd(browser);
    expect([late.status, late.json]).toMatchObject([403, { confirm: true }]);
  });

  test('works only at the address of the site, and so does every other use of passkeys', async () => {
    const moved = await openAccountsApp({ SITE_URL: 'https://www.site.test' });
    const { browser, email } = await signUp(moved);
    const account = await moved.accountOf(email);
    await moved.db.insert(passkeys).values({
      _id: newId(),
      accountId: account.id,
      credentialId: 'key',
      publicKey: 'key',
      counter: 0,
      name: 'A phone',
      addedAt: 0,
    });
    for (const answer of [
      await askToAdd(browser),
      await browser.get('/api/auth/passkey/options'),
      await browser.get('/api/auth/confirm'),
    ])
      expect([answer.status, detailOf(answer)]).toEqual([
        409,
        expect.stringContaining('https://www.site.test only'),
      ]);
    await moved.close();
  });

  test('stores nothing for a session that ends in the meantime, and no new codes either', async () => {
    const { browser } = await signUp();
    const credential = new Authenticator(origin).create(await optionsToAdd(browser));
    const signOut = async (of: Visitor) => of.delete('/api/auth/sessions');
    const before = [await app.db.$count(passkeys), await app.db.$count(recoveryCodes)];
    const refused = await overtake(
      () => addCredential(browser, credential),
      'insert into \\"passkeys\\"',
      () => signOut(browser),
    );
    expect(refused.status).toBe(401);
    expect([await app.db.$count(passkeys), await app.db.$count(recoveryCodes)]).toEqual(before);

    const owner = await withPasskey();
    const codes = async () => (await app.db.select().from(recoveryCodes)).map(({ id }) => id).toSorted();
    const kept = await codes();
    const renewing = await overtake(
      () => owner.browser.post('/api/auth/recovery-codes'),
      'delete from \\"recovery_codes\\"',
      () => signOut(owner.browser),
    );
    expect(renewing.status).toBe(401);
    expect(await codes()).toEqual(kept);
  });

  test('stops at twenty', async () => {
    const { browser, email } = await signUp();
    const account = await app.accountOf(email);
    const known = { accountId: account.id, publicKey: 'key', counter: 0, name: 'A phone', addedAt: 0 };
    await app.db
      .insert(passkeys)
      .values(Array.from({ length: 19 }, () => ({ ...known, _id: newId(), credentialId: newId() })));
    expect((await add(browser)).answer.status).toBe(201);
    expect((await add(browser)).answer.status).toBe(409);
    expect((await list(browser)).passkeys).toHaveLength(20);
  });
});

describe('Signing in with a passkey', () => {
  test('asks without naming anybody, opens the account, and is logged', async () => {
    const { device, email, passkey } = await withPasskey();
    const options = await optionsToSignIn(app.openBrowser());
    expect(Object.keys(options).sort()).toEqual(['challenge', 'rpId', 'timeout', 'userVerification']);
    const { browser, status } = await signInWith(device);
    expect([status, (await signedInAs(browser))?.email]).toEqual([200, email]);
    expect((await list(browser)).passkeys[0]?.lastUsedAt).not.toBeNull();
    await app.settle();
    expect(
      await app.db.select().from(auditEvents).where(eq(auditEvents.recordId, passkey._id)),
    ).toMatchObject([{ action: 'passkeySignIn' }]);
  });

  test('is refused from another site, a frame, a device asked for another site, and one that did not verify its owner', async () => {
    const { device } = await withPasskey();
    for (const [from, wrong] of Object.entries(lies)) {
      const { browser, status } = await signInWith(device, wrong);
      expect([status, await signedInAs(browser)], from).toEqual([401, null]);
    }
    expect((await signInWith(device)).status).toBe(200);
  });

  test('accepts an answer once, even out of twenty concurrent ones, and no challenge that is old or for another purpose', async () => {
    const { device, browser: owner } = await withPasskey();
    const assertion = device.show(await optionsToSignIn(owner));
    const answers = await Promise.all(Array.from({ length: 20 }, () => show(app.openBrowser(), assertion)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(19);
    const old = await optionsToSignIn(owner);
    moveClock(11 * minuteMs);
    expect((await show(app.openBrowser(), device.show(old))).status).toBe(401);
    await sweepAccounts(app.env, () => undefined, [], app.db);
    expect(await app.db.$count(spentChallenges)).toBe(0);
    expect((await show(app.openBrowser(), assertion)).status).toBe(401);
    const { passkey: toConfirm } = await waysToConfirm(owner);
    expect((await show(app.openBrowser(), device.show(toConfirm))).status).toBe(401);
  });

  test('refuses a changed answer, and an unknown key or owner', async () => {
    const { device } = await withPasskey();
    const browser = app.openBrowser();
    const right = device.show(await optionsToSignIn(browser));
    const other = new Authenticator(origin).show(await optionsToSignIn(browser));
    expect((await show(browser, { ...right, signature: other.signature })).status).toBe(401);
    expect((await show(browser, { ...right, userHandle: 'c29tZWJvZHk' })).status).toBe(401);
    expect((await show(browser, other)).status).toBe(401);
    expect((await show(browser, { ...right, clientDataJSON: 'bm8' })).status).toBe(401);
    expect((await show(browser, right)).status).toBe(200);
  });

  test('with an unknown passkey is logged, within the rate limit of its address', async () => {
    const strict = await openAccountsApp({ LIMIT_SIGN_IN_ADDRESS: '3' });
    const browser = strict.openBrowser();
    for (let count = 0; count < 5; count += 1) {
      const shown = new Authenticator(origin).show(await optionsToSignIn(browser));
      expect((await show(browser, shown)).status).toBe(401);
      await strict.settle();
    }
    const noted = await strict.db.select().from(auditEvents);
    expect(noted.map(({ action, accountId }) => [action, accountId])).toEqual(
      Array.from({ length: 3 }, () => ['signInFailed', '']),
    );
    await strict.close();
  });

  test('refuses a copy, whose counter has not increased, and notifies the owner; a passkey that never counts is not a copy', async () => {
    const { device, email, passkey } = await withPasskey();
    expect((await signInWith(device, { counter: 7 })).status).toBe(200);
    for (const counter of [7, 6, 0]) {
      const { answer } = await signInWith(device, { counter });
      expect([answer.status, detailOf(answer)]).toEqual([401, expect.stringContaining('a copy')]);
    }
    expect((await mailsTo(email)).filter((subject) => subject.startsWith('We rejected'))).toHaveLength(3);
    expect((await signInWith(device, { counter: 8 })).status).toBe(200);
    const told = await app.db.select().from(auditEvents).where(eq(auditEvents.recordId, passkey._id));
    expect(told.filter(({ action }) => action === 'passkeyRefused')).toHaveLength(3);
    // Of two copies at the same time, one is accepted.
    const challenges = [await optionsToSignIn(app.openBrowser()), await optionsToSignIn(app.openBrowser())];
    const answers = await Promise.all(
      challenges.map((options) => show(app.openBrowser(), device.show(options, { counter: 50 }))),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);

    const { browser } = await signUp();
    const { device: still } = await add(browser, { counter: 0 });
    for (const counter of [0, 0]) expect((await signInWith(still, { counter })).status).toBe(200);
  });
});

describe("A customer's own passkey", () => {
  test('is named and removed only by its owner, who is notified; removing the last one deletes the recovery codes', async () => {
    const { browser, email, device, passkey } = await withPasskey();
    const other = await withPasskey();
    const path = `/api/auth/passkeys/${passkey._id}`;
    const named = await browser.put(path, { name: ' My phone ' });
    expect([named.status, named.json]).toMatchObject([200, { name: 'My phone' }]);
    expect((await browser.put(path, { name: ' ' })).status).toBe(422);
    expect((await other.browser.put(path, { name: 'Mine' })).status).toBe(404);
    expect((await other.browser.delete(path)).status).toBe(404);
    expect((await browser.delete(path)).status).toBe(204);
    expect((await browser.delete(path)).status).toBe(404);
    expect(await list(browser)).toEqual({ passkeys: [], recoveryCodesLeft: 0 });
    expect(await list(other.browser)).toMatchObject({ passkeys: [{}], recoveryCodesLeft: 10 });
    expect((await signInWith(device)).status).toBe(401);
    const removed = 'A passkey was removed from your account';
    expect((await mailsTo(email)).filter((subject) => subject === removed)).toHaveLength(1);
  });

  test("confirms its owner's identity; another person's does not", async () => {
    const { browser, device } = await withPasskey();
    const other = await withPasskey();
    moveClock(11 * minuteMs);
    expect(await waysToConfirm(browser)).toMatchObject({
      password: true,
      google: false,
      isConfirmed: false,
      passkey: { allowCredentials: [{ id: device.credentialId }] },
    });
    const confirm = async (assertion: Assertion) =>
      (await browser.post('/api/auth/confirm', { assertion })).status;
    expect(await confirm(other.device.show((await waysToConfirm(browser)).passkey))).toBe(409);
    expect(await confirm(device.show(await optionsToSignIn(browser)))).toBe(409);
    expect((await askToAdd(browser)).status).toBe(403);
    expect(await confirm(device.show((await waysToConfirm(browser)).passkey))).toBe(204);
    expect((await askToAdd(browser)).status).toBe(200);
    expect(await waysToConfirm(browser)).toMatchObject({ isConfirmed: true });
    expect((await browser.post('/api/auth/confirm', {})).status).toBe(422);
    // This applies even though the account has a password.
    expect((await browser.delete('/api/auth/account')).status).toBe(204);
  });

  test('stays valid after a new password, as the email says, is exported without its key, and is deleted with its account', async () => {
    const { browser, email, device } = await withPasskey();
    await browser.post('/api/auth/reset', { email });
    const token = await app.mailedToken(email, '/reset-password');
    const json = { token, password: 'amber-window-37' };
    expect((await browser.post('/api/auth/reset/confirm', json)).status).toBe(204);
    const { browser: again, status } = await signInWith(device);
    expect(status).toBe(200);
    await app.settle();
    const told = app.mails.findLast(({ subject }) => subject === 'Your password was changed');
    expect(told?.text).toContain('passkey');
    const data = (await again.get('/api/auth/account')).json;
    expect(data).toMatchObject({
      passkeys: [{ name: expect.any(String) as string }],
      recoveryCodesLeft: 10,
    });
    const isIts = eq(passkeys.credentialId, device.credentialId);
    const row = await app.db.select().from(passkeys).where(isIts).get();
    expect(JSON.stringify(data)).not.toContain(row?.publicKey);
    expect(JSON.stringify(data)).not.toContain(device.credentialId);
    expect((await again.delete('/api/auth/account')).status).toBe(204);
    const accountId = row?.accountId ?? '';
    expect([
      await app.db.$count(passkeys, eq(passkeys.accountId, accountId)),
      await app.db.$count(recoveryCodes, eq(recoveryCodes.accountId, accountId)),
    ]).toEqual([0, 0]);
  });
});

describe('A recovery code', () => {
  test('signs in once, however it is typed, even if several requests race', async () => {
    const { email, recoveryCodes: codes } = await withPasskey();
    const [first = '', second = ''] = codes;
    const browser = app.openBrowser();
    expect((await recover(email, ` ${first.toUpperCase().replaceAll('-', ' ')}`, browser)).status).toBe(200);
    expect((await signedInAs(browser))?.email).toBe(email);
    expect((await recover(email, first)).status).toBe(401);
    const answers = await Promise.all(Array.from({ length: 8 }, () => recover(email, second)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await list(browser)).toMatchObject({ recoveryCodesLeft: 8 });
    expect((await mailsTo(email)).filter((subject) => subject === 'A recovery code was used')).toHaveLength(
      2,
    );
  });

  test('opens only its own account, and an email without an account gets the same answer', async () => {
    const { recoveryCodes: codes } = await withPasskey();
    const other = await withPasskey();
    const wrong = await recover(other.email, codes[0] ?? '');
    const unknown = await recover('nobody@example.com', codes[0] ?? '');
    expect([wrong.status, wrong.text]).toEqual([401, unknown.text]);
    expect(await mailsTo('nobody@example.com')).toEqual([]);
  });

  test('can be guessed only within the rate limits of a password, which do not affect the passkey', async () => {
    const { device, email, recoveryCodes: codes } = await withPasskey();
    const stranger = app.openBrowser();
    for (let guess = 0; guess < 10; guess += 1)
      expect((await recover(email, 'abcd-abcd-abcd-abcd', stranger)).status).toBe(401);
    const refused = await recover(email, codes[0] ?? '', stranger);
    expect([refused.status, refused.headers.has('Retry-After')]).toEqual([429, true]);
    const json = { email, password };
    expect((await stranger.post('/api/auth/login', json)).status).toBe(429);
    expect((await signInWith(device)).status).toBe(200);
  });

  test('is invalid once new ones are made, which requires a passkey', async () => {
    const { browser, email, recoveryCodes: codes } = await withPasskey();
    const made = await browser.post('/api/auth/recovery-codes');
    const { recoveryCodes: fresh } = made.json as { recoveryCodes: string[] };
    expect([made.status, fresh.length]).toEqual([201, 10]);
    expect((await recover(email, codes[0] ?? '')).status).toBe(401);
    expect((await recover(email, fresh[0] ?? '')).status).toBe(200);
    expect(await mailsTo(email)).toContain('New recovery codes for your account');
    const { browser: without } = await signUp();
    expect((await without.post('/api/auth/recovery-codes')).status).toBe(409);
  });

  test('works as a plain form, which continues to the requested page or to the account', async () => {
    const { email, recoveryCodes: codes } = await withPasskey();
    for (const [index, next, location] of [
      [0, '', '/account'],
      [1, '/order-now/1', '/order-now/1'],
    ] as const) {
      const fields = { email, code: codes[index] ?? '', next };
      const answer = await app.openBrowser().postForm('/api/auth/recovery', fields);
      expect([answer.status, answer.headers.get('Location')]).toEqual([303, location]);
    }
    const wrong = { email, code: '', next: '/order-now/1' };
    const answer = await app.openBrowser().postForm('/api/auth/recovery', wrong);
    expect([answer.status, answer.headers.get('Location')]).toEqual([303, '/recovery?next=%2Forder-now%2F1']);
  });
});

describe('Where administrators must have a passkey', () => {
  const setupToken = 'the-token-of-the-first-run';
  const userEmail = 'owner@example.com';
  const long = 'a-password-of-an-owner';
  let strict: AccountsApp;
  let owner: Visitor;
  beforeAll(async () => {
    strict = await openAccountsApp({ ADMIN_PASSKEY: 'required', SETUP_TOKEN: setupToken });
    owner = strict.openBrowser();
    const json = { userEmail, setupToken, password: long };
    expect((await owner.post('/api/add-user', json)).status).toBe(201);
  });
  afterAll(() => strict.close());

  const logIn = async () => {
    const browser = strict.openBrowser();
    await browser.post('/api/auth/login', { email: userEmail, password: long });
    return browser;
  };
  const administer = (browser: Visitor) => browser.put('/api/users', { order: [] });

  test('the first one must add one before anything else; afterward, a password opens nothing', async () => {
    const refused = await administer(owner);
    expect([refused.status, detailOf(refused)]).toEqual([
      403,
      expect.stringContaining('Add one in your account'),
    ]);
    expect((await signedInAs(owner))?.lacks).toBe('passkey');
    const { device, answer } = await add(owner);
    const { passkey, recoveryCodes: codes } = answer.json as Added;
    expect((await signedInAs(owner))?.lacks).toBeNull();
    expect((await administer(owner)).status).toBe(422);

    const thief = await logIn();
    expect((await signedInAs(thief))?.lacks).toBe('passkeySignIn');
    const email = 'thief@other.example';
    for (const answered of [
      await administer(thief),
      await askToAdd(thief),
      await thief.post('/api/auth/recovery-codes'),
      await thief.delete(`/api/auth/passkeys/${passkey._id}`),
      await thief.put('/api/auth/email', { email }),
      await thief.delete('/api/auth/google/link'),
      await thief.get('/api/auth/account'),
      await thief.delete('/api/auth/account'),
    ])
      expect([answered.status, detailOf(answered)]).toEqual([
        403,
        expect.stringContaining('Use yours in your account'),
      ]);

    const { passkey: options, ...others } = await waysToConfirm(thief);
    // The password would confirm nothing here.
    expect(others).toMatchObject({ password: false, google: false });
    const json = { assertion: device.show(options) };
    expect((await thief.post('/api/auth/confirm', json)).status).toBe(204);
    expect((await administer(thief)).status).toBe(422);
    const bySignIn = strict.openBrowser();
    expect((await show(bySignIn, device.show(await optionsToSignIn(bySignIn)))).status).toBe(200);
    expect((await administer(bySignIn)).status).toBe(422);

    const lost = strict.openBrowser();
    const recovered = await recover(userEmail, codes[0] ?? '', lost);
    expect(recovered.json).toMatchObject({ account: { lacks: 'passkey' } });
    expect((await administer(lost)).status).toBe(403);
    // A person who changes the password first has still used the code, or the passkey.
    const [next, last] = ['long-enough-words-too', long];
    await lost.put('/api/auth/password', { currentPassword: long, newPassword: next });
    expect((await signedInAs(lost))?.lacks).toBe('passkey');
    expect((await add(lost)).answer.status).toBe(201);
    expect((await administer(lost)).status).toBe(422);
    await lost.put('/api/auth/password', { currentPassword: next, newPassword: last });
    expect((await administer(lost)).status).toBe(422);
    // A new password has ended the session of the first sign-in.
    expect(await signedInAs(owner)).toBeNull();
    owner = lost;
  });

  test('customers need none, and an invitation is accepted with a passkey', async () => {
    const { browser } = await signUp(strict);
    expect((await signedInAs(browser))?.lacks).toBeNull();
    const email = 'editor@example.com';
    const record = { userEmail: email, userRole: 'Editor' };
    expect((await owner.post('/api/add-user', record)).status).toBe(201);
    const token = await strict.mailedToken(email, '/invitation');
    const invited = strict.openBrowser();
    const askToAccept = (browser_: Visitor) => browser_.post('/api/auth/invitation/options', { token });
    const options = (await askToAccept(invited)).json as CreationOptions;
    const device = new Authenticator(origin);
    const accept = (credential: object, browser_ = invited) =>
      browser_.post('/api/auth/invitation', { token, credential });
    const wrong = new Authenticator(origin).create(options, { origin: 'https://evil.example' });
    expect((await accept(wrong)).status).toBe(409);
    const accepted = await accept(device.create(options));
    expect([accepted.status, accepted.json]).toMatchObject([
      200,
      { account: { email, role: 'Editor', lacks: null } },
    ]);
    expect((await accept(device.create(options), strict.openBrowser())).status).toBe(422);
    const again = strict.openBrowser();
    expect((await show(again, device.show(await optionsToSignIn(again)))).status).toBe(200);
    const [only] = (await list(again)).passkeys;
    // The account has no other sign-in method.
    expect((await again.delete(`/api/auth/passkeys/${only?._id ?? ''}`)).status).toBe(409);
    // A session that was left open cannot delete the account either.
    moveClock(11 * minuteMs);
    const left = await again.delete('/api/auth/account');
    expect([left.status, left.json]).toMatchObject([403, { confirm: true }]);
    expect((await askToAccept(strict.openBrowser())).status).toBe(422);
  });
});
