/** Orders as browser and server agree on them: their statuses and words. What calls take and answer is in `calls/`. */
import type { Shape } from './call.ts';
import type * as calls from './calls/orders.ts';

export const packageNames = ['Basic', 'Premium', 'Standard'] as const;
export const paymentStatuses = ['UnPaid', 'Paid', 'Cancelled'] as const;
export const orderStatuses = ['Pending', 'Delivered'] as const;
/**
 * 'Card' where Stripe settled the order, the spec's label 'PayPal' where it was paid outside Stripe, and nothing before
 * it is paid.
 */
export const paymentMethods = ['', 'Card', 'PayPal'] as const;
export const orderSorts = ['newest', 'oldest', 'highest', 'lowest', 'customer'] as const;
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

export type PackageName = (typeof packageNames)[number];
export type PaymentStatus = (typeof paymentStatuses)[number];
export type OrderStatus = (typeof orderStatuses)[number];
export type PaymentMethod = (typeof paymentMethods)[number];
export type OrderSort = (typeof orderSorts)[number];
export type OrderEventKind = (typeof orderEventKinds)[number];

export type OrderSummary = Shape<typeof calls.orderSummary>;
export type Order = Shape<typeof calls.order>;
export type NewOrder = Shape<typeof calls.newOrder>;
export type OrderTotals = Shape<typeof calls.orderTotals>;
export type SalesDay = Shape<typeof calls.salesDay>;
export type OrderEvent = Shape<typeof calls.orderEvent>;

/** Whether an answer of `GET /order/{id}` is the whole order or only what paying needs. */
export const isWholeOrder = (order: Order | OrderSummary): order is Order => 'customerEmail' in order;

/** Whether its customer can cancel an order: it is unpaid, and the work is not done. */
export const isCancellable = ({
  paymentStatus,
  orderStatus,
}: Pick<Order, 'paymentStatus' | 'orderStatus'>): boolean =>
  paymentStatus === 'UnPaid' && orderStatus !== 'Delivered';

/** Header that makes a repeated submit one order: 8 to 100 letters, digits, `-` or `_`. */
export const idempotencyKeyHeader = 'Idempotency-Key';
export const idempotencyKeyPattern = /^[\w-]{8,100}$/;

/** Extra members of the 409 with which `POST /new-order` answers a price that is no longer the package's. */
export interface PriceChanged {
  readonly currentPrice: string;
}
