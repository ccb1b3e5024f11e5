/** How many messages and subscriptions an address may send, in this process, where the allowance can be made small. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../worker/db/client.ts';
import { createApp } from '../../worker/http/app.ts';
import { answerError } from '../../worker/http/errors.ts';
import { mountInbox } from '../../worker/inbox/routes.ts';
import { messages, subscribers } from '../../worker/inbox/schema.ts';
import { openShop, type Shop } from './orders-shop.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop({ LIMIT_INBOX_ADDRESS: '3' });
});
afterAll(() => shop.close());

async function post(path: string, body: unknown, address: string): Promise<Response> {
  const app = createApp();
  app.use(async (c, next) => {
    c.set('requestId', 'test');
    c.set('log', () => undefined);
    c.set('db', openDatabase(c.env));
    await next();
  });
  app.onError(answerError);
  mountInbox(app);
  const work: Promise<unknown>[] = [];
  const response = await app.request(
    path,
    {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'Content-Type': 'application/json', 'CF-Connecting-IP': address },
    },
    shop.env,
    { waitUntil: (promise) => void work.push(promise), passThroughOnException: () => undefined, props: {} },
  );
  await Promise.all(work);
  return response;
}

const message = { name: 'Ann', email: 'ann@people.example', number: '1', subject: 'Hi', message: 'Hello' };

test('An address sends as many messages and subscriptions as it may; mistakes do not count', async () => {
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
