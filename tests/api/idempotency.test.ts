/**
 * A key belongs to the request that it first came with. The same request gets the same answer; any other is
 * refused and says so.
 */
import { expect, test } from 'vitest';
import { sharedSystem } from '../support/shared-system.ts';
import { newId } from '#contract/ids.ts';
import { messages } from '#worker/inbox/schema.ts';
import { registerVerified } from '../support/cast.ts';
import { findPackage, placeOrder, sendFile } from '../support/orders.ts';
import { newEmail, signInAdministrator, Visitor } from '../support/visitor.ts';
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

test('A plain contact or newsletter form that is sent twice causes one message and one mail', async () => {
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

test('A script’s key that came with another address for the newsletter is refused', async () => {
  const visitor = new Visitor(url);
  const key = newId();
  const send = (subemail: string) => visitor.post('/api/add-subscriber', { subemail }, keyed(key));
  const [ann, ben] = [newEmail('ann'), newEmail('ben')];
  expect((await send(ann)).status).toBe(201);
  expect(await send(ben)).toMatchObject(used('address'));
  expect((await send(ann)).status).toBe(201);
});

test('An administrator’s key that came with an order for another customer is refused', async () => {
  const administrator = await signInAdministrator(url);
  const { packageName, packagePrice } = await findPackage(administrator, 'Basic');
  const [ann, ben] = [await registerVerified(url, 'ann'), await registerVerified(url, 'ben')];
  const key = newId();
  const place = (customerEmail: string, path = '/api/add-order', who: Visitor = administrator) =>
    who.post(
      path,
      {
        packageName,
        packagePrice,
        customerEmail,
        customerName: 'Ada Broker',
        customerAddress: '12 Harbor Street',
        customerCountry: 'United States',
      },
      keyed(key),
    );
  const answers = await Promise.all([place(ann.email), place(ben.email)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 422]);
  const [placed, refused] = answers[0].status === 201 ? [ann, ben] : [ben, ann];
  expect(await place(refused.email)).toMatchObject(used('order'));
  expect((await place(newEmail('new'))).status).toBe(422);
  const { json } = await place(placed.email);
  expect(answers.map((answer) => answer.json)).toContainEqual(json);
  // The customer's own key is a different one, even if it is spelled the same.
  const own = await place(placed.email, '/api/new-order', placed);
  expect(own.status).toBe(201);
  expect(own.json).not.toEqual(json);
});

test('A script’s key that came with another message of the contact form is refused', async () => {
  const visitor = new Visitor(url);
  const send = (text: string) => visitor.post('/api/add-message', { ...message, message: text }, keyed(key));
  const key = newId();
  expect((await send('Hello')).status).toBe(201);
  expect(await send('Something else')).toMatchObject(used('message'));
});

test('A key that came with another message, or to another order, is refused, and nothing is silently dropped', async () => {
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

test('The rest of a payment cannot be refunded under the key of a partial refund', async () => {
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
