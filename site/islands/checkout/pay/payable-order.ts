/** An order on its pay page: what must be paid, and the payment that has been opened for it. */
import type { Order, OrderSummary } from '#contract/orders.ts';
import { CallError, makeCall } from '#site/islands/shared/call.ts';
import type { Payer } from './card-payment.ts';

/** In full for its owner and for administrators, otherwise just what paying needs. */
export type PayableOrder = Order | OrderSummary;

export const readPayableOrder = async (id: string, signal?: AbortSignal) =>
  (await makeCall('GET /order/:id', { id, signal })).data;

/** Who pays, when the order says it; somebody who only holds the link is asked. */
export const ownerOf = (order: PayableOrder): Payer | undefined =>
  'customerEmail' in order ? { name: order.customerName, email: order.customerEmail } : undefined;

export interface OpenedPayment {
  readonly order: PayableOrder;
  /** Absent when the order turned out to be paid or cancelled. */
  readonly clientSecret?: string;
}

/**
 * Opens the order's one payment, or finds it open. Where the server refuses because the order is settled, the order as
 * it is now comes back instead.
 */
export async function openPayment(order: PayableOrder, signal: AbortSignal): Promise<OpenedPayment> {
  if (order.paymentStatus !== 'UnPaid') return { order };
  try {
    const { data } = await makeCall('POST /create-payment-intent', {
      body: { amount: order.packagePrice, orderId: order._id },
      signal,
    });
    if (data.clientSecret) return { order, clientSecret: data.clientSecret };
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
  (await makeCall('PUT /order/:id', { id, body: { paymentStatus: 'Paid' } })).data;
