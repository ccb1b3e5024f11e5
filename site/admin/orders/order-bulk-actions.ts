/** Actions for several orders at once. Each order is changed by its own call. */
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
    ...setStatus('Delivered', 'It is delivered already.', 'there is nothing to deliver'),
    label: 'Mark delivered',
    done: 'marked delivered',
    question: (count) => ({
      title: `Mark ${count} delivered?`,
      text: 'Each customer gets an email that the work is done, also for an order that is not paid yet. Steps of their plans that are not done stay so. To send a note or files with it, open the order.',
    }),
  },
  {
    ...setStatus('Pending', 'It is not delivered yet.', 'it stays delivered'),
    label: 'Mark in progress',
    done: 'marked in progress',
    question: (count) => ({
      title: `Mark ${count} in progress again?`,
      text: 'What was delivered is taken up again. The customers get no email of it.',
    }),
  },
  {
    label: 'Cancel orders',
    done: 'cancelled',
    isDanger: true,
    question: (count) => ({
      title: `Cancel ${count}?`,
      text: 'Only unpaid orders can be cancelled; one that is paid is refunded instead. Each customer gets an email. A cancelled order stays cancelled.',
    }),
    change: ({ _id }) => api('PUT /order-cancelled/:id', { id: _id, body: {} }),
    disabledReason: ({ paymentStatus }) =>
      paymentStatus === 'Cancelled' ? 'It is cancelled already.' : undefined,
  },
];

export const orderBulkActions: BulkActions<Order> = {
  noun: 'order',
  actions,
  nameOf: ({ number }) => displayOrderNumber(number),
};
