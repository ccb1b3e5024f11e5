/**
 * Cancels an order: immediately if the user came from our own link, otherwise after one click. Never cancels an order
 * that turns out to be paid, because the server asks Stripe first.
 */
import { useEffect, useEffectEvent, useState } from 'react';
import type { Order } from '#contract/orders.calls.ts';
import { callErrorOf } from '#site/app/call-error.ts';
import { api, type CallError } from '#site/app/call.ts';
import { wholeOrder } from '#site/features/orders/order-query.ts';
import { takeCancellationMark } from '#site/features/orders/cancel-mark.ts';

export type Cancellation =
  | { readonly kind: 'opening' }
  /** Waits for a click. */
  | { readonly kind: 'asking'; readonly order: Order }
  | { readonly kind: 'cancelling' }
  | { readonly kind: 'cancelled'; readonly packageName: string }
  /** The order was already paid, refunded or cancelled. */
  | { readonly kind: 'settled'; readonly order: Order }
  /** The order is delivered, so the customer can no longer cancel it. */
  | { readonly kind: 'delivered'; readonly error: CallError }
  /** `order` is set if cancelling failed, and undefined if the order could not be loaded. */
  | { readonly kind: 'failed'; readonly error: CallError; readonly order?: Order };

async function readOrder(id: string): Promise<Cancellation> {
  try {
    const order = wholeOrder((await api('GET /order/:id', { id })).data);
    return { kind: order.paymentStatus === 'UnPaid' ? 'asking' : 'settled', order };
  } catch (thrown) {
    return { kind: 'failed', error: callErrorOf(thrown) };
  }
}

/** Why cancelling failed. The order's current state explains it best; if the order cannot be loaded, the error does. */
async function explainFailure(id: string, error: CallError): Promise<Cancellation> {
  if (error.problem['orderStatus'] === 'Delivered') return { kind: 'delivered', error };
  const found = await readOrder(id);
  return found.kind === 'asking' ? { kind: 'failed', error, order: found.order } : found;
}

async function cancelOrder(id: string): Promise<Cancellation> {
  try {
    const { data } = await api('PUT /order-cancelled/:id', {
      id,
      body: { paymentStatus: 'Cancelled' },
    });
    return { kind: 'cancelled', packageName: data.packageName };
  } catch (thrown) {
    console.error('Payment update failed.');
    return explainFailure(id, callErrorOf(thrown));
  }
}

export function useCancellation(id: string) {
  const [state, setState] = useState<Cancellation>(() => ({
    kind: takeCancellationMark(id) ? 'cancelling' : 'opening',
  }));

  const start = useEffectEvent(() => (state.kind === 'cancelling' ? cancelOrder(id) : readOrder(id)));
  useEffect(() => {
    void start().then(setState);
  }, []);

  return {
    state,
    cancel: async () => {
      setState({ kind: 'cancelling' });
      setState(await cancelOrder(id));
    },
    open: async () => {
      setState({ kind: 'opening' });
      setState(await readOrder(id));
    },
  };
}
