import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startStripeEmulator } from './server.ts';
import {
  connectStripe,
  pay,
  publishableKey,
  refusalOf,
  secretKey,
  startTestEmulator,
  startWebhookEndpoint,
  untilDelivered,
  webhookSecret,
} from './testing.ts';

async function startDelivering(answers: number[] = []) {
  const endpoint = await startWebhookEndpoint(answers);
  const started = await startTestEmulator({ webhookUrl: endpoint.url });
  return { ...started, ...started.emulator, endpoint };
}

test('The official client accepts a signed delivery, and refuses an altered one', async () => {
  const { stripe, endpoint } = await startDelivering();
  const paid = await pay(stripe);
  await untilDelivered(stripe);
  const delivery = endpoint.received.find(({ event }) => event.type === 'payment_intent.succeeded');
  const signature = String(delivery?.headers['stripe-signature']);
  const body = delivery?.body ?? '';
  const event = await stripe.webhooks.constructEventAsync(body, signature, webhookSecret);
  expect(event.data.object).toMatchObject({ id: paid.id, status: 'succeeded' });
  const altered = body.replace('49900', '1');
  await expect(stripe.webhooks.constructEventAsync(altered, signature, webhookSecret)).rejects.toThrow();
  await expect(stripe.webhooks.constructEventAsync(body, signature, 'whsec_other')).rejects.toThrow();
});

test('Every change of a payment has its event', async () => {
  const { controls, stripe, endpoint } = await startDelivering();
  const paid = await pay(stripe);
  await stripe.refunds.create({ payment_intent: paid.id });
  await refusalOf(pay(stripe, 'pm_card_chargeDeclined'));
  const waiting = await pay(stripe, 'pm_card_authenticationRequired');
  await stripe.paymentIntents.cancel(waiting.id);
  const processing = await pay(stripe, 'pm_card_processing');
  controls.settlePayment({ paymentIntent: processing.id });
  await untilDelivered(stripe);
  const counts = Object.groupBy(endpoint.types(), (type) => type);
  expect(Object.fromEntries(Object.entries(counts).map(([type, all]) => [type, all?.length]))).toEqual({
    'payment_intent.created': 4,
    'payment_intent.succeeded': 2,
    'payment_intent.payment_failed': 1,
    'payment_intent.requires_action': 1,
    'payment_intent.canceled': 1,
    'payment_intent.processing': 1,
    'charge.succeeded': 2,
    'charge.failed': 1,
    'charge.refunded': 1,
    'refund.created': 1,
  });
});

test('A delivery is repeated until it is accepted', async () => {
  const { stripe, endpoint } = await startDelivering([302]);
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
