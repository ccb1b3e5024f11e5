import type * as Crypto from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { accounts, users } from '#worker/accounts/schema.ts';
import { hashPassword } from '#worker/accounts/password-hash.ts';
import { queueLimitedMail } from '#worker/accounts/limited-mail.ts';
import { newId } from '#contract/ids.ts';
import { writeBatch } from '#worker/db/client.ts';
import { contentTables } from '#worker/db/content-tables.ts';
import { messages, subscribers } from '#worker/inbox/schema.ts';
import { queueMail } from '#worker/mail/outbox.ts';
import type { Visitor } from '../support/visitor.ts';
import { openAccountsApp, sessionOf } from './accounts-app.ts';
import { holdClock, moveClock } from '../support/clock.ts';
import { overtake } from '../support/overtake.ts';

/** The parameters of each computed hash. */
const hashed = vi.hoisted((): string[] => []);
vi.mock('node:crypto', async (importOriginal) => {
  const crypto = await importOriginal<typeof Crypto>();
  const scryptSync: typeof crypto.scryptSync = (password, salt, length, options) => {
    hashed.push(`${String(options?.N)} ${String(options?.r)} ${String(options?.p)}`);
    return crypto.scryptSync(password, salt, length, options);
  };
  return { ...crypto, scryptSync };
});

const minute = 60_000;
const hour = 60 * minute;
const password = 'violet-harbor-91';
const newPassword = 'amber-window-37';
const wrongText = 'Incorrect email or password. Please try again.';

let serial = 0;
const newEmail = () => `person${(serial += 1)}@example.com`;

const app = await openAccountsApp({
  LIMIT_SIGN_UP_ADDRESS: '1000',
  LIMIT_RESET_ADDRESS: '1000',
});
afterAll(() => app.close());
holdClock();

const post = (browser: Visitor, call: string, json: unknown, headers: Record<string, string> = {}) =>
  browser.post(`/api/auth/${call}`, json, { headers });

async function signUp(email = newEmail()) {
  const browser = app.openBrowser();
  const answer = await post(browser, 'register', { email, password });
  expect(answer.status).toBe(201);
  await app.settle();
  return { browser, email };
}

const signIn = async (email: string, typed: string, browser = app.openBrowser()) =>
  (await post(browser, 'login', { email, password: typed })).status;
/** Changes the password of a signed-in person. */
const changePassword = (browser: Visitor, currentPassword: string, newPassword: string) =>
  browser.put('/api/auth/password', { currentPassword, newPassword });
const listAsAdministrator = (email: string) =>
  app.db.insert(users).values({ _id: email, userEmail: email.toUpperCase(), userRole: 'Admin' });

describe('Signing up', () => {
  test('creates one account per email, however it is spelled and however many forms are sent at once', async () => {
    const email = newEmail();
    const answers = await Promise.all(
      [email, email.toUpperCase(), email].map((typed) =>
        post(app.openBrowser(), 'register', { email: typed, password }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    expect(await signIn(email.toUpperCase(), password)).toBe(200);
  });

  test('is refused with an error next to each wrong field', async () => {
    const right = { email: 'abc@example.com', password };
    for (const [changes, errors] of [
      [{ email: '' }, { email: 'Email is Required' }],
      [{ email: 'a1@b2.cd' }, { email: 'Provide a Valid Email' }],
      [{ password: '' }, { password: 'Password is Required' }],
      [{ password: '12345' }, { password: 'Minimum 6 Characters' }],
      [{ password: 'x'.repeat(257) }, { password: 'Maximum 256 Characters' }],
    ]) {
      const answer = await post(app.openBrowser(), 'register', { ...right, ...changes });
      expect([answer.status, answer.json]).toMatchObject([422, { errors }]);
    }
  });

  test('refuses the passwords that attackers try first, and so does changing a password', async () => {
    const named = await openAccountsApp({
      SITE_URL: 'https://www.loan-agency.example',
      MAIL_FROM: 'Loan Agency <site@site.test>',
      LIMIT_SIGN_UP_ADDRESS: '1000',
    });
    const { brand, businessDetails } = contentTables;
    const ofRecord = () => ({ _id: newId(), version: 1, position: 1 });
    await named.db.insert(brand).values({ ...ofRecord(), name: 'Ledgerline' });
    const seller = { legalName: 'Penny-Mark Search, LLC', postalAddress: 'Chicago' };
    await named.db.insert(businessDetails).values({ ...ofRecord(), ...seller });
    const browser = named.openBrowser();
    await post(browser, 'register', { email: newEmail(), password });
    const text = 'This password is easy to guess. Please choose another.';
    // A frequent password, words of the email, one repeated letter, the site, the firm and the seller.
    for (const guessable of [
      ...['JAZZMAN', 'pers-on-1-2-3-4', 'aaaaaaaabbbbbbbb', 'loan-agency-2026!'],
      ...['LedgerLine#1', 'Penny-Mark-Search-LLC'],
    ]) {
      const json = { email: newEmail(), password: guessable };
      const signedUp = await post(named.openBrowser(), 'register', json);
      expect([signedUp.status, signedUp.json]).toMatchObject([422, { errors: { password: text } }]);
      const changed = await changePassword(browser, password, guessable);
      expect([changed.status, changed.json]).toMatchObject([422, { errors: { newPassword: text } }]);
    }
    await named.close();
  });

  test('accepts six characters of any script, without composition rules', async () => {
    for (const typed of ['vjolet', 'ünïcød', '漢字漢文字習', 'a b c d e f'])
      expect((await post(app.openBrowser(), 'register', { email: newEmail(), password: typed })).status).toBe(
        201,
      );
  });

  test('leaves no password, session or emailed link in the database in plain text', async () => {
    const { email, browser } = await signUp();
    const row = await app.accountOf(email);
    expect(row.passwordHash).toMatch(/^\$scrypt\$/);
    const secrets = [
      ...[password, await app.mailedToken(email, '/verify-email')],
      browser.cookies.get('__Host-session') ?? 'none',
    ];
    const names = await app.db.all<{ name: string }>(
      sql`SELECT name FROM sqlite_master WHERE type = 'table'`,
    );
    for (const { name } of names) {
      const { rows } = await app.db.$client.execute(`SELECT * FROM "${name}"`);
      const text = JSON.stringify(rows);
      for (const secret of secrets) expect(text.includes(secret), name).toBe(false);
    }
  });

  test('is limited by network address, like asking for a reset; other addresses are not affected', async () => {
    const strict = await openAccountsApp({ LIMIT_SIGN_UP_ADDRESS: '2', LIMIT_RESET_ADDRESS: '2' });
    for (const [call, status] of [
      ['register', 201],
      ['reset', 202],
    ] as const) {
      const ask = async (address: string) => {
        const headers = { 'CF-Connecting-IP': address };
        const json = { email: newEmail(), ...(call === 'register' && { password }) };
        return (await post(strict.openBrowser(), call, json, headers)).status;
      };
      expect([await ask('192.0.2.1'), await ask('192.0.2.1')], call).toEqual([status, status]);
      expect([await ask('192.0.2.1'), await ask('192.0.2.2')], call).toEqual([429, status]);
    }
    await strict.close();
  });
});

describe('Signing in', () => {
  test('gives the same answer for a wrong password and an unknown email, and does the same work', async () => {
    const { email } = await signUp();
    const asked = vi.spyOn(globalThis, 'fetch');
    const work = async (typed: string) => {
      hashed.length = 0;
      asked.mockClear();
      const answer = await post(app.openBrowser(), 'login', { email: typed, password: 'wrong-one-5' });
      await app.settle();
      return {
        status: answer.status,
        body: answer.text,
        headers: [...answer.headers],
        hashed: [...hashed],
        questionsToTheDatabase: asked.mock.calls.length,
      };
    };
    const [known, unknown] = [await work(email), await work(newEmail())];
    asked.mockRestore();
    expect(unknown).toEqual(known);
    expect(known).toMatchObject({ status: 401, hashed: [expect.any(String)] });
    expect(known.body).toContain(wrongText);
    expect(known.questionsToTheDatabase).toBeGreaterThan(0);
  });

  test('is refused after 10 wrong passwords, even with the right one, and says how long to wait', async () => {
    const { email } = await signUp();
    // Neither a correct password nor a form without a password counts.
    for (let round = 0; round < 12; round += 1) {
      expect((await post(app.openBrowser(), 'login', { email })).status).toBe(422);
      expect(await signIn(email, password)).toBe(200);
    }
    for (let guess = 0; guess < 10; guess += 1) expect(await signIn(email, `wrong-guess-${guess}`)).toBe(401);
    const answer = await post(app.openBrowser(), 'login', { email, password });
    expect(answer.status).toBe(429);
    expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(14 * 60);
    expect(answer.json).toMatchObject({
      detail: 'You have tried this too many times. Please wait 15 minutes and try again.',
    });
    moveClock(15 * minute + 1_000);
    expect(await signIn(email, password)).toBe(200);
  });

  test('allows no more guesses when they are concurrent', async () => {
    const { email } = await signUp();
    const statuses = await Promise.all(
      Array.from({ length: 30 }, (_, guess) => signIn(email, `at-once-${guess}`)),
    );
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(10);
    expect(statuses.every((status) => [401, 429, 503].includes(status))).toBe(true);
  });

  test('costs the database nothing while the queue for hashes is full', async () => {
    const hashes = Array.from({ length: 11 }, () => hashPassword(password));
    const asked = vi.spyOn(globalThis, 'fetch');
    expect(await signIn(newEmail(), password)).toBe(503);
    expect(asked).not.toHaveBeenCalled();
    asked.mockRestore();
    await Promise.all(hashes);
    expect(await signIn(newEmail(), password)).toBe(401);
  });

  test('from an address over its rate limit does not count against the accounts that it tries', async () => {
    const strict = await openAccountsApp({ LIMIT_SIGN_IN_ADDRESS: '2', LIMIT_SIGN_IN_ACCOUNT: '2' });
    const guess = async (email: string, address: string) => {
      const headers = { 'CF-Connecting-IP': address, 'X-Forwarded-For': `10.0.0.${(serial += 1)}` };
      return (await post(strict.openBrowser(), 'login', { email, password: 'wrong-one-5' }, headers)).status;
    };
    const victim = newEmail();
    for (let round = 0; round < 2; round += 1) expect(await guess(newEmail(), '192.0.2.1')).toBe(401);
    for (let round = 0; round < 3; round += 1) expect(await guess(victim, '192.0.2.1')).toBe(429);
    for (let round = 0; round < 2; round += 1) expect(await guess(victim, '192.0.2.2')).toBe(401);
    expect(await guess(victim, '192.0.2.3')).toBe(429);
    await strict.close();
  });
});

describe('A plain form', () => {
  const form = (browser: Visitor, call: string, fields: Record<string, string>) =>
    browser.postForm(`/api/auth/${call}`, fields);

  test('continues to the requested page after signing up, in or out, if it is on this site', async () => {
    const email = newEmail();
    const browser = app.openBrowser();
    const up = await form(browser, 'register', { email, password });
    expect([up.status, up.headers.get('Location')]).toEqual([303, '/']);
    for (const [next, location] of [
      ['', '/dashboard'],
      ['/order-now/1?x=2', '/order-now/1?x=2'],
      ['//evil.example/', '/dashboard'],
    ] as const) {
      const answer = await form(browser, 'login', { email, password, next });
      expect([answer.status, answer.headers.get('Location')]).toEqual([303, location]);
    }
    const out = await form(browser, 'logout', {});
    expect([out.status, out.headers.get('Location')]).toEqual([303, '/']);
    expect(await sessionOf(browser)).toEqual({ account: null });
  });

  test('that fails comes back with what was entered, and has neither email nor password in its address', async () => {
    const { email } = await signUp();
    const browser = app.openBrowser();
    const answer = await form(browser, 'login', { email, password: 'wrong-one-5', next: '/my-order' });
    expect([answer.status, answer.headers.get('Location')]).toEqual([303, '/login?next=%2Fmy-order']);
    const notice = decodeURIComponent(browser.cookies.get('__Host-notice') ?? '');
    expect(notice).toContain(wrongText);
    expect(notice).toContain(email);
    expect(notice).not.toContain('wrong-one-5');
  });
});

describe('Verifying an email', () => {
  test('requires the emailed link and the password, and signs in', async () => {
    const { email } = await signUp();
    const token = await app.mailedToken(email, '/verify-email');
    const phone = app.openBrowser();
    expect((await post(phone, 'verify', { token })).status).toBe(422);
    expect((await post(phone, 'verify', { token, password: 'wrong-one-5' })).status).toBe(422);
    const answer = await post(phone, 'verify', { token, password });
    expect(answer.json).toEqual({
      account: { email, emailVerified: true, isAdmin: false, role: 'User', lacks: null },
    });
    expect(await sessionOf(phone)).toMatchObject({ account: { emailVerified: true } });
    expect((await post(phone, 'verify', { token, password })).status).toBe(422);
  });

  test('continues to the package that was chosen before signing up, and to no other address', async () => {
    const toOrder = `/order-now/${newId()}`;
    for (const [next, kept] of [
      [`${toOrder}?from=mail`, toOrder],
      ['/order-now/call-1-800-evil', null],
    ] as const) {
      const email = newEmail();
      expect((await post(app.openBrowser(), 'register', { email, password, next })).status).toBe(201);
      await post(app.openBrowser(), 'reset', { email, next });
      await app.settle();
      const mails = app.mails.filter(({ to }) => to === email);
      const links = mails.map(({ text }) => new URL(/https?:\/\/\S+/.exec(text)?.[0] ?? ''));
      expect(links.map(({ searchParams }) => searchParams.get('next'))).toEqual([kept, kept]);
    }
    const { email } = await signUp();
    const verified = await app.openBrowser().postForm('/api/auth/verify', {
      token: await app.mailedToken(email, '/verify-email'),
      password,
      next: toOrder,
    });
    expect([verified.status, verified.headers.get('Location')]).toEqual([303, toOrder]);
    await post(app.openBrowser(), 'reset', { email, next: toOrder });
    const token = await app.mailedToken(email, '/reset-password');
    const form = { token, password: newPassword, next: toOrder };
    const reset = await app.openBrowser().postForm('/api/auth/reset/confirm', form);
    const location = `/login?next=${encodeURIComponent(toOrder)}`;
    expect([reset.status, reset.headers.get('Location')]).toEqual([303, location]);
  });

  test('does not give the owner of an email an account that somebody else created for it', async () => {
    const { email, browser: stranger } = await signUp();
    const token = await app.mailedToken(email, '/verify-email');
    const { browser: owner } = await signUp();
    expect((await post(owner, 'verify', { token })).status).toBe(422);
    expect(await sessionOf(stranger)).toMatchObject({ account: { emailVerified: false } });
    await post(owner, 'reset', { email });
    const reset = await app.mailedToken(email, '/reset-password');
    expect((await post(owner, 'reset/confirm', { token: reset, password: newPassword })).status).toBe(204);
    expect(await sessionOf(stranger)).toEqual({ account: null });
    expect(await signIn(email, password)).toBe(401);
    expect(await signIn(email, newPassword)).toBe(200);
  });

  test('refuses a link after 24 hours', async () => {
    const { browser, email } = await signUp();
    const token = await app.mailedToken(email, '/verify-email');
    moveClock(24 * hour + 1_000);
    expect((await post(browser, 'verify', { token })).status).toBe(422);
  });

  test('emails at most 5 links an hour to one account', async () => {
    const { browser, email } = await signUp();
    const before = app.mails.filter(({ to }) => to === email).length;
    for (let round = 0; round < 5; round += 1)
      expect((await browser.post('/api/auth/verify/resend')).status).toBe(202);
    const refused = await browser.post('/api/auth/verify/resend');
    expect([refused.status, Number(refused.headers.get('Retry-After')) > 3_500]).toEqual([429, true]);
    await app.settle();
    expect(app.mails.filter(({ to }) => to === email)).toHaveLength(before + 5);
  });
});

describe('An administrator', () => {
  test('is a verified account with an Admin record, for as long as it has one', async () => {
    const { browser, email } = await signUp();
    await listAsAdministrator(email);
    expect(await sessionOf(browser)).toMatchObject({ account: { isAdmin: false } });
    expect(browser.cookies.get('signed-in')).toBe('customer');
    await post(browser, 'verify', { token: await app.mailedToken(email, '/verify-email') });
    expect(await sessionOf(browser)).toMatchObject({ account: { isAdmin: true } });
    expect(browser.cookies.get('signed-in')).toBe('admin');
    await app.db.update(users).set({ userRole: 'User' }).where(eq(users._id, email));
    expect(await sessionOf(browser)).toMatchObject({ account: { isAdmin: false } });
    expect(browser.cookies.get('signed-in')).toBe('customer');
  });
});

describe('An administrator with a short password', () => {
  test('must replace it with a longer one before anything else', async () => {
    const email = newEmail();
    const browser = app.openBrowser();
    await post(browser, 'register', { email, password: 'eleven-char' });
    await post(browser, 'verify', { token: await app.mailedToken(email, '/verify-email') });
    await listAsAdministrator(email);
    expect(await sessionOf(browser)).toMatchObject({ account: { isAdmin: true, lacks: 'longPassword' } });
    const refused = await browser.put('/api/users', { order: [] });
    expect([refused.status, refused.json]).toMatchObject([
      403,
      { detail: expect.stringContaining('at least 12 characters') as string },
    ]);
    expect((await changePassword(browser, 'eleven-char', 'short-still')).status).toBe(422);
    expect((await changePassword(browser, 'eleven-char', newPassword)).status).toBe(204);
    expect(await sessionOf(browser)).toMatchObject({ account: { isAdmin: true, lacks: null } });
    expect((await browser.put('/api/users', { order: [] })).status).toBe(422);
  });
});

describe('Resetting a password', () => {
  const askFor = async (email: string, address = '192.0.2.1') => {
    const headers = { 'CF-Connecting-IP': address };
    const answer = await post(app.openBrowser(), 'reset', { email }, headers);
    return { status: answer.status, body: answer.text, headers: [...answer.headers] };
  };

  test('gives the same answer with or without an account, before it looks up the account', async () => {
    const { email } = await signUp();
    await app.settle();
    const asked = vi.spyOn(globalThis, 'fetch');
    const work = async (typed: string) => {
      asked.mockClear();
      const answer = await askFor(typed);
      const untilAnswer = asked.mock.calls.length;
      await app.settle();
      return { seen: { ...answer, untilAnswer }, inAll: asked.mock.calls.length };
    };
    const [known, unknown] = [await work(email), await work(newEmail())];
    asked.mockRestore();
    expect(known.seen).toMatchObject({ status: 202 });
    expect(known.seen).toEqual(unknown.seen);
    expect(known.inAll).toBeGreaterThan(unknown.inAll);
  });

  test('unlocks an account that wrong guesses have locked, once; it ends every session and is reported by email', async () => {
    const { email, browser } = await signUp();
    for (let guess = 0; guess < 11; guess += 1) await signIn(email, `wrong-guess-${guess}`);
    expect(await signIn(email, password)).toBe(429);
    const elsewhere = { Host: 'evil.example', 'X-Forwarded-Host': 'evil.example' };
    await post(app.openBrowser(), 'reset', { email }, elsewhere);
    const token = await app.mailedToken(email, '/reset-password');
    const link = app.mails.findLast(({ to }) => to === email)?.text;
    expect(link).toContain('http://site.test/reset-password?token=');
    expect(link).not.toContain('evil.example');

    const confirm = async (typed: string) =>
      (await post(app.openBrowser(), 'reset/confirm', { token, password: typed })).status;
    // After a refused password, the link is still unused.
    for (const [typed, status] of [
      ['123456', 422],
      [newPassword, 204],
      [newPassword, 422],
    ] as const)
      expect(await confirm(typed)).toBe(status);
    expect(await sessionOf(browser)).toEqual({ account: null });
    expect([await signIn(email, password), await signIn(email, newPassword)]).toEqual([401, 200]);
    await app.settle();
    const mail = app.mails.at(-1);
    expect(mail).toMatchObject({ to: email, subject: 'Your password was changed' });
    expect(mail?.text).toContain('every device was signed out');
  });

  test('works for 10 minutes', async () => {
    const { email } = await signUp();
    await askFor(email);
    const token = await app.mailedToken(email, '/reset-password');
    moveClock(10 * minute + 1_000);
    const answer = await post(app.openBrowser(), 'reset/confirm', { token, password: newPassword });
    expect(answer.status).toBe(422);
    expect(await signIn(email, password)).toBe(200);
  });

  test('emails an account at most 5 times an hour per network address and 30 times in total, and always gives the same answer', async () => {
    const { email } = await signUp();
    await app.db.update(accounts).set({ emailVerifiedAt: 1 }).where(eq(accounts.email, email));
    const mailed = () =>
      app.mails.filter(({ to, subject }) => to === email && subject === 'Reset your password').length;
    const ask = async (address: number, times: number) => {
      for (let round = 0; round < times; round += 1) {
        expect((await askFor(email, `192.0.2.${address}`)).status).toBe(202);
        await app.settle();
      }
    };
    await ask(1, 7);
    expect(mailed()).toBe(5);
    for (let address = 2; address <= 7; address += 1) await ask(address, 5);
    expect(mailed()).toBe(30);
  });
});

describe('An emailed link that is used up while its form is being submitted', () => {
  const isOver = { status: 422, text: expect.stringContaining('link') as string };

  /** A person with a verified email and two emailed links: to change their email, and to set a new password. */
  async function withLinks() {
    const { browser, email } = await signUp();
    await app.db.update(accounts).set({ emailVerifiedAt: 1 }).where(eq(accounts.email, email));
    const other = newEmail();
    expect((await browser.put('/api/auth/email', { email: other })).status).toBe(202);
    await post(app.openBrowser(), 'reset', { email });
    const token = await app.mailedToken(other, '/verify-email');
    const reset = await app.mailedToken(email, '/reset-password');
    return {
      email,
      other,
      move: () => post(app.openBrowser(), 'verify', { token, password }),
      reset: () => post(app.openBrowser(), 'reset/confirm', { token: reset, password: newPassword }),
    };
  }

  test('does not change the email of the account after a new password has ended the link', async () => {
    const { email, other, move, reset } = await withLinks();
    expect(await overtake(move, 'insert into \\"mails\\"', reset)).toMatchObject(isOver);
    expect([await signIn(other, newPassword), await signIn(email, newPassword)]).toEqual([401, 200]);
  });

  test('sets no new password for the mailbox that the account has just left', async () => {
    const { other, move, reset } = await withLinks();
    expect(await overtake(reset, 'insert into \\"password_changes\\"', move)).toMatchObject(isOver);
    expect([await signIn(other, newPassword), await signIn(other, password)]).toEqual([401, 200]);
  });

  test('signs in nobody whose password has been replaced', async () => {
    const { email } = await signUp();
    const token = await app.mailedToken(email, '/verify-email');
    await post(app.openBrowser(), 'reset', { email });
    const chosen = { token: await app.mailedToken(email, '/reset-password'), password: newPassword };
    const browser = app.openBrowser();
    await overtake(
      () => post(browser, 'verify', { token, password }),
      'delete from \\"account_tokens\\"',
      () => post(app.openBrowser(), 'reset/confirm', chosen),
    );
    expect(await sessionOf(browser)).toEqual({ account: null });
  });

  test('verifies once if five requests race', async () => {
    const { email } = await signUp();
    const token = await app.mailedToken(email, '/verify-email');
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => post(app.openBrowser(), 'verify', { token, password })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422, 422]);
  });
});

describe('A device that is known for an account', () => {
  const day = 24 * hour;
  const askedFrom = (browser: Visitor, email: string) => post(browser, 'reset', { email });
  const lockStrangersOut = async (email: string) => {
    for (let guess = 0; guess < 11; guess += 1) await signIn(email, `wrong-guess-${guess}`);
    expect(await signIn(email, password)).toBe(429);
  };
  const signOut = (browser: Visitor) => browser.post('/api/auth/logout');

  test('stays known for 180 days, during which strangers cannot lock it out', async () => {
    const { email, browser } = await signUp();
    const kept = new Map(browser.cookies);
    await lockStrangersOut(email);
    expect(await signIn(email, password, browser)).toBe(200);
    const other = app.openBrowser();
    for (const [name, value] of kept) other.cookies.set(name, value);
    moveClock(180 * day - minute);
    await lockStrangersOut(email);
    expect(await signIn(email, password, other)).toBe(200);
    for (const [name, value] of kept) other.cookies.set(name, value);
    moveClock(2 * minute);
    expect(await signIn(email, password, other)).toBe(429);
  });

  test('may still try a recovery code when strangers may not', async () => {
    const { email, browser } = await signUp();
    await lockStrangersOut(email);
    const tryCode = async (who: Visitor) =>
      (await post(who, 'recovery', { email, code: '0000-0000-0000-0000' })).status;
    expect([await tryCode(app.openBrowser()), await tryCode(browser)]).toEqual([429, 401]);
  });

  test('is unknown after a new password, unless it was chosen on that device', async () => {
    const { email, browser } = await signUp();
    await signOut(browser);
    await askedFrom(app.openBrowser(), email);
    const token = await app.mailedToken(email, '/reset-password');
    const chooser = app.openBrowser();
    expect((await post(chooser, 'reset/confirm', { token, password: newPassword })).status).toBe(204);
    await lockStrangersOut(email);
    expect(await signIn(email, newPassword, browser)).toBe(429);
    expect(await signIn(email, newPassword, chooser)).toBe(200);
    expect((await changePassword(chooser, newPassword, password)).status).toBe(204);
    await lockStrangersOut(email);
    expect(await signIn(email, password, chooser)).toBe(200);
  });

  test('is unknown to a new account with the same email', async () => {
    const { email, browser } = await signUp();
    expect((await browser.delete('/api/auth/account')).status).toBe(204);
    await signUp(email);
    await lockStrangersOut(email);
    expect(await signIn(email, password, browser)).toBe(429);
  });

  test('cannot be forged or taken from another account', async () => {
    const [{ email }, { browser }] = [await signUp(), await signUp()];
    await signOut(browser);
    await lockStrangersOut(email);
    expect(await signIn(email, password, browser)).toBe(429);
    const said = browser.cookies.get('__Host-device') ?? '';
    for (const madeUp of ['', '...', said.slice(0, -1), said.replace('.', '.1')]) {
      browser.cookies.set('__Host-device', madeUp);
      expect(await signIn(email, password, browser)).toBe(429);
    }
  });

  test('shares a rate limit with the other known devices of its account', async () => {
    const strict = await openAccountsApp({
      LIMIT_SIGN_IN_KNOWN_ACCOUNT: '3',
      LIMIT_MAIL_KNOWN_ACCOUNT: '3',
    });
    const email = newEmail();
    const devices = [strict.openBrowser(), strict.openBrowser()] as const;
    await post(devices[0], 'register', { email, password });
    await post(devices[1], 'login', { email, password });
    for (const device of devices) await signOut(device);
    const statuses = [];
    for (const device of [...devices, ...devices])
      statuses.push((await post(device, 'login', { email, password: 'wrong-one-5' })).status);
    expect(statuses).toEqual([401, 401, 401, 429]);
    for (const device of [...devices, ...devices]) {
      expect((await askedFrom(device, email)).status).toBe(202);
      await strict.settle();
    }
    const resets = strict.mails.filter(({ subject }) => subject === 'Reset your password');
    expect(resets).toHaveLength(3);
    await strict.close();
  });
});

describe("A customer's account", () => {
  test('changes its password with the old one; other devices are signed out, this one is not', async () => {
    const { email, browser } = await signUp();
    const other = app.openBrowser();
    await signIn(email, password, other);
    const wrong = await changePassword(browser, 'wrong-one-5', newPassword);
    expect([wrong.status, wrong.json]).toMatchObject([
      422,
      { errors: { currentPassword: 'Incorrect password. Please try again.' } },
    ]);
    expect((await changePassword(browser, password, newPassword)).status).toBe(204);
    expect(await sessionOf(browser)).toMatchObject({ account: { email } });
    expect(await sessionOf(other)).toEqual({ account: null });
    expect(await signIn(email, newPassword)).toBe(200);
    await app.settle();
    expect(app.mails.at(-1)?.text).toContain('your other devices were signed out');
  });

  test('lists its sessions and ends one or all of them', async () => {
    const { email, browser } = await signUp();
    const phone = app.openBrowser();
    const agent = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari/604.1';
    await post(phone, 'login', { email, password }, { 'User-Agent': agent });
    const listed = await browser.get('/api/auth/sessions');
    const list = listed.json as { _id: string; isCurrent: boolean }[];
    expect(list).toHaveLength(2);
    expect(list).toContainEqual(expect.objectContaining({ device: 'Safari on iOS', isCurrent: false }));
    expect(list).toContainEqual(expect.objectContaining({ isCurrent: true }));
    const ended = list.find(({ isCurrent }) => !isCurrent)?._id ?? '';
    const end = async () => (await browser.delete(`/api/auth/sessions/${ended}`)).status;
    expect([await end(), await end()]).toEqual([204, 404]);
    expect(await sessionOf(phone)).toEqual({ account: null });
    expect(await sessionOf(browser)).toMatchObject({ account: { email } });
    const tablet = app.openBrowser();
    await signIn(email, password, tablet);
    expect((await browser.delete('/api/auth/sessions')).status).toBe(204);
    for (const one of [tablet, browser]) expect(await sessionOf(one)).toEqual({ account: null });
  });

  test('is exported with the messages of its email only once that is verified', async () => {
    const { email, browser } = await signUp();
    const message = { name: 'Ann', number: '555 0100', subject: 'Hello', message: 'Do you work here?' };
    await app.db.insert(messages).values({
      ...message,
      _id: newId(),
      email: email.toUpperCase(),
      messageStatus: 'UnRead',
      receivedAt: 1,
    });
    const read = async (): Promise<unknown> => (await browser.get('/api/auth/account')).json;
    expect(await read()).not.toHaveProperty('messages');
    await app.db.update(accounts).set({ emailVerifiedAt: 1 }).where(eq(accounts.email, email));
    expect(await read()).toMatchObject({ account: { email }, messages: [{ subject: 'Hello' }] });
    expect(JSON.stringify(await read())).not.toMatch(/scrypt|passwordHash/);
  });

  test('is deleted with its queued email, but without anything of the real owner of an unverified email', async () => {
    const { email, browser } = await signUp();
    await app.db.insert(subscribers).values({ _id: newId(), subemail: email });
    const content = { subject: 'A new order', paragraphs: ['For the business.'] };
    const account = await app.accountOf(email);
    const news = { to: email, kind: 'news', content: { ...content, subject: 'Your news' } };
    await writeBatch(app.db, [
      // An unknown person created the account, with the address of the business.
      queueMail(app.db, app.env, { to: email, kind: 'new-order', content }),
      ...queueLimitedMail(app.db, app.env, { ...news, accountId: account.id }),
    ]);
    const former = browser.cookies.get('__Host-session') ?? '';
    expect((await browser.delete('/api/auth/account')).status).toBe(204);
    browser.cookies.set('__Host-session', former);
    expect(await sessionOf(browser)).toEqual({ account: null });
    await app.settle();
    const subjects = app.mails.filter(({ to }) => to === email).map(({ subject }) => subject);
    expect(subjects.sort()).toEqual(['A new order', 'Verify your email', 'Your account has been deleted']);
    expect(await app.db.$count(subscribers, eq(subscribers.subemail, email))).toBe(1);
  });
});
