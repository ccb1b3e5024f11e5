/** Actions for several orders at once. Each order is changed by a separate call. */
import { displayOrderNumber, isEnded } from '#contract/orders.ts';
import type { Order } from '#contract/orders.calls.ts';
import { api } from '#site/app/call.ts';
import type { BulkAction, BulkActions } from '../lists/use-bulk-actions.ts';

const setStatus = (
  orderStatus: Order['orderStatus'],
  disabledReason: string,
  disabledReasonEnded: string,
) => ({
  change: ({ _id }: Order) => api('PUT /order-status/:id', { id: _id, body: { orderStatus } }),
  disabledReason: (order: Order) =>
    order.orderStatus === orderStatus
      ? disabledReason
      : isEnded(order)
        ? `This order was ${order.paymentStatus.toLowerCase()}, so ${disabledReasonEnded}.`
        : undefined,
});

const actions: readonly BulkAction<Order>[] = [
  {
    ...setStatus('Delivered', 'It is already delivered.', 'there is nothing to deliver'),
    label: 'Mark delivered',
    done: 'marked delivered',
    question: (count) => ({
      title: `Mark ${count} delivered?`,
      text: 'Each customer gets an email that the work is done, even if the order is not paid. Unfinished steps of their plans stay unfinished. To add a note or files, open the order.',
    }),
  },
  {
    ...setStatus('Pending', 'It is not delivered yet.', 'it stays delivered'),
    label: 'Mark in progress',
    done: 'marked in progress',
    question: (count) => ({
      title: `Mark ${count} in progress again?`,
      text: 'The orders count as in progress again. The customers get no email.',
    }),
  },
  {
    label: 'Cancel orders',
    done: 'cancelled',
    isDanger: true,
    question: (count) => ({
      title: `Cancel ${count}?`,
      text: 'You can cancel only unpaid orders. To end a paid order, refund it. Each customer gets an email. You cannot undo this.',
    }),
    change: ({ _id }) => api('PUT /order-cancelled/:id', { id: _id, body: {} }),
    disabledReason: ({ paymentStatus }) =>
      paymentStatus === 'Cancelled' ? 'It is already cancelled.' : undefined,
  },
];

export const orderBulkActions: BulkActions<Order> = {
  noun: 'order',
  actions,
  nameOf: ({ number }) => displayOrderNumber(number),
};
