import type Stripe from 'stripe';
import { expect, test } from 'vitest';
import { describePaymentMethod, walletOf } from './paid-with.ts';

const paidWith = (details: object | null) =>
  describePaymentMethod({ latest_charge: { payment_method_details: details } } as Stripe.PaymentIntent);
const card = { brand: 'visa', last4: '4242', wallet: null };

test('A receipt names the card, and the wallet that contained it', () => {
  expect(paidWith({ type: 'card', card })).toBe('Visa ending in 4242');
  expect(paidWith({ type: 'card', card: { ...card, brand: 'amex' } })).toBe(
    'American Express ending in 4242',
  );
  expect(paidWith({ type: 'card', card: { ...card, wallet: { type: 'apple_pay' } } })).toBe(
    'Apple Pay, Visa ending in 4242',
  );
  expect(paidWith({ type: 'card', card: { ...card, brand: 'a_new_brand' } })).toBe('Card ending in 4242');
  expect(paidWith({ type: 'link', link: {} })).toBe('Link');
});

test('Order lists name only the wallet', () => {
  const walletIn = (details: object | null) =>
    walletOf({ latest_charge: { payment_method_details: details } } as Stripe.PaymentIntent);
  expect(walletIn({ type: 'card', card: { ...card, wallet: { type: 'apple_pay' } } })).toBe('Apple Pay');
  expect(walletIn({ type: 'link', link: {} })).toBe('Link');
  for (const details of [
    { type: 'card', card },
    { type: 'card', card: { ...card, wallet: { type: 'new' } } },
    null,
  ])
    expect(walletIn(details)).toBe('');
});

test('The text contains only what Stripe reported', () => {
  expect(paidWith(null)).toBe('');
  expect(paidWith({ type: 'card', card: { ...card, last4: null } })).toBe('Visa');
  expect(paidWith({ type: 'us_bank_account' })).toBe('');
  for (const latest_charge of [null, 'ch_1'])
    expect(describePaymentMethod({ latest_charge } as Stripe.PaymentIntent)).toBe('');
});
