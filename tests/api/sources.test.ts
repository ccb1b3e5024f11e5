/** Where messages and orders came from: stored with each, exported, and counted by source. */
import { expect, test } from 'vitest';
import { sharedSystem } from '../support/shared-system.ts';
import { newId } from '#contract/ids.ts';
import type { Order, SourceTotals } from '#contract/orders.calls.ts';
import { registerVerified } from '../support/cast.ts';
import { newMessage, sendMessage } from '../support/messages.ts';
import { findPackage, orderBody } from '../support/orders.ts';
import { signInAdministrator, Visitor } from '../support/visitor.ts';

const url = sharedSystem.url;

test('A message and an order keep their source, and its totals follow each sale and refund', async () => {
  const [customer, staff] = await Promise.all([registerVerified(url), signInAdministrator(url)]);
  const name = `news-${newId().slice(-8)}`;
  const source = { page: '/pricing/', referrer: 'www.google.com', utm_source: name, utm_campaign: '=may' };
  const totals = async () =>
    ((await staff.get('/api/sources')).json as readonly SourceTotals[]).find((one) => one.source === name);

  expect((await sendMessage(new Visitor(url), { source })).source).toEqual(source);
  const order = await orderBody(customer, customer.email, { source });
  const cents = Number(order.packagePrice) * 100;
  const { _id, source: kept } = (await customer.post('/api/new-order', order)).json as Order;
  expect(kept).toEqual(source);
  await staff.put(`/api/order/${_id}`, { paymentStatus: 'Paid' });
  expect(await totals()).toEqual({ source: name, messages: 1, orders: 1, paidOrders: 1, cents });
  await staff.post(`/api/order/${_id}/refunds`, { amount: '100' });
  expect(await totals()).toMatchObject({ paidOrders: 1, cents: cents - 10_000 });
  await staff.post(`/api/order/${_id}/refunds`, {});
  expect(await totals()).toMatchObject({ orders: 1, paidOrders: 0, cents: 0 });

  const line = (await staff.get(`/api/orders.csv?q=${_id}`)).text.split('\r\n')[1];
  expect(line).toContain(`${name},/pricing/,www.google.com,${name},,"'=may"`);
  expect((await staff.get('/api/messages.csv')).text).toContain(`${name},/pricing/,www.google.com`);
});

test('Pages where a visit may begin record its source, and pages behind emailed links do not', async () => {
  const visitor = await registerVerified(url);
  const notes = async (path: string, who: Visitor) =>
    (await who.get(path)).text.includes('sessionStorage.from');
  const { _id } = await findPackage(visitor, 'Basic');
  const paths = ['/login', '/register', `/pay-now/${newId()}`];
  const noted = await Promise.all(paths.map((path) => notes(path, new Visitor(url))));
  expect([...noted, await notes(`/order-now/${_id}`, visitor)]).toEqual([true, true, true, true]);
  expect(await notes('/reset-password?token=secret', new Visitor(url))).toBe(false);
});

test('The source that a browser sends is limited in length, and may be left out', async () => {
  const visitor = new Visitor(url);
  for (const source of [
    {},
    { page: 'x'.repeat(301), referrer: '' },
    { page: '/', referrer: '', utm_x: '1' },
    'google',
  ])
    expect((await visitor.post('/api/add-message', newMessage({ source }))).status).toBe(422);
  expect((await sendMessage(visitor)).source).toBeNull();
});
