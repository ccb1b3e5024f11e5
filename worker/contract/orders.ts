/** Orders as browser and server agree on them: their statuses and words. What calls take and answer is in `orders.calls.ts`. */

export const packageNames = ['Basic', 'Premium', 'Standard'] as const;
/** 'Refunded': paid, and all of it returned. Where a part went back the order stays 'Paid'. */
export const paymentStatuses = ['UnPaid', 'Paid', 'Cancelled', 'Refunded'] as const;
/** How many days an order waits for its payment before it is cancelled. */
export const unpaidOrderDays = 30;
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
  'reminded',
  'cancelled',
  'delivered',
  'reopened',
  'refundStarted',
  'refunded',
  'refundFailed',
  'disputeOpened',
  'disputeUpdated',
  'disputeClosed',
  'anonymized',
  'billingChanged',
  'claimed',
  'briefSent',
  'briefReopened',
  'stepDone',
  'stepReopened',
  'stepApproved',
  'stepSentBack',
  'stepMoved',
] as const;

export type PackageName = (typeof packageNames)[number];
export type PaymentStatus = (typeof paymentStatuses)[number];
export type OrderStatus = (typeof orderStatuses)[number];
export type PaymentMethod = (typeof paymentMethods)[number];
export type OrderSort = (typeof orderSorts)[number];
export type OrderEventKind = (typeof orderEventKinds)[number];

/** The two statuses of an order. */
interface OrderStatuses {
  readonly paymentStatus: PaymentStatus;
  readonly orderStatus: OrderStatus;
}

/** How an order was paid, as people read it: the wallet, 'Card' or 'PayPal'; empty before it is paid. */
export const displayPaymentMethod = ({
  wallet,
  paymentMethod,
}: {
  readonly wallet: string;
  readonly paymentMethod: PaymentMethod;
}): string => wallet || paymentMethod;

/** An order's number as people read it: `#1042`. */
export const displayOrderNumber = (number: number): string => `#${number}`;

/** The order number that somebody searches for, `#1042` or `1042`; undefined when the text is none. */
export function parseOrderNumber(typed: string): number | undefined {
  const [, marked, bare] = /^(?:#(\d{1,15})|(\d{4,7}))$/.exec(typed.trim()) ?? [];
  const digits = marked ?? bare;
  return digits === undefined ? undefined : Number(digits);
}

/** Whether an answer of `GET /order/{id}` is the whole order or only what paying needs. */
export const isWholeOrder = <O extends object>(
  order: O,
): order is Extract<O, { readonly customerEmail: string }> => 'customerEmail' in order;

/** Whether an order was paid, also where all of it was returned since. */
export const isPaidFor = ({ paymentStatus }: Pick<OrderStatuses, 'paymentStatus'>): boolean =>
  paymentStatus === 'Paid' || paymentStatus === 'Refunded';

/** Whether an order waits for its customer's payment or for our work. */
export const isOpen = ({ paymentStatus, orderStatus }: OrderStatuses): boolean =>
  paymentStatus === 'UnPaid' || (paymentStatus === 'Paid' && orderStatus === 'Pending');

/** Whether an order has ended before its work was done: neither side owes anything for it. */
export const isEnded = ({ paymentStatus }: Pick<OrderStatuses, 'paymentStatus'>): boolean =>
  paymentStatus === 'Cancelled' || paymentStatus === 'Refunded';

/** Whether anything of an order's payment was returned. */
export const wasRefunded = ({ refundedAmount }: { readonly refundedAmount: string }): boolean =>
  refundedAmount !== '0';

/** Whether its customer can cancel an order: it is unpaid, and the work is not done. */
export const isCancellable = ({ paymentStatus, orderStatus }: OrderStatuses): boolean =>
  paymentStatus === 'UnPaid' && orderStatus !== 'Delivered';

/** One plain word for where an order stands, beside its two statuses. */
export type DisplayStatus = 'Awaiting payment' | 'In progress' | 'Delivered' | 'Cancelled' | 'Refunded';

/** The display status of an order. Payment comes first: an order that was delivered unpaid awaits its payment. */
export function displayStatusOf({ paymentStatus, orderStatus }: OrderStatuses): DisplayStatus {
  if (paymentStatus === 'UnPaid') return 'Awaiting payment';
  if (paymentStatus !== 'Paid') return paymentStatus;
  return orderStatus === 'Delivered' ? 'Delivered' : 'In progress';
}

/** Header that makes a repeated submit one order: 8 to 100 letters, digits, `-` or `_`. */
export const idempotencyKeyHeader = 'Idempotency-Key';
export const idempotencyKeyPattern = /^[\w-]{8,100}$/;

/** Extra members of the 409 with which `POST /new-order` answers a price that is no longer the package's. */
export interface PriceChanged {
  readonly currentPrice: string;
}
