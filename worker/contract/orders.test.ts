import { expect, test } from 'vitest';
import { newOrder } from './calls/orders.ts';
import { standingOf } from './orders.ts';

test('An order is called by its payment, and by its delivery once it is paid', () => {
  for (const [paymentStatus, orderStatus, word] of [
    ['UnPaid', 'Delivered', 'Awaiting payment'],
    ['Paid', 'Pending', 'In progress'],
    ['Paid', 'Delivered', 'Delivered'],
    ['Cancelled', 'Delivered', 'Cancelled'],
    ['Refunded', 'Pending', 'Refunded'],
  ] as const)
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
