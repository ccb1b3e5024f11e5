/** An order on its pay page: the amount, and its PaymentIntent. */
import type { Order, OrderSummary } from '#contract/orders.calls.ts';
import { displayPackagePrice } from '#contract/packages.ts';
import { CallError, api } from '#site/app/call.ts';
import { readSession } from '#site/app/session.ts';
import type { Payer } from './card-payment.ts';

/** The whole order for its owner and the staff, otherwise only what a payment needs. */
export type PayableOrder = (Order | OrderSummary) & {
  /** The email of the signed-in user; undefined for a payer who only has the link. */
  readonly payerEmail: string | undefined;
};

/**
 * The displayed amount. A payer who only has the link does not see coupons, and a later month may cost more, so the
 * price of a monthly package is shown as this month's price.
 */
export const displayPayablePrice = (order: PayableOrder): string =>
  displayPackagePrice({ couponCode: 'unknown', ...order });

export async function readPayableOrder(id: string, signal?: AbortSignal): Promise<PayableOrder> {
  const [{ data }, account] = await Promise.all([api('GET /order/:id', { id, signal }), readSession(signal)]);
  return { ...data, payerEmail: account?.email };
}

/** The payer, if the order's customer pays. Anyone else, including staff, must enter their details. */
export const ownerOf = (order: PayableOrder): Payer | undefined =>
  'customerEmail' in order && order.customerEmail === order.payerEmail
    ? { name: order.customerName, email: order.customerEmail }
    : undefined;

export interface OpenedPayment {
  readonly order: PayableOrder;
  /** Undefined if the order turned out to be paid or cancelled. */
  readonly clientSecret?: string;
  /** For a monthly package, the second payment, in sentences. */
  readonly renewal?: string | null;
}

/**
 * Creates the order's only PaymentIntent, or returns the existing one. If the server refuses because the order is
 * already paid or closed, returns the current order instead.
 */
export async function openPayment(order: PayableOrder, signal: AbortSignal): Promise<OpenedPayment> {
  if (order.paymentStatus !== 'UnPaid') return { order };
  try {
    const { data } = await api('POST /create-payment-intent', {
      body: { amount: order.packagePrice, orderId: order._id },
      signal,
    });
    if (data.clientSecret) return { order, ...data };
  } catch (thrown) {
    if (!(thrown instanceof CallError) || thrown.status !== 409) throw thrown;
    const current = await readPayableOrder(order._id, signal);
    if (current.paymentStatus === 'UnPaid') throw thrown;
    return { order: current };
  }
  throw new CallError({
    title: 'Error',
    status: 502,
    detail: 'Our payment provider did not answer. Please try again.',
  });
}

/** Tells the server that the payment has succeeded, so that it asks Stripe and records the result. */
export const recordPayment = async (id: string) =>
  (await api('PUT /order/:id', { id, body: { paymentStatus: 'Paid' } })).data;
