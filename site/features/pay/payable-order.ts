/** An order on its pay page: what must be paid, and the payment that has been opened for it. */
import type { Order, OrderSummary } from '#contract/orders.calls.ts';
import { displayPackagePrice } from '#contract/packages.ts';
import { CallError, api } from '#site/app/call.ts';
import { readSession } from '#site/app/session.ts';
import type { Payer } from './card-payment.ts';

/** In full for its owner and for administrators, otherwise just what paying needs. */
export type PayableOrder = (Order | OrderSummary) & {
  /** Of who is signed in; absent for somebody who only holds the link. */
  readonly payerEmail: string | undefined;
};

/** What is to be paid. Who only holds the link is not told of a coupon, so a month may cost something else later. */
export const displayPayablePrice = (order: PayableOrder): string =>
  displayPackagePrice({ couponCode: 'unknown', ...order });

export async function readPayableOrder(id: string, signal?: AbortSignal): Promise<PayableOrder> {
  const [{ data }, account] = await Promise.all([api('GET /order/:id', { id, signal }), readSession(signal)]);
  return { ...data, payerEmail: account?.email };
}

/** Who pays, when that is the order's customer; anybody else is asked, staff too. */
export const ownerOf = (order: PayableOrder): Payer | undefined =>
  'customerEmail' in order && order.customerEmail === order.payerEmail
    ? { name: order.customerName, email: order.customerEmail }
    : undefined;

export interface OpenedPayment {
  readonly order: PayableOrder;
  /** Absent when the order turned out to be paid or cancelled. */
  readonly clientSecret?: string;
  /** For a monthly package, what the second payment will be, in sentences. */
  readonly renewal?: string | null;
}

/**
 * Opens the order's one payment, or finds it open. Where the server refuses because the order is settled, the order as
 * it is now comes back instead.
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

/** Tells the server that the payment has succeeded, so that it asks Stripe and records what Stripe says. */
export const recordPayment = async (id: string) =>
  (await api('PUT /order/:id', { id, body: { paymentStatus: 'Paid' } })).data;
