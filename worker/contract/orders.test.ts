import { expect, test } from 'vitest';
import { newOrder } from './orders.calls.ts';
import { isOpen, displayStatusOf } from './orders.ts';

test('The payment status of an order takes precedence, and an order is open until it is paid and delivered, cancelled or refunded', () => {
  for (const [paymentStatus, orderStatus, word, open] of [
    ['UnPaid', 'Delivered', 'Awaiting payment', true],
    ['Paid', 'Pending', 'In progress', true],
    ['Paid', 'Delivered', 'Delivered', false],
    ['Cancelled', 'Delivered', 'Cancelled', false],
    ['Refunded', 'Pending', 'Refunded', false],
  ] as const) {
    expect(displayStatusOf({ paymentStatus, orderStatus })).toBe(word);
    expect(isOpen({ paymentStatus, orderStatus })).toBe(open);
  }
});

test('An order can be placed with any email that an account can have, even a short one from Google', () => {
  const order = {
    packageName: 'Basic',
    packagePrice: '499',
    customerName: 'Jo',
    customerAddress: '1 Main Street',
    customerCountry: 'United States',
  };
  const emails = ['jo@hp.io', 'ann@lender.example', 'jo', 'jo@hpio'];
  const accepted = emails.map((customerEmail) => newOrder.safeParse({ ...order, customerEmail }).success);
  expect(accepted).toEqual([true, true, false, false]);
});
