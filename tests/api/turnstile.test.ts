/** Cloudflare's Turnstile on the contact form, with our own siteverify. */
import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { messages } from '#worker/inbox/schema.ts';
import { startSiteverify } from '../support/siteverify.ts';
import type { Answer } from '../support/visitor.ts';
import { message, openInbox } from './inbox-app.ts';

const secret = 'secret-of-the-widget';
const address = '203.0.113.7';
const refusal = 'We could not verify that you are human. Please try again.';

const siteverify = await startSiteverify(secret, (token) => token.startsWith('person'));
const inbox = await openInbox({
  LIMIT_INBOX_ADDRESS: '100',
  TURNSTILE_SITE_KEY: 'key-of-the-widget',
  TURNSTILE_SECRET_KEY: secret,
  TURNSTILE_VERIFY_URL: siteverify.url,
});
afterAll(async () => {
  await siteverify.close();
  await inbox.shop.close();
});

const newToken = () => `person-${randomUUID()}`;
const send = (token: string | undefined, fields: object = {}) =>
  inbox.post('/add-message', { ...message, ...fields, 'cf-turnstile-response': token }, address);
const countMessages = () => inbox.shop.db.$count(messages);

const expectRefusal = (answer: Answer) =>
  expect(answer).toMatchObject({
    status: 422,
    json: { detail: refusal, errors: { 'cf-turnstile-response': refusal } },
  });

test("A message with a person's token is accepted, and Cloudflare learns the sender's address", async () => {
  const before = await countMessages();
  const token = newToken();
  expect((await send(token)).status).toBe(201);
  expect(siteverify.asked.at(-1)).toMatchObject({ secret, response: token, remoteip: address });
  expect(await countMessages()).toBe(before + 1);
});

test('A message without a token, with a bot’s or with a used one, is refused and not stored', async () => {
  const before = await countMessages();
  const asked = siteverify.asked.length;
  expectRefusal(await send(undefined));
  expectRefusal(await send(''));
  expect(siteverify.asked).toHaveLength(asked);
  expectRefusal(await send('made-up'));
  const token = newToken();
  const answers = await Promise.all([send(token), send(token)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 422]);
  expectRefusal(await send(token));
  expect(await countMessages()).toBe(before + 1);
});

test('A plain form that is sent twice with its token is one message, and another form with that token is refused', async () => {
  const before = await countMessages();
  const token = newToken();
  const post = (fields: object) =>
    inbox.postForm('/add-message', { ...message, ...fields, 'cf-turnstile-response': token }, address);
  const twice = await Promise.all([post({}), post({})]);
  expect(twice.map(({ status }) => status)).toEqual([303, 303]);
  await expect(post({ message: 'Buy' })).resolves.toMatchObject({ status: 422 });
  expect(
    (await inbox.postForm('/add-message', { ...message, 'cf-turnstile-response': newToken() }, address))
      .status,
  ).toBe(303);
  expect(await countMessages()).toBe(before + 1);
});

test('A mistake in a field does not use up the token', async () => {
  const asked = siteverify.asked.length;
  const token = newToken();
  expect((await send(token, { email: 'x' })).status).toBe(422);
  expect((await send('x'.repeat(2_049))).status).toBe(422);
  expect(siteverify.asked).toHaveLength(asked);
});

test('A lost request to Cloudflare is repeated with the same key', async () => {
  const asked = siteverify.asked.length;
  siteverify.faults.push('cut');
  expect((await send(newToken())).status).toBe(201);
  const [first, second] = siteverify.asked.slice(asked);
  expect(second).toEqual(first);
  expect(first?.idempotency_key).toBeDefined();
});

const twice = (status: number, body: string) => [
  { status, body },
  { status, body },
];

test.each([
  ['cannot be reached', ['cut', 'cut'] as const],
  ['answers with a page', twice(502, '<h1>Bad gateway</h1>')],
  ['has an error of its own', twice(200, '{"success":false,"error-codes":["internal-error"]}')],
])('If Cloudflare %s, messages are accepted and the log says so', async (_, faults) => {
  const before = await countMessages();
  siteverify.faults.push(...faults);
  expect((await send(newToken())).status).toBe(201);
  expect(await countMessages()).toBe(before + 1);
  expect(inbox.logged.slice(-2).map(([event]) => event)).toEqual([
    'turnstile.unavailable',
    'turnstile.unavailable',
  ]);
  expect(JSON.stringify(inbox.logged)).not.toContain(secret);
});
