/** Orders as browser and server agree on them: statuses, what a form may send and what the calls answer. */
import { z } from 'zod';
import { email } from './accounts.ts';
import { parsePriceCents } from './money.ts';
import { pageQuery } from './paging.ts';

export const packageNames = ['Basic', 'Premium', 'Standard'] as const;
export const paymentStatuses = ['UnPaid', 'Paid', 'Cancelled'] as const;
export const orderStatuses = ['Pending', 'Delivered'] as const;

export type PackageName = (typeof packageNames)[number];
export type PaymentStatus = (typeof paymentStatuses)[number];
export type OrderStatus = (typeof orderStatuses)[number];

/**
 * 'Card' where Stripe settled the order, the spec's label 'PayPal' where it was paid outside Stripe, and nothing before
 * it is paid.
 */
export type PaymentMethod = '' | 'Card' | 'PayPal';

/** What anyone who holds an order's link may see: just what paying needs. */
export interface OrderSummary {
  readonly _id: string;
  readonly packageName: string;
  /** Decimal string, as the package had it when the order was placed. */
  readonly packagePrice: string;
  readonly paymentStatus: PaymentStatus;
}

/** A whole order, for its owner and for administrators. */
export interface Order extends OrderSummary {
  readonly customerEmail: string;
  readonly customerName: string;
  readonly customerAddress: string;
  readonly customerCountry: string;
  readonly orderStatus: OrderStatus;
  /** MM/DD/YYYY in the site's time zone. */
  readonly orderDate: string;
  /** The package's points when the order was placed, blank ones left out. */
  readonly packagePoints: readonly string[];
  readonly paymentMethod: PaymentMethod;
  /** Stripe's id of the payment that settled the order; empty when none did. */
  readonly transactionId: string;
}

/** Whether an answer of `GET /order/{id}` is the whole order or only what paying needs. */
export const isWholeOrder = (order: Order | OrderSummary): order is Order => 'customerEmail' in order;

const line = (required: string, most: number) =>
  z.string({ error: required }).trim().min(1, required).max(most, `At most ${most} characters.`);

/** The server sets these itself; the spec's payload carries them all the same. */
const ignored = z.string().max(100).optional();

/** Body of `POST /new-order`, the spec's payload. Send an `Idempotency-Key` header with it. */
export const newOrder = z.strictObject({
  packageName: z.enum(packageNames, { error: 'Choose one of the packages.' }),
  packagePrice: z
    .string({ error: 'Send the price that was shown.' })
    .refine(
      (price) => parsePriceCents(price) !== undefined,
      'Send the price that was shown, such as 499 or 499.50.',
    ),
  customerEmail: email,
  customerName: line('Please enter your name', 200),
  customerAddress: line('Please enter your address', 500),
  customerCountry: line('Please choose your country', 100),
  paymentStatus: ignored,
  orderStatus: ignored,
  orderDate: ignored,
});
export type NewOrder = z.output<typeof newOrder>;

/** Header that makes a repeated submit one order: 8 to 100 letters, digits, `-` or `_`. */
export const idempotencyKeyHeader = 'Idempotency-Key';
export const idempotencyKeyPattern = /^[\w-]{8,100}$/;

/** Extra members of the 409 with which `POST /new-order` answers a price that is no longer the package's. */
export interface PriceChanged {
  readonly currentPrice: string;
}

/** Body of `PUT /order/{id}`. From anyone but an administrator, 'Paid' makes the server ask Stripe. */
export const paymentStatusChange = z.strictObject({
  paymentStatus: z.enum(['UnPaid', 'Paid'], { error: 'Choose UnPaid or Paid.' }),
});

/** Body of `PUT /order-status/{id}`. */
export const orderStatusChange = z.strictObject({
  orderStatus: z.enum(orderStatuses, { error: 'Choose Pending or Delivered.' }),
});

/** Body of `PUT /order-cancelled/{id}`. */
export const orderCancellation = z.strictObject({
  paymentStatus: z.literal('Cancelled', { error: "Send paymentStatus 'Cancelled'." }).optional(),
});

export const orderSorts = ['newest', 'oldest', 'highest', 'lowest', 'customer'] as const;
export type OrderSort = (typeof orderSorts)[number];

const day = z.iso.date({ error: 'Give a day as YYYY-MM-DD.' });
const statusFilters = {
  paymentStatus: z.enum(paymentStatuses, { error: 'There is no such payment status.' }).optional(),
  orderStatus: z.enum(orderStatuses, { error: 'There is no such order status.' }).optional(),
};
const searchFilters = {
  ...statusFilters,
  /** First and last day on which the orders were placed, YYYY-MM-DD. */
  from: day.optional(),
  to: day.optional(),
  /** Part of a customer's name or email, or an order's id. */
  q: z.string().trim().max(200).optional(),
};

/** `?own=true` makes an administrator a customer like any other: only what they ordered themselves counts. */
const own = z.literal('true', { error: 'Send own=true or leave it out.' }).optional();

/** Query of `GET /orders` for a customer, or with `own`: their own orders, newest first. */
export const ownOrdersQuery = z.strictObject({ ...pageQuery.shape, ...statusFilters, own });
/** Query of `GET /orders` for an administrator: everybody's. */
export const allOrdersQuery = z.strictObject({
  ...pageQuery.shape,
  ...searchFilters,
  sort: z.enum(orderSorts, { error: 'There is no such sorting.' }).default('newest'),
});
/** Query of `GET /orders.csv`: all that match, newest first. */
export const ordersExportQuery = z.strictObject(searchFilters);

/** Query of `GET /order-totals`. */
export const orderTotalsQuery = z.strictObject({ own });

/** Answer of `GET /order-totals`: of the caller's own orders; for an administrator of all, unless `own` is asked for. */
export interface OrderTotals {
  readonly orders: number;
  readonly byPaymentStatus: Readonly<Record<PaymentStatus, number>>;
  readonly byOrderStatus: Readonly<Record<OrderStatus, number>>;
  /** Sum of the prices of Paid orders, in cents: 'Total Spent', and total sales for an administrator. */
  readonly paidCents: number;
  /** Paid and not yet delivered: what the business owes work for. */
  readonly awaitingDelivery: number;
}

/** Query of `GET /sales`; by default the last 30 days. */
export const salesQuery = z.strictObject({ from: day.optional(), to: day.optional() });

/** One day of `GET /sales`, by the day on which the orders were placed; days without orders are left out. */
export interface SalesDay {
  /** YYYY-MM-DD */
  readonly day: string;
  /** Orders placed that day. */
  readonly orders: number;
  readonly paidOrders: number;
  readonly paidCents: number;
}

export const orderEventKinds = [
  'placed',
  'paymentStarted',
  'paid',
  'paidByHand',
  'paymentWithdrawn',
  'cancelled',
  'delivered',
  'reopened',
  'refunded',
  'anonymized',
] as const;
export type OrderEventKind = (typeof orderEventKinds)[number];

/** One entry of `GET /order/{id}/timeline`, oldest first. */
export interface OrderEvent {
  readonly kind: OrderEventKind;
  /** ISO 8601, UTC */
  readonly at: string;
  /**
   * 'Customer', 'Administrator', 'Payer' (somebody who holds the link) or 'Stripe'; administrators see the email
   * where there is an account.
   */
  readonly by: string;
  /** The fields that changed, as they were and as they are. */
  readonly before: Readonly<Record<string, string>>;
  readonly after: Readonly<Record<string, string>>;
}
