/** The form validates without zod, so it must agree with the server's schema. */
import { expect, test } from 'vitest';
import { memberChange } from '#contract/accounts.calls.ts';
import { fieldErrorsOf } from '#contract/problem.ts';
import { memberErrors } from './member-fields.tsx';

test.each([
  ['', ''],
  [' ', 'Admin'],
  ['ann@firm.example', 'Owner'],
  ['ann@firm.example', 'Editor'],
  [' ann@firm.example\u200b', 'User'],
  ['a@b.cc', 'Support'],
  ['ann@firm', 'Admin'],
])('The form of a user shows the same errors as the server: %j, %j', (userEmail, userRole) => {
  const values = { userEmail, userRole };
  expect(memberErrors(values)).toEqual(fieldErrorsOf(memberChange.safeParse(values)));
});
