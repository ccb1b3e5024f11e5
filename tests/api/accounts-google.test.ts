import { eq, gt } from 'drizzle-orm';
import { OAuth2Server } from 'oauth2-mock-server';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { accounts } from '#worker/accounts/schema.ts';
import { auditEvents } from '#worker/audit/schema.ts';
import { customerPassword } from '../support/accounts.ts';
import type { Visitor } from '../support/visitor.ts';
import { openAccountsApp, sessionOf, signInNew } from './accounts-app.ts';

const password = 'violet-harbor-91';

let serial = 0;
const newPerson = () => {
  serial += 1;
  return {
    sub: `google-${serial}`,
    email: `googler${serial}@example.com`,
    email_verified: true,
    hd: 'example.com',
  };
};
/** The person who is signed in at Google. */
let person: { sub: string; email: string; email_verified: boolean; hd?: string; aud?: string };
/** What the token endpoint received last. */
let exchange: Record<string, unknown> = {};

const google = new OAuth2Server();
await google.issuer.keys.generate('RS256');
await google.start(0, '127.0.0.1');
google.service.on(
  'beforeTokenSigning',
  (token: { payload: Record<string, unknown> }, request: { body: object }) => {
    exchange = { ...request.body };
    Object.assign(token.payload, { aud: 'our-client' }, person);
  },
);
const app = await openAccountsApp({
  GOOGLE_CLIENT_ID: 'our-client',
  GOOGLE_CLIENT_SECRET: 'our-secret',
  GOOGLE_ISSUER_URL: google.issuer.url ?? '',
});
afterAll(async () => {
  await google.stop();
  await app.close();
});

/**
 * Goes to Google and comes back.
 * @returns the URL that Google redirects to, not yet opened
 */
async function visitGoogle(browser: Visitor, query = ''): Promise<URL> {
  const start = await browser.get(`/api/auth/google${query}`);
  expect(start.status).toBe(302);
  const atGoogle = await fetch(start.headers.get('Location') ?? '', { redirect: 'manual' });
  return new URL(atGoogle.headers.get('Location') ?? '');
}

async function signInWithGoogle(browser = app.openBrowser(), query = '') {
  const { pathname, search } = await visitGoogle(browser, query);
  const answer = await browser.get(`${pathname}${search}`);
  return { browser, answer, location: answer.headers.get('Location') };
}

const noticeOf = (browser: Visitor) => decodeURIComponent(browser.cookies.get('__Host-notice') ?? '');
async function register(email: string) {
  const browser = app.openBrowser();
  await browser.post('/api/auth/register', { email, password });
  return browser;
}

describe('Signing in with Google', () => {
  test('creates a verified account and remembers it', async () => {
    person = newPerson();
    const { browser, answer, location } = await signInWithGoogle();
    expect([answer.status, location]).toEqual([303, '/']);
    expect(await sessionOf(browser)).toEqual({
      account: { email: person.email, emailVerified: true, isAdmin: false, role: 'User', lacks: null },
    });
    expect((await signInWithGoogle()).location).toBe('/dashboard');
    expect((await signInWithGoogle(undefined, '?next=/my-order')).location).toBe('/my-order');
    expect(await app.db.$count(accounts, eq(accounts.email, person.email))).toBe(1);
  });

  test('sends state and a PKCE challenge, and the verifier when it comes back', async () => {
    person = newPerson();
    const browser = app.openBrowser();
    const start = await browser.get('/api/auth/google');
    const query = new URL(start.headers.get('Location') ?? '').searchParams;
    expect(query.get('state')).toMatch(/^[\w-]{20,}$/);
    expect(query.get('code_challenge_method')).toBe('S256');
    expect(query.get('redirect_uri')).toBe('http://site.test/api/auth/google/callback');
    await signInWithGoogle(browser);
    const verifier = String(exchange['code_verifier']);
    expect(verifier).toMatch(/^[\w-]{43,}$/);
  });

  test('refuses a callback that another browser started, or that is used twice', async () => {
    person = newPerson();
    const { pathname, search } = await visitGoogle(app.openBrowser());
    const other = app.openBrowser();
    await visitGoogle(other);
    const stolen = await other.get(`${pathname}${search}`);
    expect(stolen.headers.get('Location')).toBe('/login');
    expect(await sessionOf(other)).toEqual({ account: null });
    const { browser } = await signInWithGoogle();
    await browser.post('/api/auth/logout');
    expect((await browser.get(`${pathname}${search}`)).headers.get('Location')).toBe('/login');
    expect(await sessionOf(browser)).toEqual({ account: null });
  });

  /** Sign-ins that are refused: how each begins, and what the login page then says. */
  const refused: Readonly<Record<string, readonly [begin: () => Promise<unknown>, words: string]>> = {
    'an email that Google has not verified': [
      () => Promise.resolve((person = { ...person, email_verified: false })),
      'Google has not verified this email',
    ],
    'a verified account by an email that Google cannot prove': [
      async () => {
        person.hd = 'other.example';
        await signInNew(app, person.email);
      },
      'cannot prove',
    ],
    'an unverified account, whose password may be somebody else’s': [
      () => register(person.email),
      'not verified yet',
    ],
    'an account that another Google account with the same email made': [
      async () => {
        await signInWithGoogle();
        person = { ...person, sub: 'google-another' };
      },
      '',
    ],
    'a token that was made for another client': [
      () => Promise.resolve((person = { ...person, aud: 'another-client' })),
      '',
    ],
  };
  test.each(Object.entries(refused))('does not open %s', async (_, [begin, words]) => {
    person = newPerson();
    await begin();
    const { browser, location } = await signInWithGoogle();
    expect(location).toBe('/login');
    expect(noticeOf(browser)).toContain(words);
    expect(await sessionOf(browser)).toEqual({ account: null });
  });

  test('opens a verified account and notifies its owner, who can undo the link; a password reset also undoes it', async () => {
    person = newPerson();
    const owner = await signInNew(app, person.email);
    const { browser } = await signInWithGoogle();
    expect(await sessionOf(browser)).toMatchObject({ account: { email: person.email } });
    const json = { email: person.email, password: customerPassword };
    expect((await app.openBrowser().post('/api/auth/login', json)).status).toBe(200);
    await app.settle();
    const told = app.mails.findLast(({ to }) => to === person.email);
    expect(told?.subject).toBe('You can now log in with Google');
    const isLinked = async () => (await owner.get('/api/auth/google/link')).json;
    expect(await isLinked()).toEqual({ isLinked: true });
    expect((await owner.delete('/api/auth/google/link')).status).toBe(204);
    expect(await isLinked()).toEqual({ isLinked: false });

    await signInWithGoogle();
    expect(await isLinked()).toEqual({ isLinked: true });
    await owner.post('/api/auth/reset', { email: person.email });
    const token = await app.mailedToken(person.email, '/reset-password');
    const chosen = { token, password: 'amber-window-37' };
    expect((await owner.post('/api/auth/reset/confirm', chosen)).status).toBe(204);
    const row = await app.accountOf(person.email);
    expect(row.googleSubject).toBeNull();
    await app.settle();
    const noted = await app.db.select().from(auditEvents).where(eq(auditEvents.accountId, row.id));
    expect(noted.map(({ action }) => action).filter((action) => !action.startsWith('signIn'))).toEqual([
      'googleLinked',
      'googleUnlinked',
      'googleLinked',
      'passwordReset',
      'googleUnlinked',
    ]);
  });

  test('cannot be undone if nothing else opens the account', async () => {
    person = newPerson();
    const { browser } = await signInWithGoogle();
    expect((await browser.delete('/api/auth/google/link')).status).toBe(409);
  });

  test('creates an account without a password, where guesses at a password are refused', async () => {
    person = newPerson();
    const { browser } = await signInWithGoogle();
    await app.settle();
    const before = await app.db.$count(auditEvents);
    const typed = { currentPassword: 'any-word-at-all', newPassword: password };
    for (const [method, path, json] of [
      ['PUT', '/api/auth/password', typed],
      ['POST', '/api/auth/confirm', { password }],
    ] as const) {
      const answer = await browser.send(method, path, json);
      expect([answer.status, answer.json], path).toMatchObject([
        409,
        { detail: expect.stringContaining('has no password yet') as string },
      ]);
    }
    await app.settle();
    expect(await app.db.$count(auditEvents)).toBe(before);
  });

  test('proves only a Gmail address or an address of the account’s own Workspace domain', async () => {
    for (const [changes, emailVerified] of [
      [{ email: `somebody${serial}@gmail.com`, hd: undefined }, true],
      [{ hd: 'EXAMPLE.com' }, true],
      [{ hd: 'other.example' }, false],
      [{ email: `somebody${serial}@gmail.com.evil.example`, hd: undefined }, false],
    ] as const) {
      const { hd, ...rest } = { ...newPerson(), ...changes };
      person = { ...rest, ...(hd !== undefined && { hd }) };
      const { browser } = await signInWithGoogle();
      expect(await sessionOf(browser), JSON.stringify(person)).toMatchObject({
        account: { email: person.email, emailVerified },
      });
      await app.settle();
      expect(app.mails.some(({ to, text }) => to === person.email && text.includes('/verify-email'))).toBe(
        !emailVerified,
      );
    }
  });

  test.each(['json', 'form'] as const)(
    'uses an emailed link, without a password, to verify an email that Google cannot prove (%s)',
    async (kind) => {
      person = { ...newPerson(), hd: 'other.example' };
      const { browser } = await signInWithGoogle();
      const newestMail = async () => {
        await app.settle();
        return app.mails.findLast(({ to, text }) => to === person.email && text.includes('/verify-email'));
      };
      const first = await newestMail();
      expect(first?.text).toContain('your account has no password');
      expect((await browser.post('/api/auth/verify/resend')).status).toBe(202);
      const again = await newestMail();
      expect(again).not.toBe(first);
      expect(again?.text).toContain('your account has no password');

      const token = await app.mailedToken(person.email, '/verify-email');
      // The form of the page sends an empty password. Only for a signed-in person does it count as no password.
      const verify = (by: Visitor) =>
        by[kind === 'form' ? 'postForm' : 'post']('/api/auth/verify', { token, password: '' });
      const stranger = await verify(app.openBrowser());
      expect(stranger.status).toBe(kind === 'form' ? 303 : 422);
      expect((await verify(browser)).status).toBe(kind === 'form' ? 303 : 200);
      expect(await sessionOf(browser)).toMatchObject({ account: { emailVerified: true } });
      const row = await app.accountOf(person.email);
      expect(row.googleSubject).toBe(person.sub);
    },
  );

  test('is logged with the account, but without the email, if it is refused', async () => {
    person = newPerson();
    await register(person.email);
    await app.settle();
    const { id } = await app.accountOf(person.email);
    const before = await app.db.$count(auditEvents);
    await signInWithGoogle();
    await app.settle();
    person = { ...newPerson(), email_verified: false };
    await signInWithGoogle();
    const browser = app.openBrowser();
    const { pathname } = await visitGoogle(browser);
    await browser.get(`${pathname}?state=made-up&code=made-up`);
    await browser.get(`${pathname}?state=made-up&error=access_denied`);
    await app.settle();
    const noted = await app.db.select().from(auditEvents).where(gt(auditEvents.sequence, before));
    expect(noted.map(({ action, accountId }) => [action, accountId])).toEqual([
      ['signInFailed', id],
      ['signInFailed', ''],
      ['signInFailed', ''],
    ]);
    expect(JSON.stringify(noted)).not.toContain('@');
  });

  test('confirms an identity, and only with the linked Google account', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    person = newPerson();
    const owner = person;
    const { browser } = await signInWithGoogle();
    const isOpen = async () => (await browser.get('/api/auth/account')).status;
    const confirm = async () => (await signInWithGoogle(browser, '?confirm')).location;
    expect(await isOpen()).toBe(200);
    vi.setSystemTime(Date.now() + 11 * 60_000);
    expect(await isOpen()).toBe(403);
    expect((await browser.get('/api/auth/confirm')).json).toMatchObject({
      isConfirmed: false,
      google: true,
      password: false,
    });

    // Another Google account, with or without an account here, opens a page that says so.
    for (const known of [true, false]) {
      person = newPerson();
      if (known) await signInWithGoogle();
      expect(await confirm()).toBe('/account?confirmed=no');
    }
    expect(await isOpen()).toBe(403);
    expect(await sessionOf(browser)).toMatchObject({ account: { email: owner.email } });
    // So does a callback that was not started here. A sign-in elsewhere confirms nothing here.
    person = owner;
    await visitGoogle(browser, '?confirm');
    const forged = await browser.get('/api/auth/google/callback?state=made-up&code=made-up');
    expect(forged.headers.get('Location')).toBe('/account?confirmed=no');
    await signInWithGoogle();
    expect(await isOpen()).toBe(403);

    const start = await browser.get('/api/auth/google?confirm');
    expect(new URL(start.headers.get('Location') ?? '').searchParams.get('prompt')).toBe('select_account');
    expect(await confirm()).toBe('/account?confirmed');
    expect(await isOpen()).toBe(200);
    // The account has no password, but can be deleted.
    expect((await browser.delete('/api/auth/account')).status).toBe(204);
  });

  test('tells people when Google is unreachable, and keeps the requested page', async () => {
    const cut = await openAccountsApp({
      GOOGLE_CLIENT_ID: 'our-client',
      GOOGLE_CLIENT_SECRET: 'our-secret',
      GOOGLE_ISSUER_URL: 'http://127.0.0.1:1',
    });
    const browser = cut.openBrowser();
    const answer = await browser.get('/api/auth/google?next=/my-order');
    expect(answer.headers.get('Location')).toBe('/login?next=%2Fmy-order');
    expect(noticeOf(browser)).toContain('Google could not be reached');
    await cut.close();
  });

  test('is not offered without its settings', async () => {
    const without = await openAccountsApp();
    expect((await without.openBrowser().get('/api/auth/google')).status).toBe(404);
    await without.close();
  });
});
