import { expect, test } from 'vitest';
import { renderMail, type MailContent } from '../mail/layout.ts';
import {
  orderPaidMail,
  orderPlacedForCustomerMail,
  orderPlacedMail,
  orderRefundedMail,
  orderReminderMail,
  payerReceiptMail,
  payLinkMail,
} from './mails.ts';
import type { NewOrderRecord } from './schema.ts';

const order = {
  _id: '0190a000-0000-7000-8000-000000000001',
  packageName: 'Basic',
  displayName: '',
  billing: 'once',
  priceCents: 49_900,
  customerName: 'Ann',
  orderDay: '2027-04-09',
  transactionId: '',
  subscriptionId: null,
  couponCode: '',
  discountCents: 0,
} as NewOrderRecord;
const render = (mail: MailContent) => renderMail(mail, { name: 'Acme', accent: '#1a4fd6' });
const path = `/order/${order._id}`;

test.each([
  ['signs up', '', `https://site.test/register?next=${encodeURIComponent(path)}`],
  ['logs in', 'an account', `https://site.test${path}`],
])('A customer for whom staff placed an order %s by a link that leads to it', (_, accountId, link) => {
  const { text, html } = render(orderPlacedForCustomerMail('https://site.test', { ...order, accountId }));
  expect(text).toContain(`(${link})`);
  expect(html).toContain(`href="${link}"`);
});

test.each([
  ['a coupon', 'SPRING', 'Coupon: SPRING, $100 off'],
  ['a discount by staff', '', 'Discount: $100 off'],
])('The receipt of a payer shows the price before %s', (_, couponCode, line) => {
  const payment = { amountCents: 49_900, paidOn: '04/09/2027', paidWith: '' };
  const discounted = { ...order, couponCode, discountCents: 10_000 };
  const { text } = render(payerReceiptMail('https://site.test', discounted, payment, undefined));
  expect(text).toContain('Price: $599');
  expect(text).toContain(line);
});

test('A customer whose month is refunded gets a link to the subscription, which may have ended', () => {
  const part = { _id: order._id, amountCents: 49_900, note: '', isLast: true, isOutside: false } as const;
  const textFor = (subscriptionId: string | null) =>
    render(orderRefundedMail('https://site.test', { ...order, subscriptionId }, part)).text;
  expect(textFor(order._id)).toContain(`(https://site.test/subscription/${order._id})`);
  expect(textFor(order._id)).not.toContain('continues');
  expect(textFor(null)).not.toContain('subscription');
});

test.each([orderPlacedMail, orderPlacedForCustomerMail, payLinkMail, orderReminderMail])(
  'Each email that asks for the first payment of a monthly package says that it renews, and its full price',
  (write) => {
    const textFor = (billing: 'once' | 'monthly') =>
      render(write('https://site.test', { ...order, billing, couponCode: 'CARE', discountCents: 5_000 }))
        .text;
    expect(textFor('monthly')).toContain('Your card will be charged every month until you cancel.');
    expect(textFor('monthly')).toContain('CARE, $50 off the price of $549 per month');
    expect(textFor('once')).not.toContain('month');
  },
);

test('After the payment, a customer without an account reads how to see the receipt', () => {
  const textFor = (accountId: string) =>
    render(orderPaidMail('https://site.test', { ...order, accountId }, 'work', null)).text;
  expect(textFor('')).toContain('To see your receipt and where your order stands, sign up');
  expect(textFor('an account')).not.toContain('sign up');
});
