/** The calls for orders. Calls that move money are in `payments.calls.ts`. */
import * as z from 'zod';
import { emailTexts, isDeliverable } from './account-rules.ts';
import { deliverableEmail } from './accounts.ts';
import type { CallTable, Output } from './call.ts';
import { amountText, typedCouponCode } from './coupons.calls.ts';
import { parsePriceCents, readTypedPrice } from './money.ts';
import { billings } from './packages.ts';
import {
  orderEventKinds,
  orderSorts,
  orderStatuses,
  packageNames,
  paymentMethods,
  paymentStatuses,
} from './orders.ts';
import {
  day,
  id,
  line,
  mine,
  moment,
  optionalLine,
  optionalText,
  own,
  pageQuery,
  searched,
  source,
  staffMember,
  text,
  values,
} from './schemas.ts';

/** The part of an order that everyone with its link sees. */
const orderBasics = z.strictObject({
  _id: id,
  /** The number that people use, shown as `#1042`. */
  number: z.int(),
  packageName: z.string(),
  /** The display name of the package when the order was placed. */
  displayName: z.string(),
  /** `monthly`: the order is one month of a subscription. */
  billing: z.enum(billings),
  /** The price of the order, as a decimal string: the package's price when it was placed, minus the discount. */
  packagePrice: z.string(),
  paymentStatus: z.enum(paymentStatuses),
});

/** What a payer sees who has the link but is not the order's customer. */
const orderSummary = orderBasics.extend({
  /**
   * Who the order is for: the customer's company, or their first name if they gave none; empty if their account was
   * deleted.
   */
  orderedFor: z.string(),
});
export type OrderSummary = Output<typeof orderSummary>;

/** The whole order, for its owner and for staff. */
export const order = orderBasics.extend({
  customerEmail: z.string(),
  customerName: z.string(),
  customerAddress: z.string(),
  customerCountry: z.string(),
  /** For the receipt; empty if the customer entered none. */
  customerCompany: z.string(),
  customerTaxNumber: z.string(),
  /** The email that gets a copy of the receipt; empty if the customer wants none. */
  receiptCopyEmail: z.string(),
  /** Typed by the staff member who placed the order; otherwise empty. */
  customerPhone: z.string(),
  /** The code of the coupon that the order uses; empty without one. */
  couponCode: z.string(),
  /** The discount from the coupon or the staff, as a decimal string; `0` if there is none. */
  discount: z.string(),
  orderStatus: z.enum(orderStatuses),
  /** The subscription of a monthly order; null for an order that is paid once. */
  subscriptionId: id.nullable(),
  /** MM/DD/YYYY in the site's time zone. */
  orderDate: z.string(),
  /** The package's points when the order was placed, without empty ones. */
  packagePoints: z.array(z.string()),
  paymentMethod: z.enum(paymentMethods),
  /** The wallet of a card payment, such as 'Apple Pay'; otherwise empty. */
  wallet: z.string(),
  /** Stripe's id of the payment that paid for the order; empty if none did. */
  transactionId: z.string(),
  /** How much of the price was refunded, as a decimal string; `0` if nothing was. */
  refundedAmount: z.string(),
  /** Where the customer came from; null if unknown. */
  source: source.nullable(),
  /** The staff member who handles it; only in the staff's lists, and absent if there is none. */
  assignee: staffMember.optional(),
});
export type Order = Output<typeof order>;

/** A payer who is not the owner gets only the summary. */
export const orderOrSummary = z.union([order, orderSummary]);

/** The specification's payload contains these fields, but the server sets them itself. */
const ignored = z.string().max(100).optional();

/** Optional details for the receipt, entered with the order or later. */
const billingDetails = z.strictObject({
  customerCompany: optionalLine(200).optional(),
  customerTaxNumber: optionalLine(50).optional(),
  /** An email that gets a copy of the receipt when the order is paid; empty for none. */
  receiptCopyEmail: optionalLine(254)
    .refine((address) => address === '' || isDeliverable(address), emailTexts.invalid)
    .optional(),
});
export type BillingDetails = Output<typeof billingDetails>;

/** The specification's payload, plus billing details. Send it with an `Idempotency-Key` header. */
export const newOrder = z.strictObject({
  packageName: z.enum(packageNames, { error: 'Choose one of the packages.' }),
  /** The package's price without a coupon. */
  packagePrice: z
    .string({ error: 'Send the price that was shown.' })
    .refine(
      (price) => parsePriceCents(price) !== undefined,
      'Send the price that was shown, such as 499 or 499.50.',
    ),
  // An account created by Google sign-in may have an email that `email` rejects.
  customerEmail: deliverableEmail,
  customerName: line('Please enter your name', 200),
  customerAddress: text('Please enter your address', 500),
  customerCountry: line('Please choose your country', 100),
  ...billingDetails.shape,
  couponCode: typedCouponCode.optional(),
  source: source.optional(),
  paymentStatus: ignored,
  orderStatus: ignored,
  orderDate: ignored,
});
export type NewOrder = Output<typeof newOrder>;

const orderForCustomer = newOrder
  .omit({ source: true, paymentStatus: true, orderStatus: true, orderDate: true })
  .extend({
    customerName: line("Please enter the customer's name", 200),
    customerAddress: text("Please enter the customer's address", 500),
    customerCountry: line("Please choose the customer's country", 100),
    customerPhone: optionalLine(50).optional(),
    /** The staff's discount in dollars, as a decimal string; empty for none. */
    amountOff: z
      .string(amountText)
      .max(20, amountText)
      .overwrite(readTypedPrice)
      .refine((typed) => typed === '' || parsePriceCents(typed) !== undefined, amountText)
      .optional(),
    /** A note about the order for the staff only. */
    note: optionalText(5_000).optional(),
  })
  .refine(({ couponCode = '', amountOff = '' }) => couponCode === '' || amountOff === '', {
    error: 'Enter a discount or a coupon code, not both.',
    path: ['amountOff'],
  });
export type OrderForCustomer = Output<typeof orderForCustomer>;

/**
 * A customer's known details by email: from their last order, or otherwise from their profile. Unknown texts are empty.
 */
const knownCustomer = order.pick({
  customerName: true,
  customerAddress: true,
  customerCountry: true,
  customerCompany: true,
  customerTaxNumber: true,
  customerPhone: true,
});
export type KnownCustomer = Output<typeof knownCustomer>;

const statusFilters = {
  paymentStatus: z.enum(paymentStatuses, { error: 'There is no such payment status.' }).optional(),
  orderStatus: z.enum(orderStatuses, { error: 'There is no such order status.' }).optional(),
};
const searchFilters = {
  ...statusFilters,
  /** The first and the last day on which the orders were placed. */
  from: day.optional(),
  to: day.optional(),
  /** Part of a customer's name or email, or the number (`1042` or `#1042`) or id of an order. */
  q: searched.optional(),
  accountId: id.optional(),
  mine,
};

/** `?own=open` returns only the caller's own orders that are waiting for payment or work. */
const ownOrOpen = z.enum(['true', 'open'], { error: 'Send own=true, own=open or leave it out.' }).optional();

/** All parameters. A customer may use only those of `ownOrdersQuery`. */
const ordersQuery = pageQuery.extend({
  ...searchFilters,
  sort: z.enum(orderSorts, { error: 'There is no such sort order.' }).default('newest'),
  own: ownOrOpen,
});

/** The parameters for a customer, and for staff with `own`. */
export const ownOrdersQuery = pageQuery.extend({ ...statusFilters, own: ownOrOpen });

/** Totals of the caller's own orders, or of all orders for staff who do not send `own`. */
const orderTotals = z.strictObject({
  orders: z.int(),
  byPaymentStatus: z.record(z.enum(paymentStatuses), z.int()),
  byOrderStatus: z.record(z.enum(orderStatuses), z.int()),
  /** The sum of the prices of Paid orders, in cents: 'Total Spent', or total sales for staff. */
  paidCents: z.int(),
  /** `paidCents` minus partial refunds. Fully refunded orders are in neither sum. */
  afterRefundsCents: z.int(),
  /** The sum of the prices of UnPaid orders, in cents. */
  unpaidCents: z.int(),
  /** The number of paid orders that are not delivered yet. */
  awaitingDelivery: z.int(),
});
export type OrderTotals = Output<typeof orderTotals>;

/** Sales by the day on which the orders were placed. Days without orders are left out. */
const salesDay = z.strictObject({
  day,
  /** Orders placed that day. */
  orders: z.int(),
  paidOrders: z.int(),
  paidCents: z.int(),
  afterRefundsCents: z.int(),
});
export type SalesDay = Output<typeof salesDay>;

const sourceTotals = z.strictObject({
  /** The name of the source; `direct` for a direct visit, `unknown` if the browser sent no source. */
  source: z.string(),
  /** Messages from the contact form, including deleted ones. */
  messages: z.int(),
  orders: z.int(),
  paidOrders: z.int(),
  /** Sales after refunds, in cents. */
  cents: z.int(),
});
export type SourceTotals = Output<typeof sourceTotals>;

export const orderEvent = z.strictObject({
  kind: z.enum(orderEventKinds),
  at: moment,
  /**
   * 'Customer', 'Administrator', 'Payer' (anyone with the link), 'Stripe' or 'The site'. If an account did it,
   * staff see its email instead.
   */
  by: z.string(),
  /** The changed fields, before and after. */
  before: values,
  after: values,
});
export type OrderEvent = Output<typeof orderEvent>;

export const orderCalls = {
  'POST /new-order': {
    about: 'Places an order. Returns 409 with `currentPrice` if the price of the package has changed.',
    who: 'account',
    body: newOrder,
    answer: order,
    status: 201,
    problems: [403, 404, 409, 429],
    headers: ['Idempotency-Key'],
  },
  'POST /add-order': {
    about:
      'Places an order for a customer and emails them the payment link. The order belongs to the account with that email after the email is verified.',
    who: 'orders',
    body: orderForCustomer,
    answer: order,
    status: 201,
    problems: [404, 409],
    headers: ['Idempotency-Key'],
  },
  'GET /known-customer': {
    about: 'Returns what is known of the customer with an email, to fill in a form. Unknown texts are empty.',
    who: 'orders',
    query: z.strictObject({ email: deliverableEmail }),
    answer: knownCustomer,
  },
  'POST /order/:id/pay-link': {
    about: 'Emails the payment link again to the customer of an unpaid order.',
    who: 'orders',
    status: 202,
    problems: [409, 429],
  },
  'GET /orders': {
    about:
      "Lists the caller's own orders, or all orders for staff, newest first. `own=open` lists only the caller's own orders that wait for payment or work.",
    who: 'account',
    query: ordersQuery,
    answer: z.array(order),
  },
  'GET /order/:id': {
    about:
      'Returns one order. Its owner and the staff get the whole order. Anyone else gets what a payer needs.',
    who: 'anyone',
    answer: orderOrSummary,
  },
  'GET /order/:id/timeline': {
    about: 'Lists what happened to an order, oldest first.',
    who: 'account',
    answer: z.array(orderEvent),
  },
  'PUT /order/:id/billing': {
    about:
      'Changes the company and the tax number on the receipt, and who gets a copy. An absent field keeps its value.',
    who: 'account',
    body: billingDetails,
    answer: order,
    problems: [409, 429],
  },
  'GET /order-totals': {
    about:
      "Returns counts and sums of the caller's own orders, or of all orders for staff who do not send `own`.",
    who: 'account',
    query: z.strictObject({ own }),
    answer: orderTotals,
    problems: [403],
  },
  'GET /sales': {
    about: 'Lists orders and sales by day. The default is the last 30 days.',
    who: 'orders',
    query: z.strictObject({ from: day.optional(), to: day.optional() }),
    answer: z.array(salesDay),
  },
  'GET /sources': {
    about: 'Lists messages, orders and sales by source, the most sales first, at most 20 sources.',
    who: 'orders',
    answer: z.array(sourceTotals),
  },
  'GET /orders.csv': {
    about: 'Exports all matching orders, newest first.',
    who: 'orders',
    audited: 'export',
    confirmed: true,
    query: z.strictObject(searchFilters),
    answer: 'text/csv',
  },
} as const satisfies CallTable;
