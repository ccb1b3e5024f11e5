/** Statuses and words of orders. The schemas of their calls are in `orders.calls.ts`. */

/** The fields of an order that are for its receipt. The customer may change them. */
export const billingFields = ['customerCompany', 'customerTaxNumber', 'receiptCopyEmail'] as const;

export const packageNames = ['Basic', 'Premium', 'Standard'] as const;
/** 'Refunded': paid and fully refunded. After a partial refund, the order stays 'Paid'. */
export const paymentStatuses = ['UnPaid', 'Paid', 'Cancelled', 'Refunded'] as const;
/** An unpaid order is cancelled after this many days. */
export const unpaidOrderDays = 30;
export const orderStatuses = ['Pending', 'Delivered'] as const;
/**
 * 'Card' if the order was paid through Stripe, 'PayPal' (the specification's label) if it was paid outside Stripe, and
 * empty before it is paid.
 */
export const paymentMethods = ['', 'Card', 'PayPal'] as const;
export const orderSorts = ['newest', 'oldest', 'highest', 'lowest', 'customer'] as const;
export const orderEventKinds = [
  'placed',
  'paymentStarted',
  'paid',
  'paidByHand',
  'renewed',
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
type PaymentMethod = (typeof paymentMethods)[number];
export type OrderSort = (typeof orderSorts)[number];
export type OrderEventKind = (typeof orderEventKinds)[number];

interface OrderStatuses {
  readonly paymentStatus: PaymentStatus;
  readonly orderStatus: OrderStatus;
}

/** The payment method to show: the wallet, 'Card' or 'PayPal'; empty before the order is paid. */
export const displayPaymentMethod = ({
  wallet,
  paymentMethod,
}: {
  readonly wallet: string;
  readonly paymentMethod: PaymentMethod;
}): string => wallet || paymentMethod;

/** The first name in a full name, without titles such as `Dr.`; empty if there is none. */
export const firstNameIn = (name: string): string =>
  name.split(/\s+/).find((word) => !word.endsWith('.')) ?? '';

/** Formats an order number: `#1042`. */
export const displayOrderNumber = (number: number): string => `#${number}`;

/** Parses a searched order number, `#1042` or `1042`; undefined for other texts. */
export function parseOrderNumber(typed: string): number | undefined {
  const [, marked, bare] = /^(?:#(\d{1,15})|(\d{4,7}))$/.exec(typed.trim()) ?? [];
  const digits = marked ?? bare;
  return digits === undefined ? undefined : Number(digits);
}

/** Whether the response of `GET /order/{id}` is the whole order, not only what a payer needs. */
export const isWholeOrder = <O extends object>(
  order: O,
): order is Extract<O, { readonly customerEmail: string }> => 'customerEmail' in order;

/** Whether the customer has deleted their account. Their name and email are then gone from the order. */
export const isCustomerDeleted = ({ customerEmail }: { readonly customerEmail: string }): boolean =>
  customerEmail === '';

/** Whether an order was paid, even if it was refunded later. */
export const isPaidFor = ({ paymentStatus }: Pick<OrderStatuses, 'paymentStatus'>): boolean =>
  paymentStatus === 'Paid' || paymentStatus === 'Refunded';

/** Whether an order waits for the customer's payment or for our work. */
export const isOpen = ({ paymentStatus, orderStatus }: OrderStatuses): boolean =>
  paymentStatus === 'UnPaid' || (paymentStatus === 'Paid' && orderStatus === 'Pending');

/** Whether an order was cancelled or refunded, so that neither side owes anything. */
export const isEnded = ({ paymentStatus }: Pick<OrderStatuses, 'paymentStatus'>): boolean =>
  paymentStatus === 'Cancelled' || paymentStatus === 'Refunded';

/** Whether any part of an order's payment was refunded. */
export const wasRefunded = ({ refundedAmount }: { readonly refundedAmount: string }): boolean =>
  refundedAmount !== '0';

/** Whether the customer can cancel an order: it is unpaid and not delivered. */
export const isCancellable = ({ paymentStatus, orderStatus }: OrderStatuses): boolean =>
  paymentStatus === 'UnPaid' && orderStatus !== 'Delivered';

/** A plain status for display, derived from the two statuses of an order. */
export type DisplayStatus = 'Awaiting payment' | 'In progress' | 'Delivered' | 'Cancelled' | 'Refunded';

/** The display status of an order. Payment comes first, so a delivered but unpaid order is 'Awaiting payment'. */
export function displayStatusOf({ paymentStatus, orderStatus }: OrderStatuses): DisplayStatus {
  if (paymentStatus === 'UnPaid') return 'Awaiting payment';
  if (paymentStatus !== 'Paid') return paymentStatus;
  return orderStatus === 'Delivered' ? 'Delivered' : 'In progress';
}

/** Additional members of the 409 that `POST /new-order` returns if the price of the package has changed. */
export interface PriceChanged {
  readonly currentPrice: string;
}
