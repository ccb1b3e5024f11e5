/** What the mails about orders say. */
import { displayPrice } from '#contract/money.ts';
import { linkTo } from '#contract/screens.ts';
import { writeMail, type MailContent } from '../mail/layout.ts';
import type { OrderRecord } from './schema.ts';
import { displayDay } from './dates.ts';

type Told = Pick<
  OrderRecord,
  '_id' | 'packageName' | 'priceCents' | 'customerName' | 'orderDay' | 'transactionId'
>;

const facts = (order: Told): [string, string][] => [
  ['Package', order.packageName],
  ['Price', displayPrice(order.priceCents)],
  ['Ordered on', displayDay(order.orderDay)],
  ['Order', order._id],
];

const greeting = ({ customerName }: Told) => (customerName === '' ? 'Hello,' : `Hello ${customerName},`);

export const orderPlacedMail = (siteUrl: string, order: Told): MailContent =>
  writeMail({
    subject: `We have your order: ${order.packageName} package`,
    paragraphs: [greeting(order), 'Thank you for your order. It is waiting for your payment.'],
    facts: facts(order),
    action: { label: 'Pay now', href: siteUrl + linkTo('pay', order._id) },
    closing: ['You can also pay later: the order stays in your list of pending orders.'],
  });

export const orderPaidMail = (siteUrl: string, order: Told): MailContent =>
  writeMail({
    subject: `We have your payment: ${order.packageName} package`,
    paragraphs: [greeting(order), 'Your payment has arrived. Thank you! We are starting to work.'],
    facts: [
      ...facts(order),
      ...(order.transactionId === ''
        ? []
        : [['Transaction', order.transactionId] satisfies [string, string]]),
    ],
    action: { label: 'See your order', href: siteUrl + linkTo('myOrder', order._id) },
  });

export const orderCancelledMail = (siteUrl: string, order: Told): MailContent =>
  writeMail({
    subject: `Your order is cancelled: ${order.packageName} package`,
    paragraphs: [greeting(order), 'Your order is cancelled, and nothing was charged for it.'],
    facts: facts(order),
    action: { label: 'See the packages', href: siteUrl + linkTo('pricing') },
    closing: ['If you did not want this, place the order again or answer through our contact page.'],
  });

export const paymentRefundedMail = (siteUrl: string, order: Told): MailContent =>
  writeMail({
    subject: `We are returning your payment: ${order.packageName} package`,
    paragraphs: [
      greeting(order),
      'A card payment reached us that your order could not take, so we have returned it in full. Your bank may need five to ten days to show it.',
    ],
    facts: facts(order),
    action: { label: 'See your order', href: siteUrl + linkTo('myOrder', order._id) },
  });

/** Nothing in it was typed by a customer: the address may be nobody's that we know. */
export const orderDeliveredMail = (siteUrl: string, order: Told): MailContent =>
  writeMail({
    subject: `Your order is delivered: ${order.packageName} package`,
    paragraphs: ['Hello,', 'The work on your order is done.'],
    facts: facts(order),
    action: { label: 'See your order', href: siteUrl + linkTo('myOrder', order._id) },
    closing: ['If anything is missing or unclear, write to us through our contact page.'],
  });

/** Tells the business that an order is paid. */
export const paidOrderMail = (
  siteUrl: string,
  order: Told & Pick<OrderRecord, 'customerEmail' | 'customerCountry'>,
): MailContent =>
  writeMail({
    subject: `Order paid: ${order.packageName}, ${displayPrice(order.priceCents)}`,
    paragraphs: [
      order.transactionId === ''
        ? 'An order was set to Paid by hand. The work can begin.'
        : 'An order was paid by card. The work can begin.',
    ],
    facts: [
      ...facts(order),
      ['Customer', order.customerName],
      ['Email', order.customerEmail],
      ['Country', order.customerCountry],
    ],
    action: { label: 'Open the order', href: siteUrl + linkTo('order', order._id) },
  });

/**
 * Tells the business of new orders that are not paid yet.
 * @param listed the first of them
 * @param count how many there are in all
 */
export const unpaidOrdersMail = (
  siteUrl: string,
  listed: readonly (Told & Pick<OrderRecord, 'customerEmail'>)[],
  count: number,
): MailContent =>
  writeMail({
    subject:
      count === 1 ? '1 new order is waiting for payment' : `${count} new orders are waiting for payment`,
    paragraphs: [
      'They came in since the last mail of this kind. You get another mail when one of them is paid.',
    ],
    facts: listed.map((order) => [
      `${order.packageName}, ${displayPrice(order.priceCents)}`,
      `${order.customerName}, ${order.customerEmail}, order ${order._id}`,
    ]),
    action: { label: 'See all orders', href: siteUrl + linkTo('orders') },
    ...(count > listed.length && { closing: [`And ${count - listed.length} more.`] }),
  });
