import type Stripe from 'stripe';
import { expect, test } from 'vitest';
import { feeOf } from './ledger.ts';
import type { NewPayment } from './schema.ts';

test.each([
  ['has an entry', { fee: 30, currency: 'usd' }, -30],
  ['of nothing has none', { fee: 0, currency: 'usd' }, undefined],
  ['in another currency has none', { fee: 30, currency: 'eur' }, undefined],
  ['that Stripe has not reported yet has none', 'txn_1', undefined],
])('A fee %s', (_, balance_transaction, amountCents) => {
  const intent = { id: 'pi_1', currency: 'usd', latest_charge: { balance_transaction } };
  const fee = feeOf({ orderId: '' } as NewPayment, intent as Stripe.PaymentIntent);
  expect(fee?.amountCents).toBe(amountCents);
});
