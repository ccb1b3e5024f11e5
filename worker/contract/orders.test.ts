import { expect, test } from 'vitest';
import { newOrder } from './orders.calls.ts';
import { isOpen, displayStatusOf } from './orders.ts';

test('An order is named by its payment, then its delivery, and is open until it is both paid and delivered, or ended', () => {
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
