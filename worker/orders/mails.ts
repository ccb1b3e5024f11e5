import { displayPrice, toPriceText } from '#contract/money.ts';
import { displayOrderNumber, unpaidOrderDays } from '#contract/orders.ts';
import { displayNameOf, displayPackagePrice, isMonthly } from '#contract/packages.ts';
import { linkTo } from '#contract/screens.ts';
import { displayDate } from '#contract/days.ts';
import type { contentTables } from '../db/content-tables.ts';
import { numberPlaceholder, type MailContent } from '../mail/layout.ts';
import type { NewOrderRecord, OrderRecord } from './schema.ts';

/** Without a number in the batch that creates the order, because that batch assigns it. */
type MailedOrder = NewOrderRecord & Partial<Pick<OrderRecord, 'number'>>;

/** The price of an order, and whether it is paid every month. */
const displayOrderPrice = (order: MailedOrder): string =>
  displayPackagePrice({ ...order, packagePrice: toPriceText(order.priceCents) });

export const orderFacts = (order: MailedOrder): [string, string][] => [
  ['Package', displayNameOf(order)],
  ['Order', order.number === undefined ? `#${numberPlaceholder}` : displayOrderNumber(order.number)],
];

/** The discount by a coupon or by the staff. */
const discountFact = ({ couponCode }: MailedOrder, off: string): [string, string] =>
  couponCode === '' ? ['Discount', off] : ['Coupon', `${couponCode}, ${off}`];

function facts(order: MailedOrder): [string, string][] {
  const { discountCents, priceCents } = order;
  const listPrice = `${displayPrice(priceCents + discountCents)}${isMonthly(order) ? ' per month' : ''}`;
  const off = `${displayPrice(discountCents)} off the price of ${listPrice}`;
  return [
    ...orderFacts(order),
    ['Price', displayOrderPrice(order)],
    ...(discountCents === 0 ? [] : [discountFact(order, off)]),
    ['Ordered on', displayDate(order.orderDay)],
  ];
}

/** What a customer must know before paying for a monthly package. */
const renewalNote = (order: MailedOrder): string =>
  isMonthly(order) ? 'Your card will be charged every month until you cancel.' : '';

const writeToUs = (siteUrl: string): string =>
  `write to us through our contact page (${siteUrl}${linkTo('contact')})`;

/** The greeting of an email to a customer. Emails to unverified addresses do not contain the name. */
export const greeting = ({ customerName }: MailedOrder): string =>
  customerName === '' ? 'Hello,' : `Hello ${customerName},`;

/** The parts that all emails to the customer of an order have. */
const toCustomer = (order: MailedOrder, subject: string, paragraphs: readonly string[]): MailContent => ({
  subject: `${subject}: ${displayNameOf(order)} package`,
  paragraphs: [greeting(order), ...paragraphs],
  facts: facts(order),
});

export const orderPlacedMail = (siteUrl: string, order: MailedOrder): MailContent => ({
  ...toCustomer(order, 'We received your order', [
    'Thank you for your order. We will start work as soon as it is paid.',
  ]),
  action: { label: 'Pay now', href: siteUrl + linkTo('pay', order._id) },
  closing: [
    renewalNote(order),
    `You can also pay later, within ${unpaidOrderDays} days. Until then, you will find the order in your account, under Pending.`,
  ],
});

/** How a customer finds an order that staff placed. After signing up, they see it once their email is verified. */
function wayToOrder(siteUrl: string, { _id, accountId }: MailedOrder): string {
  const path = linkTo('myOrder', _id);
  return accountId === ''
    ? `sign up with this email address and verify it (${siteUrl}${linkTo('register')}?next=${encodeURIComponent(path)})`
    : `log in (${siteUrl}${path})`;
}

/** For a customer whose order staff placed. The customer may have no account. */
export const orderPlacedForCustomerMail = (siteUrl: string, order: MailedOrder): MailContent => ({
  ...toCustomer(order, 'We placed an order for you', [
    'We placed this order for you. We will start work as soon as it is paid. You can pay by card, without an account.',
  ]),
  action: { label: 'Pay now', href: siteUrl + linkTo('pay', order._id) },
  closing: [
    renewalNote(order),
    `To see where your order stands, ${wayToOrder(siteUrl, order)}.`,
    'If you did not expect this order, you can ignore this email. You will not be charged.',
  ],
});

export const payLinkMail = (siteUrl: string, order: MailedOrder): MailContent => ({
  ...toCustomer(order, 'Your payment link', [
    order.orderStatus === 'Delivered'
      ? 'We delivered your order, but we have not received your payment yet. You can pay by card, without an account.'
      : 'Here is the payment link for your order. We will start work as soon as it is paid. You can pay by card, without an account.',
  ]),
  action: { label: 'Pay now', href: siteUrl + linkTo('pay', order._id) },
  closing: [
    renewalNote(order),
    `To see where your order stands, ${wayToOrder(siteUrl, order)}.`,
    `If you already paid another way, ${writeToUs(siteUrl)}.`,
  ],
});

export const orderReminderMail = (siteUrl: string, order: MailedOrder): MailContent => {
  const isDelivered = order.orderStatus === 'Delivered';
  return {
    ...toCustomer(order, 'Your order is waiting for your payment', [
      isDelivered
        ? 'We delivered your order, but we have not received your payment yet.'
        : 'We received your order, and we will start work as soon as it is paid.',
    ]),
    action: { label: 'Pay now', href: siteUrl + linkTo('pay', order._id) },
    closing: [
      renewalNote(order),
      isDelivered
        ? `If you already paid another way, or if something is missing, ${writeToUs(siteUrl)}.`
        : `If you no longer want it, you do not need to do anything: we will cancel it ${unpaidOrderDays} days after you placed it. We will not remind you again.`,
    ],
  };
};

/** For an order that the site cancelled because it was not paid. */
export const orderExpiredMail = (siteUrl: string, order: MailedOrder): MailContent => ({
  ...toCustomer(order, 'Your order is cancelled', [
    `Your order was not paid within ${unpaidOrderDays} days, so we cancelled it. You were not charged.`,
  ]),
  action: { label: 'See the packages', href: siteUrl + linkTo('pricing') },
  closing: ['If you still want the package, you can order it again at any time.'],
});

/**
 * What comes after a payment: nothing (the work was already delivered), our questions for the customer, or the work.
 */
export type AfterPayment = 'delivered' | 'questions' | 'work';

const afterPayment: Readonly<Record<AfterPayment, readonly string[]>> = {
  delivered: [
    'We received your payment. Thank you! Your order has already been delivered, so there is nothing left to do.',
  ],
  questions: [
    'We received your payment. Thank you!',
    'There is one thing to do next: please answer a few questions about your business, so that we can begin.',
  ],
  work: ['We received your payment. Thank you! We are starting work on your order.'],
};

/** @param renewal for a monthly package, sentences about the next payment; otherwise null */
export const orderPaidMail = (
  siteUrl: string,
  order: MailedOrder,
  next: AfterPayment,
  renewal: string | null,
): MailContent => ({
  ...toCustomer(order, 'We received your payment', afterPayment[next]),
  facts: [
    ...facts(order),
    ['Transaction', order.transactionId],
    ['Receipt', 'See your receipt', siteUrl + linkTo('receipt', order._id)],
  ],
  action:
    next === 'questions'
      ? { label: 'Answer the questions', href: siteUrl + linkTo('orderBrief', order._id) }
      : { label: 'See your order', href: siteUrl + linkTo('myOrder', order._id) },
  closing: [
    renewal !== null && order.subscriptionId !== null
      ? `${renewal} To pause or cancel, open your subscription (${siteUrl}${linkTo('subscription', order.subscriptionId)}).`
      : '',
    order.accountId === ''
      ? `To see your receipt and where your order stands, ${wayToOrder(siteUrl, order)}.`
      : '',
  ],
});

/** What a payer paid, when and how. */
interface MailedPayment {
  readonly amountCents: number;
  /** MM/DD/YYYY */
  readonly paidOn: string;
  /** For example, 'Visa ending in 4242'; empty if Stripe did not say. */
  readonly paidWith: string;
}

/** The receipt for a payer who is not the customer. It contains only texts that staff wrote. */
export const payerReceiptMail = (
  siteUrl: string,
  order: MailedOrder,
  { amountCents, paidOn, paidWith }: MailedPayment,
  seller: typeof contentTables.businessDetails.$inferSelect | undefined,
): MailContent => {
  const { discountCents } = order;
  return {
    subject: `Your receipt: ${displayNameOf(order)} package`,
    paragraphs: ['Hello,', 'We received your payment. Thank you! This email is your receipt.'],
    facts: [
      ...orderFacts(order),
      ['Price', discountCents === 0 ? '' : displayPrice(amountCents + discountCents)],
      discountFact(order, discountCents === 0 ? '' : `${displayPrice(discountCents)} off`),
      ['Paid', displayPrice(amountCents)],
      ['Paid on', paidOn],
      ['Paid with', paidWith],
      ['Transaction', order.transactionId],
      ['Sold by', seller?.legalName ?? ''],
      ['Address', seller?.postalAddress ?? ''],
      ['Tax number', seller?.taxNumber ?? ''],
      ['Registration', seller?.registration ?? ''],
    ],
    closing: [
      seller?.receiptNote ?? '',
      'The customer who placed the order will hear from us about the work. You do not need to do anything else.',
      `You received this email because this address was entered for the receipt. If you have a question about it, ${writeToUs(siteUrl)}.`,
    ],
  };
};

export const orderCancelledMail = (siteUrl: string, order: MailedOrder): MailContent => ({
  ...toCustomer(order, 'Your order is cancelled', ['Your order is cancelled, and nothing was charged.']),
  action: { label: 'See the packages', href: siteUrl + linkTo('pricing') },
  closing: [`If this is a mistake, place the order again or ${writeToUs(siteUrl)}.`],
});

export const paymentRefundedMail = (siteUrl: string, order: MailedOrder): MailContent => ({
  ...toCustomer(order, 'We are refunding your payment', [
    'We received a card payment that your order could not accept, such as a second payment or one for a cancelled order. We are refunding it in full. Your bank may need five to ten days to show it.',
  ]),
  action: { label: 'See your order', href: siteUrl + linkTo('myOrder', order._id) },
});

interface ReturnedPart {
  readonly _id: string;
  readonly amountCents: number;
  readonly note: string;
  /** Whether the payment is fully refunded after this. */
  readonly isLast: boolean;
  /** Whether the order was paid outside Stripe, so that the refund is outside Stripe too. */
  readonly isOutside: boolean;
}

/** For a refund. An administrator wrote the note. */
export const orderRefundedMail = (
  siteUrl: string,
  order: MailedOrder,
  { _id, amountCents, note, isLast, isOutside }: ReturnedPart,
): MailContent => ({
  ...toCustomer(order, `We are refunding ${displayPrice(amountCents)}`, [
    amountCents === order.priceCents
      ? `We are refunding the ${displayPrice(amountCents)} that you paid for your order. The order is now closed.`
      : `We are refunding ${displayPrice(amountCents)} of what you paid for your order.${isLast ? ' Your order is now fully refunded and closed.' : ''}`,
    isLast && order.subscriptionId !== null
      ? `The refund does not change your subscription. To see what happens next, open your subscription (${siteUrl}${linkTo('subscription', order.subscriptionId)}).`
      : '',
    note,
    isOutside
      ? 'You did not pay through this site, so we will refund you directly.'
      : 'The refund goes to your original payment method. Your bank may need five to ten days to show it.',
  ]),
  facts: [
    ...facts(order),
    ['Refunded', displayPrice(amountCents)],
    ['Credit note', 'See the credit note', siteUrl + linkTo('creditNote', _id)],
  ],
  action: { label: 'See your order', href: siteUrl + linkTo('myOrder', order._id) },
  closing: [`If you have a question about the refund, ${writeToUs(siteUrl)}.`],
});

/** Retracts `orderRefundedMail` or `paymentRefundedMail`. */
export const refundFailedMail = (
  siteUrl: string,
  order: MailedOrder,
  { amountCents }: { readonly amountCents: number },
): MailContent => ({
  ...toCustomer(order, 'Your refund did not go through', [
    `We tried to refund ${displayPrice(amountCents)} to you, but your bank did not accept it. We will find another way to refund you.`,
  ]),
  facts: [...facts(order), ['Not refunded', displayPrice(amountCents)]],
  action: { label: 'See your order', href: siteUrl + linkTo('myOrder', order._id) },
  closing: [`If you have a new card or account, ${writeToUs(siteUrl)}.`],
});

/** For the business, when an order is paid. */
export const paidOrderMail = (siteUrl: string, order: MailedOrder): MailContent => ({
  subject: `Order paid: ${displayNameOf(order)}, ${displayOrderPrice(order)}`,
  paragraphs: [
    `${isMonthly(order) ? 'A month of a subscription' : 'An order'} was ${order.transactionId === '' ? 'marked as paid by hand' : 'paid by card'}. ${
      order.orderStatus === 'Delivered' ? 'The work has already been delivered.' : 'The work can begin.'
    }`,
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
 * For the business, about new unpaid orders. It does not name customers, because a customer may delete their
 * account while the email waits.
 * @param listed the first orders
 * @param count the total number of these orders
 */
export const unpaidOrdersMail = (
  siteUrl: string,
  listed: readonly OrderRecord[],
  count: number,
): MailContent => ({
  subject: count === 1 ? '1 new order is waiting for payment' : `${count} new orders are waiting for payment`,
  paragraphs: [
    count === 1
      ? 'This order came in since our last email about new orders. You will get another email when it is paid.'
      : 'These orders came in since our last email about new orders. You will get another email when one of them is paid.',
  ],
  facts: listed.map((order) => [
    displayOrderNumber(order.number),
    `${displayNameOf(order)}, ${displayOrderPrice(order)}`,
  ]),
  action: { label: 'See all orders', href: siteUrl + linkTo('orders') },
  closing: [count > listed.length ? `And ${count - listed.length} more.` : ''],
});
