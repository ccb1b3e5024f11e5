import { describe, expect, test } from 'vitest';
import { apiVersion } from './objects.ts';
import { connectStripe, pay, publishableKey, refusalOf, startTestEmulator } from './testing.ts';

test('Lists come newest first, in pages, and by date', async () => {
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

test('Events say what happened, in order, and can be read again', async () => {
  const { stripe } = await startTestEmulator();
  const paid = await pay(stripe);
  const { data } = await stripe.events.list();
  expect(data.map(({ type }) => type).reverse()).toEqual([
    'payment_intent.created',
    'charge.succeeded',
    'payment_intent.succeeded',
  ]);
  const [latest] = data;
  expect(await stripe.events.retrieve(latest?.id ?? '')).toMatchObject({
    api_version: apiVersion,
    data: { object: { id: paid.id, status: 'succeeded' } },
  });
});

describe('A malformed call is refused and changes nothing', () => {
  test.each([
    ['an amount below the minimum', { amount: 49, currency: 'usd' }, 'amount_too_small', 'amount'],
    ['half a cent', { amount: 99.5, currency: 'usd' }, 'parameter_invalid_integer', 'amount'],
    [
      'the parameter that this version of the API no longer takes',
      { amount: 500, currency: 'usd', payment_method_types: ['card'] },
      'payment_method_types_no_longer_supported',
      'payment_method_types',
    ],
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
  expect(await refusalOf(stripe.customers.create())).toMatchObject({ statusCode: 404 });
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
