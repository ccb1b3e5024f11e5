/**
 * Cancelling an order: at once when our own link led here, after one click otherwise, and never when it turns out to
 * be paid (Stripe is asked first).
 */
import { useEffect, useEffectEvent, useState } from 'react';
import type { Order } from '#contract/orders.calls.ts';
import { callErrorOf } from '#site/app/call-error.ts';
import { api, type CallError } from '#site/app/call.ts';
import { wholeOrder } from '#site/features/orders/whole-order.ts';
import { takeCancellationMark } from '#site/features/orders/cancel-mark.ts';

export type Cancellation =
  | { readonly kind: 'opening' }
  /** Waits for a click. */
  | { readonly kind: 'asking'; readonly order: Order }
  | { readonly kind: 'cancelling' }
  | { readonly kind: 'cancelled'; readonly packageName: string }
  /** The order was cancelled before. */
  | { readonly kind: 'wasCancelled'; readonly packageName: string }
  /** The order is paid, so there is nothing to cancel. */
  | { readonly kind: 'paid' }
  /** It was paid, and all of it went back. */
  | { readonly kind: 'refunded'; readonly packageName: string }
  /** The work is done, so its customer can no longer cancel it. */
  | { readonly kind: 'delivered'; readonly error: CallError }
  /** `order` is there when the cancelling failed, absent when the order could not be read. */
  | { readonly kind: 'failed'; readonly error: CallError; readonly order?: Order };

const stateOf = (order: Order): Cancellation =>
  order.paymentStatus === 'Paid'
    ? { kind: 'paid' }
    : order.paymentStatus === 'Refunded'
      ? { kind: 'refunded', packageName: order.packageName }
      : order.paymentStatus === 'Cancelled'
        ? { kind: 'wasCancelled', packageName: order.packageName }
        : { kind: 'asking', order };

async function readOrder(id: string): Promise<Cancellation> {
  try {
    return stateOf(wholeOrder((await api('GET /order/:id', { id })).data));
  } catch (thrown) {
    return { kind: 'failed', error: callErrorOf(thrown) };
  }
}

/** What stopped a cancelling: the order's own state says it best; where that says nothing, the failure does. */
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

export interface UseCancellation {
  readonly state: Cancellation;
  readonly cancel: () => Promise<void>;
  /** Reads the order again. */
  readonly open: () => Promise<void>;
}

export function useCancellation(id: string): UseCancellation {
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
