import type Stripe from 'stripe';
import { expect, test } from 'vitest';
import { chargedAt } from './settle.ts';

test('The time of a payment is the time of its charge, or of its PaymentIntent if the charge is only an id', () => {
  const taken = (charge: unknown) =>
    chargedAt({ created: 1_000, latest_charge: charge } as Stripe.PaymentIntent);
  expect(taken({ created: 2_000 })).toBe(2_000_000);
  expect(taken('ch_1')).toBe(1_000_000);
  expect(taken(null)).toBe(1_000_000);
});
