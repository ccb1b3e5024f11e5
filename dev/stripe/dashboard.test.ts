import { expect, test } from 'vitest';
import {
  chargeIdOf,
  startTestEmulator,
  startWebhookEndpoint,
  untilDelivered,
  webhookSecret,
} from './testing.ts';

/** A copy with one paid order, and requests to its dashboard. */
async function openPaid() {
  const endpoint = await startWebhookEndpoint();
  const { emulator, stripe } = await startTestEmulator({ webhookUrl: endpoint.url });
  const paid = await stripe.paymentIntents.create({
    amount: 49_900,
    currency: 'usd',
    confirm: true,
    payment_method: 'pm_card_visa',
    allowed_payment_method_types: ['card'],
    description: 'Order #1001: Basic package',
    metadata: { orderId: 'order-1' },
  });
  const post = (action: string, body: string, type: string, headers = {}) =>
    fetch(`${emulator.url}/dev/stripe/${action}`, {
      method: 'POST',
      body,
      redirect: 'manual',
      headers: { 'Content-Type': type, ...headers },
    });
  return {
    emulator,
    stripe,
    endpoint,
    paid,
    ask: (action: string, value: unknown, headers = {}) =>
      post(action, JSON.stringify(value), 'application/json', headers),
    submit: (action: string, fields: Record<string, string>) =>
      post(action, String(new URLSearchParams(fields)), 'application/x-www-form-urlencoded'),
    page: async () => (await fetch(`${emulator.url}/dev/stripe`)).text(),
  };
}

test('A merchant refunds an order by its id or number, first in part and then in full', async () => {
  const { ask, stripe, paid, page } = await openPaid();
  const part = await ask('refund', { order: 'order-1', amount: '99.50' });
  expect(await part.json()).toMatchObject({ object: 'refund', amount: 9_950 });
  expect((await ask('refund', { order: '#1001', amount: 500 })).status).toBe(400);
  expect(await (await ask('refund', { order: 1001 })).json()).toMatchObject({ amount: 39_950 });
  expect((await stripe.charges.retrieve(chargeIdOf(paid))).refunded).toBe(true);
  expect(await page()).toContain('Refund of $99.50: succeeded');
  expect((await ask('refund', { order: 'another' })).status).toBe(404);
});

test('The forms on the page return to it, or say what is wrong', async () => {
  const { submit, page } = await openPaid();
  const done = await submit('refund', { order: 'order-1', amount: '' });
  expect([done.status, done.headers.get('location')]).toEqual([303, '/dev/stripe']);
  expect(await page()).toContain('Refund of $499: succeeded');
  const again = await submit('refund', { order: 'order-1', amount: '1' });
  expect([again.status, again.headers.get('content-type')]).toEqual([400, 'text/html; charset=utf-8']);
  expect(await again.text()).toMatch(/role="alert">[^<]*has already been refunded/);
});

test('A merchant sends a delivery again, or a signed event with any body', async () => {
  const { ask, stripe, endpoint } = await openPaid();
  await untilDelivered(stripe);
  const [sent] = endpoint.received;
  await ask('resend', { event: sent?.event.id });
  await untilDelivered(stripe);
  const copies = endpoint.received.filter(({ event }) => event.id === sent?.event.id);
  expect(copies).toHaveLength(2);

  const forged = { type: 'charge.refunded', livemode: true, data: { object: { id: 'ch_1' } } };
  const answer = await ask('event', forged);
  expect(await answer.json()).toMatchObject({ status: 200 });
  const { body = '', headers } = endpoint.received.at(-1) ?? {};
  const signature = String(headers?.['stripe-signature']);
  const event = await stripe.webhooks.constructEventAsync(body, signature, webhookSecret);
  expect(event).toMatchObject(forged);
});

test('Another site cannot press the buttons', async () => {
  const { ask, stripe } = await openPaid();
  const refused = await ask('refund', { order: 'order-1' }, { 'Sec-Fetch-Site': 'cross-site' });
  expect(refused.status).toBe(403);
  expect((await stripe.refunds.list()).data).toEqual([]);
});
