import { describe, expect, test } from 'vitest';
import { connectStripe, pay, publishableKey, refusalOf, secretKey, startTestEmulator } from './testing.ts';

test('Lists are newest first, in pages, and can be filtered by date', async () => {
  const { stripe } = await startTestEmulator();
  const ids: string[] = [];
  for (let index = 0; index < 5; index += 1)
    ids.unshift((await stripe.paymentIntents.create({ amount: 500 + index, currency: 'usd' })).id);
  const first = await stripe.paymentIntents.list({ limit: 2 });
  expect([first.data.map(({ id }) => id), first.has_more]).toEqual([ids.slice(0, 2), true]);
  const last = await stripe.paymentIntents.list({ limit: 2, starting_after: ids[2] ?? '' });
  expect([last.data.map(({ id }) => id), last.has_more]).toEqual([ids.slice(3), false]);
  const all = await stripe.paymentIntents.list({ limit: 2 }).autoPagingToArray({ limit: 100 });
  expect(all.map(({ id }) => id)).toEqual(ids);
  const now = Math.floor(Date.now() / 1000);
  expect((await stripe.paymentIntents.list({ created: { gte: now - 60 } })).data).toHaveLength(5);
  expect((await stripe.paymentIntents.list({ created: { gte: now + 60 } })).data).toHaveLength(0);
  expect(await refusalOf(stripe.paymentIntents.list({ starting_after: 'pi_none' }))).toMatchObject({
    code: 'resource_missing',
  });
});

describe('A malformed call is refused and changes nothing', () => {
  test.each([
    ['an amount below the minimum', { amount: 49, currency: 'usd' }, 'amount_too_small', 'amount'],
    ['half a cent', { amount: 99.5, currency: 'usd' }, 'parameter_invalid_integer', 'amount'],
    [
      'a misspelled parameter',
      { amount: 500, currency: 'usd', metdata: 'x' },
      'parameter_unknown',
      'metdata',
    ],
  ])('%s', async (_, params, code, param) => {
    const { stripe } = await startTestEmulator();
    const refusal = await refusalOf(stripe.rawRequest('POST', '/v1/payment_intents', params));
    expect(refusal).toMatchObject({ type: 'StripeInvalidRequestError', statusCode: 400, param });
    expect(refusal.code).toBe(code);
    expect((await stripe.paymentIntents.list()).data).toHaveLength(0);
  });
});

test('An unknown id is 404, and so is an unknown call', async () => {
  const { stripe } = await startTestEmulator();
  expect(await refusalOf(stripe.paymentIntents.retrieve('pi_none'))).toMatchObject({
    statusCode: 404,
    code: 'resource_missing',
    message: "No such payment_intent: 'pi_none'",
  });
  expect(await refusalOf(stripe.payouts.list())).toMatchObject({ statusCode: 404 });
});

test('A key is checked before anything else', async () => {
  const { emulator, stripe } = await startTestEmulator();
  expect(await stripe.events.list()).toMatchObject({ object: 'list', data: [] });
  const stranger = connectStripe(emulator.port, 'sk_test_somebody_else');
  const refusal = await refusalOf(stranger.events.list());
  expect(refusal).toMatchObject({ type: 'StripeAuthenticationError', statusCode: 401 });
  expect(refusal.message).not.toContain('somebody');
  expect((await fetch(`${emulator.url}/v1/events`)).status).toBe(401);
});

test('A restricted key can do what its permissions allow, and a refusal names the one that is missing', async () => {
  const restrictedKeys = { rk_test_emulator: ['payment_intent_write', 'event_read'] };
  const { emulator, stripe } = await startTestEmulator({ restrictedKeys });
  const restricted = connectStripe(emulator.port, 'rk_test_emulator');
  const paid = await pay(restricted);
  expect((await restricted.events.list()).data).toHaveLength(3);
  expect(await restricted.paymentIntents.retrieve(paid.id)).toMatchObject({ id: paid.id });
  const refusal = await refusalOf(restricted.refunds.create({ payment_intent: paid.id }));
  expect(refusal).toMatchObject({ type: 'StripePermissionError', statusCode: 403 });
  expect((await stripe.refunds.list()).data).toEqual([]);
  for (const [permission, call] of [
    ['refund_write', () => restricted.refunds.create({ payment_intent: paid.id })],
    ['radar_early_fraud_warning_read', () => restricted.radar.earlyFraudWarnings.list()],
    ['customer_portal_write', () => restricted.billingPortal.sessions.create({ customer: 'cus_1' })],
    ['webhook_read', () => restricted.webhookEndpoints.list()],
  ] as const)
    expect((await refusalOf(call())).message).toContain(`Having the 'rak_${permission}' permission`);
  const expand = ['latest_charge.balance_transaction'];
  expect((await refusalOf(restricted.paymentIntents.retrieve(paid.id, { expand }))).message).toContain(
    "Having the 'rak_balance_transaction_source_read' permission",
  );
  expect(await stripe.paymentIntents.retrieve(paid.id, { expand })).toMatchObject({
    latest_charge: { balance_transaction: { amount: 49_900, fee: 1_477, net: 48_423 } },
  });
});

test('A call for another version of the API is refused', async () => {
  const { emulator } = await startTestEmulator();
  for (const version of [undefined, '2025-09-30.clover']) {
    const headers = { Authorization: `Bearer ${secretKey}`, ...(version && { 'Stripe-Version': version }) };
    expect((await fetch(`${emulator.url}/v1/events`, { headers })).status).toBe(400);
  }
});

test('A seventeenth endpoint is refused', async () => {
  const { stripe } = await startTestEmulator();
  const create = () =>
    stripe.webhookEndpoints.create({ url: 'https://site.example/', enabled_events: ['*'] });
  for (let count = 0; count < 16; count += 1) await create();
  const refusal = await refusalOf(create());
  expect(refusal.message).toBe('You have reached the maximum of 16 test webhook endpoints.');
});

test('A browser sees an intent only with its client secret, and never the metadata', async () => {
  const { emulator, stripe } = await startTestEmulator();
  const intent = await stripe.paymentIntents.create({
    amount: 500,
    currency: 'usd',
    metadata: { note: 'ours' },
  });
  const ask = (path: string) =>
    fetch(`${emulator.url}${path}`, { headers: { Authorization: `Bearer ${publishableKey}` } });
  const path = `/v1/payment_intents/${intent.id}`;
  expect((await ask(path)).status).toBe(400);
  expect((await ask(`${path}?client_secret=${intent.id}_secret_guess`)).status).toBe(400);
  const shown = await ask(`${path}?client_secret=${intent.client_secret}`);
  expect(shown.headers.get('access-control-allow-origin')).toBe('*');
  const seen: unknown = await shown.json();
  expect(seen).toMatchObject({ id: intent.id, amount: 500 });
  expect(seen).not.toHaveProperty('metadata');
  expect((await ask('/v1/payment_intents')).status).toBe(403);
});
