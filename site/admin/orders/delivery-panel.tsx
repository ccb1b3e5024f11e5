/** The order status: whether the work is delivered. */
import { isCustomerDeleted, isEnded, type OrderStatus, orderStatuses } from '#contract/orders.ts';
import { Alert } from '#site/ui/alert.tsx';
import { Status } from '#site/ui/badge.tsx';
import { api } from '#site/app/call.ts';
import { Panel } from '../shell/screen.tsx';
import { NotSent } from '#site/ui/not-sent.tsx';
import { DeliveryFields, type Delivery } from './delivery-fields.tsx';
import type { OrderPanelProps } from './order-panel.ts';
import { StatusForm } from './status-form.tsx';

export interface DeliveryPanelProps extends OrderPanelProps {
  readonly delivery: Delivery;
}

export function DeliveryPanel({ order, delivery }: DeliveryPanelProps) {
  const { disabledReason } = delivery;
  // The form stays as it is if the delivery may have arrived.
  const current = disabledReason === undefined ? 'Pending' : order.orderStatus;
  const save = (orderStatus: OrderStatus) =>
    orderStatus === 'Delivered' && disabledReason === undefined
      ? delivery.deliver()
      : api('PUT /order-status/:id', { id: order._id, body: { orderStatus } });

  return (
    <Panel title="Update order status" aside={<Status status={order.orderStatus} />}>
      {isEnded(order) && disabledReason !== undefined ? (
        <Alert tone="info">
          This order was {order.paymentStatus.toLowerCase()}, so there is nothing to deliver.
        </Alert>
      ) : (
        <StatusForm
          key={current}
          label="Order status"
          name="orderStatus"
          options={orderStatuses}
          current={current}
          help={
            isCustomerDeleted(order)
              ? 'Nobody gets an email, because the account of this customer was deleted.'
              : 'If you choose Delivered, the customer gets an email that the work is done.'
          }
          save={save}
          fieldsFor={(status, isBusy) =>
            status === 'Delivered' &&
            disabledReason === undefined && <DeliveryFields delivery={delivery} isBusy={isBusy} />
          }
          done="OrderStatus is Updated"
        />
      )}
      {disabledReason !== undefined && delivery.isBegun && (
        <>
          <NotSent title="Your note was not sent" reason={disabledReason} onDiscard={delivery.discard} />
          <DeliveryFields delivery={delivery} isBusy={false} />
        </>
      )}
    </Panel>
  );
}
