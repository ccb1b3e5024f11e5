/** A key belongs to what it first came with: that again answers alike, and anything else is refused and says so. */
import { expect, test } from 'vitest';
import { sharedSystem } from '../support/shared-system.ts';
import { newId } from '#contract/ids.ts';
import { messages } from '#worker/inbox/schema.ts';
import { registerVerified } from '../support/cast.ts';
import { placeOrder, sendFile } from '../support/orders.ts';
import { signInAdministrator } from '../support/visitor.ts';
import { message, openInbox } from './inbox-app.ts';
import { openShop } from './orders-shop.ts';

const url = sharedSystem.url;
const used = (what: string) => ({
  status: 422,
  json: {
    errors: { body: `This form was already used for another ${what}. Please load the page again.` },
  },
});
const keyed = (key: string) => ({ headers: { 'Idempotency-Key': key } });

test('A plain contact or newsletter form that is sent twice makes one message and one mail', async () => {
  const inbox = await openInbox({});
  const key = newId();
  const send = (path: string, body: object) => inbox.post(path, body, '192.0.2.1');
  expect((await send('/add-message', { ...message, key })).status).toBe(201);
  expect((await send('/add-message', { ...message, key })).status).toBe(201);
  expect(await inbox.shop.db.select({ name: messages.name }).from(messages)).toHaveLength(1);
  const other = await send('/add-message', { ...message, message: 'Something else', key });
  expect({ status: other.status, json: await other.json() }).toMatchObject(used('message'));
  // A browser without scripts sends no key, and loses nothing.
  expect((await send('/add-message', { ...message, key: '' })).status).toBe(201);
  expect(await inbox.shop.db.select({ name: messages.name }).from(messages)).toHaveLength(2);

  const sendTwice = async (subemail: string) => {
    await send('/add-subscriber', { subemail, key });
    await send('/add-subscriber', { subemail, key });
    return inbox.shop.sent.filter(({ to }) => to === subemail).length;
  };
  expect(await sendTwice('ann@people.example')).toBe(1);
  expect(await sendTwice('ben@people.example')).toBe(1);
  await inbox.shop.close();
});

test('A key that came with another message, or to another order, is refused, and nothing is dropped in silence', async () => {
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

test('A key that came with another file, or to another order, is refused', async () => {
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

test('All that is left cannot be returned under the key of a partial refund', async () => {
  const shop = await openShop();
  const { order } = await shop.newPaidOrder();
  const part = { amountCents: 10_000, idempotencyKey: newId() };
  await shop.refund(order, part);
  await expect(shop.refund(order, { ...part, amountCents: undefined })).rejects.toMatchObject({
    status: 422,
  });
  const rest = { idempotencyKey: newId() };
  const { amountCents, _id } = await shop.refund(order, rest);
  expect(amountCents).toBe(39_950);
  expect(await shop.refund(order, rest)).toMatchObject({ _id });
  expect(await shop.refund(order, part)).toMatchObject({ amountCents: 10_000 });
  await shop.close();
});

test('A record that is added again is there once, and another one under its key is refused', async () => {
  const administrator = await signInAdministrator(url);
  const item = { canvaLink: 'https://canva.example/a', imageLink: '/images/a.png', category: newId() };
  const key = newId();
  const add = (changes: object = {}) =>
    administrator.post('/api/add-item', { ...item, ...changes }, keyed(key));
  const first = await add();
  expect(first.status).toBe(201);
  expect((await add()).json).toEqual(first.json);
  expect(await add({ category: 'Another' })).toMatchObject(used('design item'));
});
