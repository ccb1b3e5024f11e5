import * as z from 'zod';
import { expect, test } from 'vitest';
import { fieldErrorsOf } from '#contract/problem.ts';
import { fieldMessage } from './field-messages.ts';

test('A field error names what to send, in words for people', () => {
  const schema = z.object({
    missing: z.array(z.string()),
    price: z.number(),
    files: z.array(z.string()).max(2),
    name: z.string().max(3),
    count: z.int().min(1),
    kind: z.enum(['text', 'choice']),
    id: z.uuid(),
    nested: z.array(z.object({ day: z.string() })),
    own: z.string().min(1, 'Name is Required'),
  });
  const sent = {
    price: '5',
    files: ['a', 'b', 'c'],
    name: 'long',
    count: 0,
    kind: 'x',
    id: 'x',
    nested: [{}],
    own: '',
  };
  expect(fieldErrorsOf(schema.safeParse(sent, { error: fieldMessage }))).toEqual({
    missing: 'This field is required.',
    price: 'Use a number.',
    files: 'Use at most 2 entries.',
    name: 'Use at most 3 characters.',
    count: 'Use at least 1.',
    kind: 'Use one of these: text, choice.',
    id: 'This value is not valid.',
    nested: 'This field is required.',
    own: 'Name is Required',
  });
});
