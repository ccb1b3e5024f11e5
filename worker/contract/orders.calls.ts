/** The calls on orders; those that move money are in `payments.ts` beside this. */
import * as z from 'zod';
import { deliverableEmail } from './accounts.ts';
import type { CallTable, Output } from './call.ts';
import { parsePriceCents } from './money.ts';
import {
  orderEventKinds,
  orderSorts,
  orderStatuses,
  packageNames,
  paymentMethods,
  paymentStatuses,
} from './orders.ts';
import { day, id, line, moment, optionalLine, pageQuery, source, values } from './schemas.ts';

/** What anyone who holds an order's link may see: just what paying needs. */
export const orderSummary = z.strictObject({
  _id: id,
  packageName: z.string(),
  /** Decimal string, as the package had it when the order was placed. */
  packagePrice: z.string(),
  paymentStatus: z.enum(paymentStatuses),
});
export type OrderSummary = Output<typeof orderSummary>;

/** A whole order, for its owner and for administrators. */
export const order = z.strictObject({
  ...orderSummary.shape,
  /** What people know it by, shown as `#1042`. */
  number: z.int(),
  customerEmail: z.string(),
  customerName: z.string(),
  customerAddress: z.string(),
  customerCountry: z.string(),
  /** For the receipt; empty where the customer gave none. */
  customerCompany: z.string(),
  customerTaxNumber: z.string(),
  orderStatus: z.enum(orderStatuses),
  /** MM/DD/YYYY in the site's time zone. */
  orderDate: z.string(),
  /** The package's points when the order was placed, blank ones left out. */
  packagePoints: z.array(z.string()),
  paymentMethod: z.enum(paymentMethods),
  /** The wallet that a card was paid with, such as 'Apple Pay'; otherwise empty. */
  wallet: z.string(),
  /** Stripe's id of the payment that settled the order; empty when none did. */
  transactionId: z.string(),
  /** How much of the price was returned: a decimal string, `0` where nothing was. */
  refundedAmount: z.string(),
  /** Where its customer came from; null where that is not known. */
  source: source.nullable(),
});
export type Order = Output<typeof order>;

/** The server sets these itself; the spec's payload carries them all the same. */
const ignored = z.string().max(100).optional();

/** What a receipt names beside the customer: optional, typed with the order or added later. */
export const billingDetails = z.strictObject({
  customerCompany: optionalLine(200).optional(),
  customerTaxNumber: optionalLine(50).optional(),
});
export type BillingDetails = Output<typeof billingDetails>;

/** The spec's payload, and billing details. Send an `Idempotency-Key` header with it. */
export const newOrder = z.strictObject({
  packageName: z.enum(packageNames, { error: 'Choose one of the packages.' }),
  packagePrice: z
    .string({ error: 'Send the price that was shown.' })
    .refine(
      (price) => parsePriceCents(price) !== undefined,
      'Send the price that was shown, such as 499 or 499.50.',
    ),
  // As the account has it, which may have come by Google.
  customerEmail: deliverableEmail,
  customerName: line('Please enter your name', 200),
  customerAddress: line('Please enter your address', 500),
  customerCountry: line('Please choose your country', 100),
  ...billingDetails.shape,
  source: source.optional(),
  paymentStatus: ignored,
  orderStatus: ignored,
  orderDate: ignored,
});
export type NewOrder = Output<typeof newOrder>;

/** What an administrator types for a customer who ordered in another way. */
const orderForCustomer = newOrder
  .omit({ source: true, paymentStatus: true, orderStatus: true, orderDate: true })
  .extend({
    customerName: line("Please enter the customer's name", 200),
    customerAddress: line("Please enter the customer's address", 500),
    customerCountry: line("Please choose the customer's country", 100),
  });

const statusFilters = {
  paymentStatus: z.enum(paymentStatuses, { error: 'There is no such payment status.' }).optional(),
  orderStatus: z.enum(orderStatuses, { error: 'There is no such order status.' }).optional(),
};
const searchFilters = {
  ...statusFilters,
  /** First and last day on which the orders were placed. */
  from: day.optional(),
  to: day.optional(),
  /** Part of a customer's name or email, or an order's number (`1042` or `#1042`) or id. */
  q: z.string().trim().max(200).optional(),
  /** Only this account's. */
  accountId: id.optional(),
};

/** `?own=true` makes an administrator a customer like any other: only what they ordered themselves counts. */
const own = z.literal('true', { error: 'Send own=true or leave it out.' }).optional();

/** `?own=open` keeps of these only what waits for payment or work. */
const ownOrOpen = z.enum(['true', 'open'], { error: 'Send own=true, own=open or leave it out.' }).optional();

/** All that may be asked for; a customer may ask for less. */
const ordersQuery = z.strictObject({
  ...pageQuery.shape,
  ...searchFilters,
  sort: z.enum(orderSorts, { error: 'There is no such sorting.' }).default('newest'),
  own: ownOrOpen,
});

/** What a customer may ask for, and an administrator with `own`. */
export const ownOrdersQuery = z.strictObject({ ...pageQuery.shape, ...statusFilters, own: ownOrOpen });

/** Of the caller's own orders; for an administrator of all, unless `own` is asked for. */
export const orderTotals = z.strictObject({
  orders: z.int(),
  byPaymentStatus: z.record(z.enum(paymentStatuses), z.int()),
  byOrderStatus: z.record(z.enum(orderStatuses), z.int()),
  /** Sum of the prices of Paid orders, in cents: 'Total Spent', and total sales for an administrator. */
  paidCents: z.int(),
  /** What is left of `paidCents` after refunds of parts; orders that were wholly refunded are in neither. */
  afterRefundsCents: z.int(),
  /** Sum of the prices of UnPaid orders, in cents: what customers still owe. */
  unpaidCents: z.int(),
  /** Paid and not yet delivered: what the business owes work for. */
  awaitingDelivery: z.int(),
});
export type OrderTotals = Output<typeof orderTotals>;

/** By the day on which the orders were placed; days without orders are left out. */
export const salesDay = z.strictObject({
  day,
  /** Orders placed that day. */
  orders: z.int(),
  paidOrders: z.int(),
  paidCents: z.int(),
  afterRefundsCents: z.int(),
});
export type SalesDay = Output<typeof salesDay>;

export const sourceTotals = z.strictObject({
  /** Name of the source; `direct` for none, `unknown` where the browser told nothing. */
  source: z.string(),
  /** Messages of the contact form, those that were deleted included. */
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
   * 'Customer', 'Administrator', 'Payer' (somebody who holds the link) 'Stripe' or 'The site' by itself; administrators see the email
   * where there is an account.
   */
  by: z.string(),
  /** The fields that changed, as they were and as they are. */
  before: values,
  after: values,
});
export type OrderEvent = Output<typeof orderEvent>;

export const orderCalls = {
  'POST /new-order': {
    about: "Places an order. A price that is no longer the package's is 409 with `currentPrice`.",
    who: 'account',
    body: newOrder,
    answer: order,
    status: 201,
    problems: [403, 404, 409, 429],
    headers: ['Idempotency-Key'],
  },
  'POST /add-order': {
    about:
      'Places an order for a customer, who gets a mail with the link to pay. It belongs to the account with that email once the email is verified.',
    who: 'orders',
    body: orderForCustomer,
    answer: order,
    status: 201,
    problems: [404, 409],
    headers: ['Idempotency-Key'],
  },
  'GET /orders': {
    about:
      "The caller's own orders, everybody's for an administrator, newest first. `own=open` lists those that wait for payment or work.",
    who: 'account',
    query: ordersQuery,
    answer: z.array(order),
  },
  'GET /order/:id': {
    about: 'One order: whole for its owner and administrators, what paying needs for anyone else.',
    who: 'anyone',
    answer: z.union([order, orderSummary]),
  },
  'GET /order/:id/timeline': {
    about: 'What happened to an order, oldest first.',
    who: 'account',
    answer: z.array(orderEvent),
  },
  'PUT /order/:id/billing': {
    about: 'Changes the company and the tax number that the receipt names; a field left out keeps its value.',
    who: 'account',
    body: billingDetails,
    answer: order,
    problems: [429],
  },
  'GET /order-totals': {
    about:
      "Counts and sums of the caller's own orders; of all for an administrator, unless `own` is asked for.",
    who: 'account',
    query: z.strictObject({ own }),
    answer: orderTotals,
  },
  'GET /sales': {
    about: 'Orders and sales by day; the last 30 days unless others are asked for.',
    who: 'orders',
    query: z.strictObject({ from: day.optional(), to: day.optional() }),
    answer: z.array(salesDay),
  },
  'GET /sources': {
    about: 'Messages, orders and sales by where they came from, the most sales first, at most 20.',
    who: 'orders',
    answer: z.array(sourceTotals),
  },
  'GET /orders.csv': {
    about: 'All orders that match, newest first.',
    who: 'orders',
    audited: 'export',
    confirmed: true,
    query: z.strictObject(searchFilters),
    answer: 'text/csv',
  },
} as const satisfies CallTable;
