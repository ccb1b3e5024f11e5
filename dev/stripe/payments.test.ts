/** What the stand-in refuses as Stripe does, and what happens by itself: tests of the product show the rest of a payment's life. */
import Stripe from 'stripe';
import { describe, expect, test } from 'vitest';
import { apiVersion } from './objects.ts';
import { balanceOf, chargeIdOf, eventTypes, pay, refusalOf, startTestEmulator } from './testing.ts';

const card = (number: string, details: Partial<Stripe.PaymentMethodCreateParams.Card> = {}) => ({
  type: 'card' as const,
  card: { number, exp_month: 12, exp_year: 2040, cvc: '123', ...details },
});

test('The emulator speaks the API version of the installed client', () => {
  expect(apiVersion).toBe(Stripe.API_VERSION);
});

describe('An impossible card makes no payment method', () => {
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

test('A canceled payment cannot be confirmed', async () => {
  const { stripe } = await startTestEmulator();
  const { id } = await stripe.paymentIntents.create({ amount: 500, currency: 'usd' });
  await stripe.paymentIntents.cancel(id);
  expect(
    await refusalOf(stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' })),
  ).toMatchObject({ code: 'payment_intent_unexpected_state', payment_intent: { status: 'canceled' } });
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

test('A pending refund succeeds after a while', async () => {
  const { stripe } = await startTestEmulator({ processingMs: 20 });
  const { id } = await pay(stripe, 'pm_card_pendingRefund');
  const refund = await stripe.refunds.create({ payment_intent: id });
  expect(refund).toMatchObject({ status: 'pending', amount: 49_900 });
  await expect.poll(async () => (await stripe.refunds.retrieve(refund.id)).status).toBe('succeeded');
  expect(await eventTypes(stripe, 3)).toEqual(['refund.created', 'charge.refunded', 'refund.updated']);
});

test('A refund that had succeeded fails after a while, and the payment can be refunded again', async () => {
  const { stripe } = await startTestEmulator({ processingMs: 20 });
  const paid = await pay(stripe, 'pm_card_refundFail');
  const refund = await stripe.refunds.create({ payment_intent: paid.id });
  expect(refund.status).toBe('succeeded');
  await expect.poll(async () => (await stripe.refunds.retrieve(refund.id)).status).toBe('failed');
  expect(await stripe.refunds.retrieve(refund.id)).toMatchObject({
    failure_reason: 'expired_or_canceled_card',
  });
  expect(await stripe.charges.retrieve(chargeIdOf(paid))).toMatchObject({
    amount_refunded: 0,
    refunded: false,
  });
  expect((await eventTypes(stripe, 5)).slice(0, 2)).toEqual(['refund.updated', 'refund.failed']);
  expect(await balanceOf(stripe)).toBe(49_900);
  expect(await stripe.refunds.create({ payment_intent: paid.id })).toMatchObject({ amount: 49_900 });
});

test('An inquiry withdraws nothing, and its payment can be refunded', async () => {
  const { emulator, stripe } = await startTestEmulator();
  const paid = await pay(stripe, 'pm_card_createDisputeInquiry');
  const disputeNow = async () => (await stripe.disputes.list({ payment_intent: paid.id })).data[0];
  expect(await disputeNow()).toMatchObject({
    status: 'warning_needs_response',
    balance_transactions: [],
    payment_method_details: { card: { case_type: 'inquiry' } },
  });
  await stripe.refunds.create({ payment_intent: paid.id, amount: 100 });
  emulator.controls.dispute({ paymentIntent: paid.id, outcome: 'won' });
  expect((await disputeNow())?.status).toBe('warning_closed');
  expect(await balanceOf(stripe)).toBe(49_800);
});
