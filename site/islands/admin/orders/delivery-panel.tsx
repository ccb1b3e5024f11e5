/** The order status: whether the work is delivered. */
import { useState } from 'react';
import { maxMessageLength } from '#contract/conversations.ts';
import { orderStatuses, isEnded, type OrderStatus } from '#contract/orders.ts';
import { Alert } from '#components/alert.tsx';
import { Status } from '#components/badge.tsx';
import { TextAreaField } from '#components/field.tsx';
import { CallError, makeCall } from '#site/islands/shared/call.ts';
import { FilePicker } from '#site/islands/shared/conversation/files.tsx';
import { useFiles } from '#site/islands/shared/conversation/use-files.ts';
import { useUnsavedGuard } from '#site/islands/shared/use-unsaved-guard.ts';
import { Panel } from '../screen.tsx';
import type { OrderPanelProps } from './order-panel.ts';
import { StatusForm } from './status-form.tsx';

export function DeliveryPanel({ order, onChange }: OrderPanelProps) {
  const [note, setNote] = useState('');
  const files = useFiles(order._id);
  useUnsavedGuard(note.trim() !== '');

  async function save(orderStatus: OrderStatus) {
    const isDelivery = orderStatus === 'Delivered' && order.orderStatus !== 'Delivered';
    if (isDelivery && files.obstacle !== undefined)
      throw new CallError({ title: 'Not delivered yet', status: 0, detail: files.obstacle });
    const given = isDelivery ? { note, files: [...files.ids] } : {};
    await makeCall('PUT /order-status/:id', { id: order._id, body: { orderStatus, ...given } });
    setNote('');
    files.clear();
  }

  return (
    <Panel title="Update Order Status" aside={<Status status={order.orderStatus} />}>
      {isEnded(order) ? (
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
          save={save}
          fieldsFor={(status) =>
            status === 'Delivered' &&
            order.orderStatus !== 'Delivered' &&
            order.customerEmail !== '' && (
              <>
                <TextAreaField
                  id="delivery-note"
                  name="note"
                  label="Note to the customer"
                  required={false}
                  rows={4}
                  maxLength={maxMessageLength}
                  value={note}
                  help="It is in the mail, on the order's page and on the receipt."
                  onChange={({ target }) => setNote(target.value)}
                />
                <FilePicker files={files} label="Add files to the delivery" />
              </>
            )
          }
          done="OrderStatus is Updated"
          onChange={onChange}
        />
      )}
    </Panel>
  );
}
