/** The forms of settings check without zod, so they must agree with the schemas of the server. */
import { expect, test } from 'vitest';
import { memberChange } from '#contract/accounts.calls.ts';
import { newPaymentKey } from '#contract/payments.calls.ts';
import { fieldErrorsOf } from '#contract/problem.ts';
import { keyErrors } from './key-field.tsx';
import { memberErrors } from './member-fields.tsx';

test.each(['', ' ', 'pk_test_', 'pk_test_a1', ' pk_live_b2 ', 'sk_test_c3', 'RK_live_d4', 'pk_other_e5'])(
  'The form of the payment key has the errors of the server: %j',
  (stripeKey) => {
    expect(keyErrors({ stripeKey })).toEqual(fieldErrorsOf(newPaymentKey.safeParse({ stripeKey })));
  },
);

test.each([
  ...[
    ['', ''],
    [' ', 'Admin'],
    ['ann@firm.example', 'Owner'],
    ['ann@firm.example', 'Editor'],
  ],
  ...[
    [' ann@firm.example\u200b', 'User'],
    ['a@b.cc', 'Support'],
    ['ann@firm', 'Admin'],
  ],
])('The form of a user has the errors of the server: %j, %j', (userEmail = '', userRole = '') => {
  const values = { userEmail, userRole };
  expect(memberErrors(values)).toEqual(fieldErrorsOf(memberChange.safeParse(values)));
});
