import { expect, test } from 'vitest';
import * as z from 'zod';
import { fieldErrorsOf } from './problem.ts';

test('An invalid field with the name of a built-in property is reported like any other field', () => {
  const sent: unknown = JSON.parse('{"__proto__": 1, "constructor": 2}');
  const errors = fieldErrorsOf(z.strictObject({}).safeParse(sent));
  expect(Object.keys(errors).toSorted()).toEqual(['__proto__', 'constructor']);
});
