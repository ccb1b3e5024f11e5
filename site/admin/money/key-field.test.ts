/** The form validates without zod, so it must agree with the server's schema. */
import { expect, test } from 'vitest';
import { newPaymentKey } from '#contract/payments.calls.ts';
import { fieldErrorsOf } from '#contract/problem.ts';
import { keyErrors } from './key-field.tsx';

test.each(['', ' ', 'pk_test_', 'pk_test_a1', ' pk_live_b2 ', 'sk_test_c3', 'RK_live_d4', 'pk_other_e5'])(
  'The payment key form shows the same errors as the server: %j',
  (stripeKey) => {
    expect(keyErrors({ stripeKey })).toEqual(fieldErrorsOf(newPaymentKey.safeParse({ stripeKey })));
  },
);
