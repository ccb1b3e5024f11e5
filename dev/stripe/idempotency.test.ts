import { expect, test } from 'vitest';
import { refusalOf, startTestEmulator } from './testing.ts';

const params = { amount: 500, currency: 'usd' };
const key = { idempotencyKey: 'a' };

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
