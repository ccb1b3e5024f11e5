import { expect, test } from 'vitest';
import { refusalOf, secretKey, startTestEmulator } from './testing.ts';
import { apiVersion } from './objects.ts';

const params = { amount: 500, currency: 'usd' };
const key = { idempotencyKey: 'a' };
const declined = {
  ...params,
  payment_method: 'pm_card_chargeDeclined',
  allowed_payment_method_types: ['card' as const],
  confirm: true,
};

test('The same key with the same parameters always gets the first answer, a decline and a failure included', async () => {
  const { emulator, stripe } = await startTestEmulator();
  const first = await stripe.paymentIntents.create(params, key);
  const again = await stripe.paymentIntents.create(params, key);
  expect([again.id, again.lastResponse.headers['idempotent-replayed']]).toEqual([first.id, 'true']);
  expect((await stripe.paymentIntents.list()).data).toHaveLength(1);

  const decline = () => refusalOf(stripe.paymentIntents.create(declined, { idempotencyKey: 'b' }));
  const { payment_intent } = await decline();
  expect(await decline()).toMatchObject({ statusCode: 402, payment_intent: { id: payment_intent?.id } });

  emulator.controls.planFault({ kind: 'error-before', method: 'POST' });
  for (let attempt = 0; attempt < 2; attempt += 1)
    expect(await refusalOf(stripe.paymentIntents.create(params, { idempotencyKey: 'c' }))).toMatchObject({
      type: 'StripeAPIError',
      statusCode: 500,
    });
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
  const found = await stripe.paymentIntents.create(params, key);
  expect((await stripe.paymentIntents.list()).data.map(({ id }) => id)).toEqual([found.id]);
});

test('A key that is in use is refused, and answered once its call is done', async () => {
  const { emulator, stripe } = await startTestEmulator();
  emulator.controls.planFault({ kind: 'hold', method: 'POST' });
  const calls = [0, 1].map(() => stripe.paymentIntents.create(params, key));
  const refusal = await refusalOf(Promise.race(calls));
  expect(refusal).toMatchObject({ statusCode: 409, code: 'idempotency_key_in_use' });
  emulator.controls.clearFaults();
  const made = await Promise.any(calls);
  expect((await stripe.paymentIntents.create(params, key)).id).toBe(made.id);
});

test('A key cannot be used for anything else, and invalid parameters leave it free', async () => {
  const { stripe } = await startTestEmulator();
  await refusalOf(stripe.paymentIntents.create({ ...params, amount: 1 }, key));
  const { id } = await stripe.paymentIntents.create(params, key);
  for (const other of [
    stripe.paymentIntents.create({ ...params, amount: 600 }, key),
    stripe.paymentIntents.cancel(id, {}, key),
  ])
    expect(await refusalOf(other)).toMatchObject({ type: 'StripeIdempotencyError', statusCode: 400 });
});
