import { expect, test } from 'vitest';
import { standingOf } from './orders.ts';

test.each([
  ['UnPaid', 'Pending', 'Awaiting payment'],
  ['UnPaid', 'Delivered', 'Awaiting payment'],
  ['Paid', 'Pending', 'In progress'],
  ['Paid', 'Delivered', 'Delivered'],
  ['Cancelled', 'Pending', 'Cancelled'],
  ['Cancelled', 'Delivered', 'Cancelled'],
  ['Refunded', 'Pending', 'Refunded'],
  ['Refunded', 'Delivered', 'Refunded'],
] as const)('An order that is %s and %s is called %s', (paymentStatus, orderStatus, word) => {
  expect(standingOf({ paymentStatus, orderStatus })).toBe(word);
});
