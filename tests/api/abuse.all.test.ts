/**
 * A site under attack, with the allowances that it is deployed with: guesses, floods, and mails that nobody asked for.
 * The rules themselves are in `accounts-rules.test.ts`.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { createClient } from '@libsql/client';
import { mailedToken } from '../support/cast.ts';
import { fullSize } from '../support/limits.ts';
import { openSystem, type InProcessSystem } from '../support/in-process-system.ts';
import { newEmail, signUp, Visitor, type Answer } from '../support/visitor.ts';

/** Mails to an unverified email; fewer than as deployed. */
const unverifiedMails = 6;

let system: InProcessSystem;
beforeAll(async () => {
  const asDeployed = [
    'SIGN_IN_ACCOUNT',
    'SIGN_IN_ADDRESS',
    'SIGN_UP_ADDRESS',
    'RESET_ADDRESS',
    'MAIL_ACCOUNT',
  ];
  system = await openSystem({
    vars: {
      ...Object.fromEntries([...asDeployed, 'INBOX_ADDRESS'].map((name) => [`LIMIT_${name}`, ''])),
      // Five more are kept for links that somebody asks for, and five for who is known for the account.
      LIMIT_UNVERIFIED_MAIL: String(unverifiedMails + 10),
      REGISTER_LOGO_URL: '/images/another-logo.svg',
    },
  });
});
afterAll(() => system.stop());

let addresses = 0;
/** A network address that nothing has come from yet. */
const newAddress = () => {
  addresses += 1;
  return `2001:db8:${addresses.toString(16)}::1`;
};
const from = (address: string) => ({ headers: { 'CF-Connecting-IP': address } });
const formFrom = (address: string) => ({
  headers: { 'CF-Connecting-IP': address, 'Content-Type': 'application/x-www-form-urlencoded' },
});
const postFrom = (address: string, call: string, body: unknown, visitor = new Visitor(system.url)) =>
  visitor.post(`/api/auth/${call}`, body, from(address));

/** Does something so many times, a few at once. */
async function repeat<T>(times: number, act: (index: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let start = 0; start < times; start += 10) {
    const length = Math.min(10, times - start);
    results.push(...(await Promise.all(Array.from({ length }, (_, index) => act(start + index)))));
  }
  return results;
}

const countOf = (answers: readonly Answer[], status: number) =>
  answers.filter((answer) => answer.status === status).length;

/** A refusal says how long to wait, to the browser and to anyone who reads it. */
function expectWait(answer: Answer | undefined, minutes: number): void {
  expect(answer?.status, answer?.text).toBe(429);
  const seconds = Number(answer?.headers.get('Retry-After'));
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThanOrEqual(minutes * 60);
  expect(answer?.json).toMatchObject({
    detail: `That was tried too often. Please wait ${String(Math.ceil(seconds / 60))} minutes and try again.`,
  });
}

const mailbox = z.array(z.object({ to: z.string(), subject: z.string() }));
const subjectsTo = async (email: string) =>
  mailbox
    .parse((await new Visitor(system.url).get('/dev/mailbox')).json)
    .filter(({ to }) => to === email)
    .map(({ subject }) => subject);

/** Waits until no mail is on its way any more. */
async function settleMails(): Promise<void> {
  const client = createClient({ url: system.database.url, authToken: system.database.authToken });
  await expect.poll(async () => (await client.execute('SELECT 1 FROM mails')).rows.length).toBe(0);
  client.close();
}

test('The register screen has the logo of its setting', async () => {
  const { text } = await new Visitor(system.url).get('/register');
  const [logo = ''] = /<img[^>]*data-register-logo[^>]*>/.exec(text) ?? [];
  expect(logo).toContain('src="/images/another-logo.svg"');
  expect(logo).not.toContain('hidden');
});

describe('Guessing', () => {
  test('Guesses at an account from many addresses stay within its allowance, and a reset opens it', async () => {
    const { email, password } = await signUp(system.url);
    const answers = await repeat(fullSize ? 1_000 : 60, (index) =>
      postFrom(newAddress(), 'login', { email, password: `guess-${String(index)}` }),
    );
    expect(countOf(answers, 401)).toBe(10);
    expect(countOf(answers, 429)).toBe(answers.length - 10);
    expectWait(answers.at(-1), 15);
    expectWait(await postFrom(newAddress(), 'login', { email, password }), 15);

    const browser = new Visitor(system.url);
    const form = new URLSearchParams({ email, password }).toString();
    const sentBack = await browser.send('POST', '/api/auth/login', form, formFrom(newAddress()));
    expect([sentBack.status, sentBack.headers.get('Location')]).toEqual([303, '/login']);
    expect((await browser.get('/login')).text).toMatch(/Please wait \d+ minutes and try again\./);

    expect((await postFrom(newAddress(), 'reset', { email })).status).toBe(202);
    const token = await mailedToken(system.url, email, '/reset-password');
    const fresh = 'amber-window-37';
    const confirmed = await postFrom(newAddress(), 'reset/confirm', { token, password: fresh });
    expect(confirmed.status).toBe(204);
    expect((await postFrom(newAddress(), 'login', { email, password: fresh })).status).toBe(200);
  });

  test('Strangers who guess at an account and ask for resets do not keep its owner from signing in, acting or resetting', async () => {
    const owner = await signUp(system.url);
    const verification = { token: await mailedToken(system.url, owner.email), password: owner.password };
    expect((await owner.post('/api/auth/verify', verification)).status).toBe(200);
    const { email, password } = owner;
    const addresses = Array.from({ length: fullSize ? 200 : 20 }, newAddress);
    const rounds = fullSize ? 5 : 1;
    const storm = async (act: (address: string, guess: string) => Promise<unknown>) => {
      for (let round = 0; round < rounds; round += 1)
        await Promise.all(
          addresses.map((address, index) => act(address, `guess-${String(round)}-${String(index)}`)),
        );
    };
    await storm(async (address, guess) => {
      await postFrom(address, 'login', { email, password: guess });
      await postFrom(address, 'reset', { email });
    });
    expectWait(await postFrom(newAddress(), 'login', { email, password }), 15);
    await settleMails();
    const before = (await subjectsTo(email)).length;

    const attacker = from(addresses[0] ?? '');
    expect((await owner.get('/api/auth/sessions', attacker)).status).toBe(200);
    const changed = { currentPassword: password, newPassword: 'amber-window-37' };
    expect((await owner.send('PUT', '/api/auth/password', changed, attacker)).status).toBe(204);
    await owner.post('/api/auth/logout');
    // The very address that was used up: what counts is the device.
    const wrong = { email, password: 'not-it-at-all' };
    expect((await owner.post('/api/auth/login', wrong, attacker)).status).toBe(401);
    const right = { email, password: changed.newPassword };
    expect((await owner.post('/api/auth/login', right, attacker)).status).toBe(200);
    for (let count = 0; count < 5; count += 1)
      expect((await owner.post('/api/auth/reset', { email }, attacker)).status).toBe(202);
    await settleMails();
    expect((await subjectsTo(email)).length).toBeGreaterThan(before);
  });

  test('While strangers keep the line of passwords full, known devices and sessions still do what they want', async () => {
    const owners = await Promise.all(Array.from({ length: fullSize ? 8 : 2 }, () => signUp(system.url)));
    const state = { isOver: false };
    const refused: Answer[] = [];
    const strangerKeepsOn = async (_: unknown, index: number) => {
      for (let count = index; !state.isOver; count += 1) {
        const email = count % 4 === 0 ? owners[index % owners.length]?.email : newEmail();
        const answer = await postFrom(newAddress(), 'login', { email, password: 'a-guess-at-it' });
        if (answer.status === 503) refused.push(answer);
        else expect([401, 429]).toContain(answer.status);
      }
    };
    const signInAgain = async (owner: Visitor, email: string, password: string) => {
      await owner.post('/api/auth/logout');
      for (const [typed, status] of [
        ['not-it-at-all', 401],
        [password, 200],
      ] as const) {
        const answer = await owner.post('/api/auth/login', { email, password: typed }, from(newAddress()));
        expect(answer.status, answer.text).toBe(status);
      }
    };
    const actAs = async (owner: (typeof owners)[number]) => {
      const { email, password: currentPassword } = owner;
      await signInAgain(owner, email, currentPassword);
      const newPassword = 'amber-window-37';
      const changed = await owner.put('/api/auth/password', { currentPassword, newPassword });
      expect(changed.status, changed.text).toBe(204);
      await owner.post('/api/auth/logout');
      expect((await owner.post('/api/auth/reset', { email }, from(newAddress()))).status).toBe(202);
      const token = await mailedToken(system.url, email, '/reset-password');
      const confirmed = await owner.post('/api/auth/reset/confirm', { token, password: 'coral-anchor-52' });
      expect(confirmed.status, confirmed.text).toBe(204);
    };
    const storm = Promise.all(Array.from({ length: 16 }, strangerKeepsOn));
    try {
      await Promise.all(owners.map(actAs));
    } finally {
      state.isOver = true;
      await storm;
    }
    // The line was full, and went on.
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.every(({ headers }) => Number(headers.get('Retry-After')) > 0)).toBe(true);
  });

  test.runIf(fullSize)('Guesses from one address at many accounts stay within its allowance', async () => {
    const address = newAddress();
    const guess = () => postFrom(address, 'login', { email: newEmail(), password: 'a-leaked-password' });
    const answers = await repeat(300, guess);
    expect(countOf(answers, 401)).toBe(100);
    expect(countOf(answers, 429)).toBe(200);
    expectWait(await guess(), 15);
    const other = { email: newEmail(), password: 'a-leaked-password' };
    expect((await postFrom(newAddress(), 'login', other)).status).toBe(401);
  });
});

describe('Floods', () => {
  test('An address signs up as often as its allowance says; others still can', async () => {
    const address = newAddress();
    const signUp = (password: string) => postFrom(address, 'register', { email: newEmail(), password });
    // A password that is refused costs no hash, and counts all the same.
    const answers = await repeat(60, (index) =>
      signUp(fullSize || index % 20 === 0 ? 'violet-harbor-91' : 'password'),
    );
    expect(countOf(answers, 201)).toBe(fullSize ? 60 : 3);
    expect(countOf(answers, 429)).toBe(0);
    expectWait(await signUp('violet-harbor-91'), 60);
    const form = new URLSearchParams({ email: newEmail(), password: 'violet-harbor-91' }).toString();
    const browser = new Visitor(system.url);
    const sentBack = await browser.send('POST', '/api/auth/register', form, formFrom(address));
    expect(sentBack.headers.get('Location')).toBe('/register');
    expect((await browser.get('/register')).text).toMatch(/Please wait \d+ minutes and try again\./);
    const elsewhere = { email: newEmail(), password: 'violet-harbor-91' };
    expect((await postFrom(newAddress(), 'register', elsewhere)).status).toBe(201);
  });

  test('An address asks for resets as often as its allowance says, with an account or without', async () => {
    const address = newAddress();
    const answers = await repeat(20, () => postFrom(address, 'reset', { email: newEmail() }));
    expect(countOf(answers, 202)).toBe(20);
    expectWait(await postFrom(address, 'reset', { email: newEmail() }), 60);
    const browser = new Visitor(system.url);
    const form = new URLSearchParams({ email: newEmail() }).toString();
    await browser.send('POST', '/api/auth/reset', form, formFrom(address));
    expect((await browser.get('/reset')).text).toMatch(/Please wait \d+ minutes and try again\./);
  });
});

describe('Mails that nobody asked for', () => {
  test('Resets and new links fill no mailbox, from however many addresses', async () => {
    const { email, cookies } = await signUp(system.url);
    const resets = await repeat(fullSize ? 200 : 20, () => postFrom(newAddress(), 'reset', { email }));
    expect(countOf(resets, 202)).toBe(resets.length);
    // All that strangers may have sent to an address that nobody has verified. A reset is answered before its mail is written.
    await expect.poll(() => subjectsTo(email)).toHaveLength(unverifiedMails + 5);
    await settleMails();
    expect(await subjectsTo(email)).toHaveLength(unverifiedMails + 5);
    const owner = new Visitor(system.url);
    for (const [name, value] of cookies) owner.cookies.set(name, value);
    const resends = await repeat(8, () => owner.post('/api/auth/verify/resend', undefined));
    expect(countOf(resends, 202)).toBe(5);
    expectWait(
      resends.find(({ status }) => status === 429),
      60,
    );
    await settleMails();
    expect(await subjectsTo(email)).toHaveLength(unverifiedMails + 10);
  });
});
