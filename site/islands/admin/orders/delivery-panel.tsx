/** The order status: whether the work is delivered. */
import { orderStatuses } from '#contract/orders.ts';
import { Alert } from '#components/alert.tsx';
import { Status } from '#components/badge.tsx';
import { makeCall } from '#site/islands/shared/call.ts';
import { Panel } from '../screen.tsx';
import type { OrderPanelProps } from './order-panel.ts';
import { StatusForm } from './status-form.tsx';

export function DeliveryPanel({ order, onChange }: OrderPanelProps) {
  return (
    <Panel title="Update Order Status" aside={<Status status={order.orderStatus} />}>
      {order.paymentStatus === 'Cancelled' || order.paymentStatus === 'Refunded' ? (
        <Alert tone="info">
          This order was {order.paymentStatus.toLowerCase()}, so there is nothing to deliver.
        </Alert>
      ) : (
        <StatusForm
          key={order.orderStatus}
          label="Order status"
          name="orderStatus"
          options={orderStatuses}
          current={order.orderStatus}
          help="Delivered tells the customer by email that the work is done."
          save={(orderStatus) => makeCall('PUT /order-status/:id', { id: order._id, body: { orderStatus } })}
          done="OrderStatus is Updated"
          onChange={onChange}
        />
      )}
    </Panel>
  );
}
