import { expect, test } from 'vitest';
import { newOrder } from './calls/orders.ts';
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

test('An order is placed with any email that an account can have, also a short one of Google’s', () => {
  const order = {
    packageName: 'Basic',
    packagePrice: '499',
    customerName: 'Jo',
    customerAddress: '1 Main Street',
    customerCountry: 'United States',
  };
  const emails = ['jo@hp.io', 'ann@lender.example', 'jo', 'jo@hpio'];
  const holds = emails.map((customerEmail) => newOrder.safeParse({ ...order, customerEmail }).success);
  expect(holds).toEqual([true, true, false, false]);
});
