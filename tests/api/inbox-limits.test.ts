/** How many messages and subscriptions an address may send, where the allowance can be made small. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { messages, subscribers } from '#worker/inbox/schema.ts';
import { message, openInbox, type Inbox } from './inbox-app.ts';

let inbox: Inbox;
beforeAll(async () => {
  inbox = await openInbox({ LIMIT_INBOX_ADDRESS: '3' });
});
afterAll(() => inbox.shop.close());

test('An address sends as many messages and subscriptions as it may; mistakes do not count', async () => {
  const { shop } = inbox;
  const post = (...request: Parameters<Inbox['post']>) => inbox.post(...request);
  for (let count = 0; count < 5; count += 1)
    expect((await post('/add-message', { ...message, email: 'x' }, '203.0.113.1')).status).toBe(422);
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      index % 2 === 0
        ? post('/add-message', message, '203.0.113.1')
        : post('/add-subscriber', { subemail: `person${index}@people.example` }, '203.0.113.1'),
    ),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 429, 429, 429, 429, 429]);
  const refused = answers.find(({ status }) => status === 429);
  expect(Number(refused?.headers.get('Retry-After'))).toBeGreaterThan(0);
  expect((await post('/add-message', message, '203.0.113.2')).status).toBe(201);
  expect((await shop.db.$count(messages)) + (await shop.db.$count(subscribers))).toBe(4);
});
