import { expect, test } from 'vitest';
import { apiVersion } from './objects.ts';
import { refusalOf, secretKey, startTestEmulator } from './testing.ts';

const params = { amount: 500, currency: 'usd' };
const declinedPayment = {
  ...params,
  payment_method: 'pm_card_chargeDeclined',
  allowed_payment_method_types: ['card'],
  confirm: true,
};

test('The same key with the same parameters always gets the first answer', async () => {
  const { stripe } = await startTestEmulator();
  const first = await stripe.paymentIntents.create(params, { idempotencyKey: 'a' });
  const again = await stripe.paymentIntents.create(params, { idempotencyKey: 'a' });
  expect(again.id).toBe(first.id);
  expect(first.lastResponse.headers['idempotent-replayed']).toBeUndefined();
  expect(again.lastResponse.headers['idempotent-replayed']).toBe('true');
  expect((await stripe.paymentIntents.list()).data).toHaveLength(1);
});

test('A decline is repeated for its key', async () => {
  const { stripe } = await startTestEmulator();
  const first = await refusalOf(stripe.paymentIntents.create(declinedPayment, { idempotencyKey: 'a' }));
  const again = await refusalOf(stripe.paymentIntents.create(declinedPayment, { idempotencyKey: 'a' }));
  expect(again).toMatchObject({ statusCode: 402, payment_intent: { id: first.payment_intent?.id } });
  expect(again.headers?.['idempotent-replayed']).toBe('true');
});

test('A failure of Stripe is repeated for its key', async () => {
  const { emulator, stripe } = await startTestEmulator();
  emulator.controls.planFault({ kind: 'error-before', method: 'POST' });
  for (let attempt = 0; attempt < 2; attempt += 1)
    expect(await refusalOf(stripe.paymentIntents.create(params, { idempotencyKey: 'a' }))).toMatchObject({
      type: 'StripeAPIError',
      statusCode: 500,
    });
  await stripe.paymentIntents.create(params, { idempotencyKey: 'b' });
});

test('A call whose answer was lost is found again by its key', async () => {
  const { emulator, stripe } = await startTestEmulator();
  emulator.controls.planFault({ kind: 'disconnect-after' });
  // Not with the official client, which would retry by itself.
  const lost = fetch(`${emulator.url}/v1/payment_intents`, {
    method: 'POST',
    body: new URLSearchParams({ amount: '500', currency: 'usd' }),
    headers: {
      Authorization: `Bearer ${secretKey}`,
      'Idempotency-Key': 'a',
      'Stripe-Version': apiVersion,
    },
  });
  await expect(lost).rejects.toThrow();
  const found = await stripe.paymentIntents.create(params, { idempotencyKey: 'a' });
  expect((await stripe.paymentIntents.list()).data.map(({ id }) => id)).toEqual([found.id]);
});

test('A key that is in use is refused, and answered once its call is done', async () => {
  const { emulator, stripe } = await startTestEmulator();
  emulator.controls.planFault({ kind: 'hold', method: 'POST' });
  const calls = [0, 1].map(() => stripe.paymentIntents.create(params, { idempotencyKey: 'a' }));
  const refusal = await refusalOf(Promise.race(calls));
  expect(refusal).toMatchObject({ statusCode: 409, code: 'idempotency_key_in_use' });
  await stripe.paymentIntents.create(params, { idempotencyKey: 'b' });
  emulator.controls.clearFaults();
  const made = await Promise.any(calls);
  const again = await stripe.paymentIntents.create(params, { idempotencyKey: 'a' });
  expect(again.id).toBe(made.id);
  expect(again.lastResponse.headers['idempotent-replayed']).toBe('true');
});

test('A key cannot be used for anything else', async () => {
  const { stripe } = await startTestEmulator();
  const { id } = await stripe.paymentIntents.create(params, { idempotencyKey: 'a' });
  const otherParams = stripe.paymentIntents.create({ ...params, amount: 600 }, { idempotencyKey: 'a' });
  const refusal = await refusalOf(otherParams);
  expect(refusal).toMatchObject({ type: 'StripeIdempotencyError', statusCode: 400 });
  expect(refusal.message).toContain('can only be used with the same parameters they were first used with');
  const otherCall = stripe.paymentIntents.cancel(id, {}, { idempotencyKey: 'a' });
  expect(await refusalOf(otherCall)).toMatchObject({ type: 'StripeIdempotencyError' });
});

test('Invalid parameters leave the key free', async () => {
  const { stripe } = await startTestEmulator();
  await refusalOf(stripe.paymentIntents.create({ ...params, amount: 1 }, { idempotencyKey: 'a' }));
  const created = await stripe.paymentIntents.create(params, { idempotencyKey: 'a' });
  expect(created.amount).toBe(500);
});
