/**
 * A key belongs to the first request that it came with. The same request gets the same answer; any other is refused
 * with the reason.
 */
import { expect, test } from 'vitest';
import { sharedSystem } from '../support/shared-system.ts';
import { newId } from '#contract/ids.ts';
import type { Message } from '#contract/inbox.calls.ts';
import { messages } from '#worker/inbox/schema.ts';
import { registerVerified } from '../support/cast.ts';
import { orderBody, placeOrder, sendFile } from '../support/orders.ts';
import { newEmail, signInAdministrator, Visitor } from '../support/visitor.ts';
import { message, openInbox } from './inbox-app.ts';

const url = sharedSystem.url;
const used = (what: string) => ({
  status: 422,
  json: {
    errors: { body: `This form already sent another ${what}. Please reload the page and try again.` },
  },
});
const keyed = (key: string) => ({ headers: { 'Idempotency-Key': key } });

test('A plain contact or newsletter form that is sent twice causes one message and one email', async () => {
  const { shop, postForm } = await openInbox({});
  const send = (path: string, fields: Record<string, string>) => postForm(path, fields, '192.0.2.1');
  const twice = () => Promise.all([1, 2].map(() => send('/add-message', message)));
  expect((await twice()).map(({ status }) => status)).toEqual([303, 303]);
  expect(await shop.db.$count(messages)).toBe(1);
  await send('/add-message', { ...message, message: 'Something else' });
  expect(await shop.db.$count(messages)).toBe(2);

  for (const subemail of ['ann@people.example', 'ben@people.example']) {
    await send('/add-subscriber', { subemail });
    await send('/add-subscriber', { subemail });
    expect(shop.sent.filter(({ to }) => to === subemail)).toHaveLength(1);
  }
  await shop.close();
});

test('A script’s key that was used with another address for the newsletter is refused', async () => {
  const visitor = new Visitor(url);
  const key = newId();
  const send = (subemail: string) => visitor.post('/api/add-subscriber', { subemail }, keyed(key));
  const [ann, ben] = [newEmail('ann'), newEmail('ben')];
  expect((await send(ann)).status).toBe(201);
  expect(await send(ben)).toMatchObject(used('address'));
  expect((await send(ann)).status).toBe(201);
});

test('An administrator’s key that was used with an order for another customer is refused', async () => {
  const administrator = await signInAdministrator(url);
  const [ann, ben] = [await registerVerified(url, 'ann'), await registerVerified(url, 'ben')];
  const key = newId();
  const place = async (customerEmail: string, path = '/api/add-order', who: Visitor = administrator) =>
    who.post(path, await orderBody(who, customerEmail), keyed(key));
  const answers = await Promise.all([place(ann.email), place(ben.email)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 422]);
  const [placed, refused] = answers[0].status === 201 ? [ann, ben] : [ben, ann];
  expect(await place(refused.email)).toMatchObject(used('order'));
  expect((await place(newEmail('new'))).status).toBe(422);
  const { json } = await place(placed.email);
  expect(answers.map((answer) => answer.json)).toContainEqual(json);
  // The customer's own key is different, even if it is spelled the same.
  const own = await place(placed.email, '/api/new-order', placed);
  expect(own.status).toBe(201);
  expect(own.json).not.toEqual(json);
});

test('A script’s key that was used with another message of the contact form is refused', async () => {
  const visitor = new Visitor(url);
  const send = (text: string) => visitor.post('/api/add-message', { ...message, message: text }, keyed(key));
  const key = newId();
  const first = await send('Hello');
  expect(first.status).toBe(201);
  expect(await send('Something else')).toMatchObject(used('message'));
  expect(await send('Hello')).toMatchObject({ status: 201, json: first.json });
});

test('A key of the contact form or the newsletter belongs to an account, or to a network of visitors', async () => {
  const account = await registerVerified(url);
  const key = newId();
  const callers = [
    [new Visitor(url), '192.0.2.1'],
    [new Visitor(url), '192.0.2.2'],
    [account, '192.0.2.1'],
    [account, '192.0.2.2'],
  ] as const;
  const send = (path: string, body: object) =>
    Promise.all(
      callers.map(async ([who, address]) => {
        const headers = { 'Idempotency-Key': key, 'CF-Connecting-IP': address };
        const { status, json } = await who.post(`/api/${path}`, body, { headers });
        expect(status).toBe(201);
        return json;
      }),
    );
  const sent = await send('add-message', message);
  expect(new Set(sent.map((one) => (one as Message)._id)).size).toBe(3);
  expect(sent[3]).toEqual(sent[2]);
  expect(await send('add-message', message)).toEqual(sent);
  for (const [who, address] of callers.slice(0, 3)) {
    const headers = { 'Idempotency-Key': key, 'CF-Connecting-IP': address };
    const { status } = await who.post('/api/add-subscriber', { subemail: newEmail() }, { headers });
    expect(status).toBe(201);
  }
});

test('A key that was used with another message, or on another order, is refused, and nothing is silently dropped', async () => {
  const customer = await registerVerified(url);
  const [order, other] = [await placeOrder(customer), await placeOrder(customer)];
  const key = newId();
  const write = (id: string, text: string, files: string[] = []) =>
    customer.post(`/api/order/${id}/messages`, { text, files }, keyed(key));
  const first = await write(order._id, 'Hello');
  expect(first.status).toBe(201);
  expect((await write(order._id, 'Hello')).json).toEqual(first.json);
  const { json } = await sendFile(customer, order._id, 'words', {});
  expect(await write(order._id, 'Hello', [(json as { readonly _id: string })._id])).toMatchObject(
    used('message'),
  );
  expect(await write(order._id, 'Something else')).toMatchObject(used('message'));
  expect(await write(other._id, 'Hello')).toMatchObject(used('message'));
});

test('A key that was used with another file, or on another order, is refused', async () => {
  const customer = await registerVerified(url);
  const [order, other] = [await placeOrder(customer), await placeOrder(customer)];
  const key = newId();
  const send = (id: string, words: string, name = 'a.txt') =>
    sendFile(customer, id, words, { name, ...keyed(key) });
  const first = await send(order._id, 'words');
  expect(first.status).toBe(201);
  expect((await send(order._id, 'words')).json).toEqual(first.json);
  for (const answer of [
    await send(order._id, 'sword'),
    await send(order._id, 'other words'),
    await send(order._id, 'words', 'b.txt'),
    await send(other._id, 'words'),
  ])
    expect(answer).toMatchObject(used('file'));
});
