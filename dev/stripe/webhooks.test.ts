import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startStripeEmulator } from './server.ts';
import {
  connectStripe,
  pay,
  publishableKey,
  secretKey,
  startTestEmulator,
  startWebhookEndpoint,
  untilDelivered,
  webhookSecret,
} from './testing.ts';

test('A delivery is retried until it is accepted', async () => {
  const endpoint = await startWebhookEndpoint([302]);
  const { stripe } = await startTestEmulator({ webhookUrl: endpoint.url });
  const intent = await stripe.paymentIntents.create({ amount: 500, currency: 'usd' });
  expect((await stripe.events.list()).data[0]?.pending_webhooks).toBe(1);
  await untilDelivered(stripe);
  expect(endpoint.received.map(({ event }) => event.object.id)).toEqual([intent.id, intent.id]);
  expect(new Set(endpoint.received.map(({ event }) => event.id)).size).toBe(1);
  expect((await stripe.events.list()).data[0]?.pending_webhooks).toBe(0);
});

test('Each registered endpoint gets what it asked for, signed with its own secret, while it is enabled', async () => {
  const { stripe } = await startTestEmulator();
  const register = async (type: 'payment_intent.succeeded' | 'charge.succeeded') => {
    const receiver = await startWebhookEndpoint();
    const { id, secret = '' } = await stripe.webhookEndpoints.create({
      url: receiver.url,
      enabled_events: [type],
    });
    return { ...receiver, id, secret };
  };
  const one = await register('payment_intent.succeeded');
  const other = await register('charge.succeeded');
  await pay(stripe);
  await untilDelivered(stripe);
  for (const [endpoint, type] of [
    [one, 'payment_intent.succeeded'],
    [other, 'charge.succeeded'],
  ] as const) {
    expect(endpoint.types()).toEqual([type]);
    const [delivery] = endpoint.received;
    const signature = String(delivery?.headers['stripe-signature']);
    await stripe.webhooks.constructEventAsync(delivery?.body ?? '', signature, endpoint.secret);
  }
  await stripe.webhookEndpoints.update(one.id, { disabled: true });
  await stripe.webhookEndpoints.update(other.id, { enabled_events: ['charge.refunded'] });
  await pay(stripe);
  await untilDelivered(stripe);
  expect([one.received.length, other.received.length]).toEqual([1, 1]);
});

test('Payments, keys and undelivered events survive a restart', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'stripe-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const keys = { secretKey, publishableKey, webhookSecret };
  const options = { ...keys, dataFile: join(folder, 'stripe.db'), processingMs: null };
  const params = { amount: 500, currency: 'usd' };
  const first = await startStripeEmulator(options);
  const before = connectStripe(first.port);
  const intent = await before.paymentIntents.create(params, { idempotencyKey: 'a' });
  const processing = await pay(before, 'pm_card_processing');
  await first.close();

  const { emulator, stripe } = await startTestEmulator(options);
  const again = await stripe.paymentIntents.create(params, { idempotencyKey: 'a' });
  expect(again.id).toBe(intent.id);
  emulator.controls.settlePayment({ paymentIntent: processing.id });
  const endpoint = await startWebhookEndpoint();
  emulator.controls.setWebhookUrl({ url: endpoint.url });
  await untilDelivered(stripe);
  expect(endpoint.types().sort()).toEqual([
    'charge.succeeded',
    'payment_intent.created',
    'payment_intent.created',
    'payment_intent.processing',
    'payment_intent.succeeded',
  ]);
});
