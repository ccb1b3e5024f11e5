import Stripe from 'stripe';
import { describe, expect, test } from 'vitest';
import { apiVersion } from './objects.ts';
import { chargeIdOf, pay, refusalOf, startTestEmulator } from './testing.ts';

const card = (number: string, details: Partial<Stripe.PaymentMethodCreateParams.Card> = {}) => ({
  type: 'card' as const,
  card: { number, exp_month: 12, exp_year: 2040, cvc: '123', ...details },
});

test('The emulator speaks the API version of the installed client', () => {
  expect(apiVersion).toBe(Stripe.API_VERSION);
});

describe("A card is declined with Stripe's message", () => {
  test.each([
    ['4000000000000002', 'card_declined', 'generic_decline', 'Your card was declined.'],
    ['4000000000009995', 'card_declined', 'insufficient_funds', 'Your card has insufficient funds.'],
    ['4000000000000069', 'expired_card', 'expired_card', 'Your card has expired.'],
  ])('%s', async (number, code, decline_code, message) => {
    const { stripe } = await startTestEmulator();
    const method = await stripe.paymentMethods.create(card(number));
    const refusal = await refusalOf(pay(stripe, method.id));
    expect(refusal).toMatchObject({ type: 'StripeCardError', statusCode: 402, code, decline_code, message });
    expect(refusal.requestId).toMatch(/^req_/);

    const intent = await stripe.paymentIntents.retrieve(refusal.payment_intent?.id ?? '');
    expect(intent).toMatchObject({
      status: 'requires_payment_method',
      payment_method: null,
      last_payment_error: { code, message },
    });
    expect(await stripe.charges.retrieve(chargeIdOf(intent))).toMatchObject({
      paid: false,
      failure_code: code,
    });
    const retried = await stripe.paymentIntents.confirm(intent.id, { payment_method: 'pm_card_mastercard' });
    expect(retried).toMatchObject({ status: 'succeeded', last_payment_error: null });
  });
});

describe('An impossible card creates no payment method', () => {
  test.each([
    ['a wrong digit', card('4242424242424241'), 'incorrect_number'],
    ['a real card', card('4111111111111111'), 'card_declined'],
    ['a past year', card('4242424242424242', { exp_year: 2020 }), 'invalid_expiry_year'],
    ['a security code of another brand', card('378282246310005'), 'invalid_cvc'],
  ])('%s', async (_, params, code) => {
    const { stripe } = await startTestEmulator();
    const refusal = await refusalOf(stripe.paymentMethods.create(params));
    expect(refusal).toMatchObject({ statusCode: 402, rawType: 'card_error', code });
  });
});

test('A payment method pays once', async () => {
  const { stripe } = await startTestEmulator();
  const method = await stripe.paymentMethods.create(card('5555555555554444'));
  await pay(stripe, method.id);
  const refusal = await refusalOf(pay(stripe, method.id));
  expect(refusal).toMatchObject({ statusCode: 400 });
  expect(refusal.message).toContain('may not be used again');
});

test('A payment that another page may take over needs an address to return to', async () => {
  const { stripe } = await startTestEmulator();
  const { id } = await stripe.paymentIntents.create({ amount: 500, currency: 'usd' });
  const refusal = await refusalOf(stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' }));
  expect(refusal.message).toContain('you must provide a `return_url`');
});
