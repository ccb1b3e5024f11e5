/** Plain forms of accounts, whose answers appear on pages. The other account tests prove the rules of accounts. */
import { expect, test } from 'vitest';
import { mailedToken } from '../support/cast.ts';
import { sharedSystem } from '../support/shared-system.ts';
import { fetchAlone, newEmail, signUp, Visitor } from '../support/visitor.ts';

const url = sharedSystem.url;

const logIn = (visitor: Visitor, fields: Readonly<Record<string, string>>) =>
  visitor.postForm('/api/auth/login', fields);

test('The page of a form shows what was wrong once, and as plain text', async () => {
  const visitor = new Visitor(url);
  const email = '"><script>alert(1)</script>@example.com';
  const answer = await logIn(visitor, { email, password: 'wrong-one-5' });
  expect([answer.status, answer.headers.get('Location')]).toEqual([303, '/login']);
  const page = await visitor.get('/login');
  expect(page.text).toContain('>Provide a Valid Email<');
  expect(page.text).toContain('value="&quot;>');
  expect(page.headers.get('Cache-Control')).toBe('no-store');
  expect((await visitor.get('/login')).text).not.toContain('>Provide a Valid Email<');
});

test('A field that was wrong still has its help text', async () => {
  const visitor = new Visitor(url);
  await visitor.postForm('/api/auth/register', { email: 'abc@example.com', password: '12345' });
  const { text } = await visitor.get('/register');
  expect(text).toContain('>Minimum 6 Characters<');
  expect(text).toContain('aria-describedby="password-error password-help"');
});

test.each([
  ['reset-password', 'This link has already been used or has expired. Ask for a new one.'],
  ['invitation', 'This invitation has already been accepted'],
])('A person who opens a link to /%s that is no longer valid reads why', async (page, why) => {
  expect((await new Visitor(url).get(`/${page}?token=made-up`)).text).toContain(why);
});

test('A form does not continue to an address that is too long', async () => {
  const { email, password } = await signUp(url);
  for (const [next, location] of [
    [`/${'a'.repeat(10_000)}`, '/login'],
    // Short as typed, but long when encoded.
    [`/service/?for=${'住'.repeat(1_900)}`, '/service/'],
    [`/${'住'.repeat(1_900)}`, '/'],
  ] as const)
    expect((await logIn(new Visitor(url), { email, password, next })).headers.get('Location')).toBe(location);
});

test('A form that sends too much still gets a notice in a cookie that browsers keep', async () => {
  const visitor = new Visitor(url);
  const answer = await logIn(visitor, { email: 'a', password: 'b', ['住'.repeat(3_000)]: 'c' });
  const cookies = answer.headers.getSetCookie();
  expect(cookies.map((cookie) => cookie.length <= 4_096)).toEqual([true]);
  expect((await visitor.get('/login')).text).toContain('role="alert"');
});

test('A person whose browser drops the secure cookie of a sign-in, like Safari on localhost, reads what to do', async () => {
  const open = (path: string, cookies: string) =>
    fetchAlone(new URL(path, url), { redirect: 'manual', headers: { Cookie: cookies } });
  const answer = await open('/dashboard', 'signed-in=customer');
  const location = answer.headers.get('Location') ?? '';
  expect(location).toBe('/login?next=%2Fdashboard&session=lost');
  expect(await (await open(location, '')).text()).toContain('Please open this page in Chrome or Firefox.');
  // With both cookies, this is a session that has ended.
  const ended = await open('/dashboard', 'signed-in=customer; __Host-session=x');
  expect(ended.headers.get('Location')).toBe('/login?next=%2Fdashboard');
});

test('The page that verifies an email asks for a password, unless its owner is signed in', async () => {
  const owner = await signUp(url, newEmail('owner'));
  const link = `/verify-email?token=${await mailedToken(url, owner.email)}`;
  expect((await owner.get(link)).text).not.toContain('name="password"');
  for (const other of [new Visitor(url), await signUp(url, newEmail('other'))]) {
    const { text } = await other.get(link);
    expect(text).toContain('name="password"');
    // Only the form verifies the email.
    expect(text).toContain('value="/dashboard?verified"');
    expect(text).toContain('href="/login?next=%2Fdashboard"');
  }
  const token = new URL(link, url).searchParams.get('token');
  expect((await owner.post('/api/auth/verify', { token })).status).toBe(200);
  const again = (await owner.get(`${link}&next=/account`)).text;
  expect(again).toContain(`Your email ${owner.email} is verified.`);
  expect(again).toContain('href="/login?next=%2Faccount"');
  expect(again).not.toContain('data-account-form');
  const signedOut = (await new Visitor(url).get(link)).text;
  expect(signedOut).toContain('If your email is not verified yet, your dashboard offers a new one.');
  expect(signedOut).not.toContain('data-account-form');
});
