/** Accounts in the Worker's own runtime; the rules one by one are in the other accounts tests. */
import { createClient } from '@libsql/client';
import { expect, inject, test } from 'vitest';
import * as z from 'zod';
import { newEmail, signInAdministrator, signUp, Visitor } from '../support/visitor.ts';

const systemUrl = inject('systemUrl');
const mailbox = z.array(z.object({ to: z.string(), subject: z.string(), text: z.string() }));

/** The secret of the newest link to a page that was mailed to somebody. */
async function mailedToken(email: string, page: string): Promise<string> {
  let token: string | undefined;
  await expect
    .poll(async () => {
      const { json } = await new Visitor(systemUrl).get('/dev/mailbox');
      const mail = mailbox.parse(json).find(({ to, text }) => to === email && text.includes(page));
      return (token = /token=([\w-]+)/.exec(mail?.text ?? '')?.[1]);
    })
    .toBeDefined();
  return token ?? '';
}

test('A customer signs up, verifies, resets the password and signs out', async () => {
  const customer = await signUp(systemUrl);
  const { email } = customer;
  const session = async () => (await customer.get('/api/auth/session')).json;
  expect(await session()).toEqual({
    account: { email, emailVerified: false, isAdmin: false, role: 'User', lacks: null },
  });

  const verified = await customer.post('/api/auth/verify', {
    token: await mailedToken(email, '/verify-email'),
  });
  expect(verified.json).toEqual({
    account: { email, emailVerified: true, isAdmin: false, role: 'User', lacks: null },
  });

  expect((await new Visitor(systemUrl).post('/api/auth/reset', { email })).status).toBe(202);
  const token = await mailedToken(email, '/reset-password');
  const confirmed = await new Visitor(systemUrl).post('/api/auth/reset/confirm', {
    token,
    password: 'amber-window-37',
  });
  expect(confirmed.status).toBe(204);
  expect(await session()).toEqual({ account: null });

  const login = await customer.post('/api/auth/login', { email, password: 'amber-window-37' });
  expect(login.status).toBe(200);
  expect((await customer.post('/api/auth/logout')).status).toBe(204);
  expect([...customer.cookies.keys()]).toEqual(['__Host-device']);
});

test('The seeded administrator is one, a customer is not', async () => {
  const admin = await signInAdministrator(systemUrl);
  expect((await admin.get('/api/auth/session')).json).toMatchObject({ account: { isAdmin: true } });
  expect(admin.cookies.get('signed-in')).toBe('admin');
  const customer = await signUp(systemUrl);
  expect((await customer.get('/api/messages')).status).toBe(403);
  expect((await new Visitor(systemUrl).get('/api/messages')).status).toBe(401);
});

test('The database holds no session or mailed token in the clear', async () => {
  const customer = await signUp(systemUrl);
  const token = await mailedToken(customer.email, '/verify-email');
  const client = createClient({ url: inject('databaseUrl'), authToken: inject('databaseToken') });
  const tables = z
    .array(z.object({ name: z.string() }))
    .parse((await client.execute("SELECT name FROM sqlite_master WHERE type = 'table'")).rows);
  for (const { name } of tables) {
    const text = JSON.stringify((await client.execute(`SELECT * FROM "${name}"`)).rows);
    expect(text.includes(token), name).toBe(false);
    expect(text.includes(customer.cookies.get('__Host-session') ?? '-'), name).toBe(false);
    expect(text.includes(customer.password), name).toBe(false);
  }
  client.close();
});

test('The account that is signed in goes from the log-in page to the dashboard', async () => {
  const customer = await signUp(systemUrl);
  const answer = await customer.get('/login');
  expect([answer.status, answer.headers.get('Location')]).toEqual([302, '/dashboard']);
});

test('What a form left for its page is shown once, as text', async () => {
  const visitor = new Visitor(systemUrl);
  const form = { headers: { 'Content-Type': 'application/x-www-form-urlencoded' } };
  const email = '"><script>alert(1)</script>@example.com';
  const answer = await visitor.send(
    'POST',
    '/api/auth/login',
    new URLSearchParams({ email, password: 'wrong-one-5' }).toString(),
    form,
  );
  expect([answer.status, answer.headers.get('Location')]).toEqual([303, '/login']);
  const page = await visitor.get('/login');
  expect(page.text).toContain('>Provide a Valid Email<');
  expect(page.text).toContain('value="&quot;>');
  expect(page.headers.get('Cache-Control')).toBe('no-store');
  expect((await visitor.get('/login')).text).not.toContain('>Provide a Valid Email<');
});

test('A plain form leads on to no address that is too long to be read', async () => {
  const { email, password } = await signUp(systemUrl);
  const locationFor = async (fields: Readonly<Record<string, string>>) => {
    const body = new URLSearchParams({ email, password, ...fields }).toString();
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const answer = await new Visitor(systemUrl).send('POST', '/api/auth/login', body, { headers });
    return [answer.status, answer.headers.get('Location')];
  };
  expect(await locationFor({ next: `/${'a'.repeat(10_000)}` })).toEqual([303, '/login']);
  // Short as typed, long once it is encoded.
  expect(await locationFor({ next: `/service/?for=${'住'.repeat(1_900)}` })).toEqual([303, '/service/']);
  expect(await locationFor({ next: `/${'住'.repeat(1_900)}` })).toEqual([303, '/']);
});

test('A plain form that sends too much to be said back is told so in a cookie that browsers keep', async () => {
  const visitor = new Visitor(systemUrl);
  const body = new URLSearchParams({ email: 'a', password: 'b', ['住'.repeat(3_000)]: 'c' }).toString();
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const answer = await visitor.send('POST', '/api/auth/login', body, { headers });
  const cookies = answer.headers.getSetCookie();
  expect(cookies.map((cookie) => cookie.length <= 4_096)).toEqual([true]);
  expect((await visitor.get('/login')).text).toContain('role="alert"');
});

test('Other calls do not wait for the line of those who sign in', async () => {
  const work = { isUnderWay: true, hashed: 0 };
  const signIn = async () => {
    const { status } = await new Visitor(systemUrl).post('/api/auth/login', {
      email: newEmail(),
      password: 'wrong-one-5',
    });
    if (status === 401) work.hashed += 1;
    return status;
  };
  const crowd = Promise.all(Array.from({ length: 40 }, signIn)).finally(() => (work.isUnderWay = false));
  const hashedBefore: number[] = [];
  while (work.isUnderWay) {
    expect((await new Visitor(systemUrl).get('/api/pricings')).status).toBe(200);
    hashedBefore.push(work.hashed);
  }
  expect(new Set(await crowd)).toEqual(new Set([401, 503]));
  // Were a call to wait for the line, which holds eleven hashes, the first would be answered at its end.
  expect(Math.min(...hashedBefore)).toBeLessThan(work.hashed / 2);
});
