/** The two statuses of an order, collapsed because payments and deliveries set them for most orders. */
import { useState, type ReactNode } from 'react';
import { isEnded, isCustomerDeleted, type OrderStatus, orderStatuses } from '#contract/orders.ts';
import type { Order } from '#contract/orders.calls.ts';
import { Card } from '#site/ui/card.tsx';
import { Fold } from '#site/ui/fold.tsx';
import { offers } from '../shell/role.ts';
import { useDelivery, deliveryDisabledReason, DeliveryFields, type Delivery } from './delivery-fields.tsx';
import type { WorkPanelProps, OrderPanelProps } from './order-panel.ts';
import { stack, surface } from '#site/ui/layout.ts';
import css from './status-panels.module.css';
import { Alert } from '#site/ui/alert.tsx';
import { Status } from '#site/ui/badge.tsx';
import { TextLink } from '#site/ui/text-link.tsx';
import { api } from '#site/app/call.ts';
import { Button } from '#site/ui/button.tsx';
import { SelectField } from '#site/ui/select-field.tsx';
import { Form } from '#site/ui/form.tsx';
import { Failure } from '#site/app/failure.tsx';
import { useMutation } from '#site/app/use-mutation.ts';

export function StatusPanels({ order, work }: WorkPanelProps) {
  const delivery = useDelivery(work, 'delivery-note', deliveryDisabledReason(order));
  return (
    <div className={surface(css['status'])}>
      <Fold
        isNeeded={delivery.disabledReason !== undefined && delivery.isBegun}
        summary={<h2 className="heading">Status</h2>}
      >
        <div className={stack(0, css['forms'])}>
          {offers('administrator') && <PaymentPanel order={order} />}
          <DeliveryPanel order={order} delivery={delivery} />
        </div>
      </Fold>
    </div>
  );
}

/** The payment status. A cancelled or refunded order cannot be paid, so the form offers no choice. */
function PaymentPanel({ order }: OrderPanelProps) {
  return (
    <Card title="Update payment status" aside={<Status status={order.paymentStatus} />}>
      {isEnded(order) ? (
        <Alert tone="info">
          This order was {order.paymentStatus.toLowerCase()} and stays {order.paymentStatus.toLowerCase()}.
          The customer can place a new one.
        </Alert>
      ) : (
        <StatusForm
          key={order.paymentStatus}
          label="Payment status"
          name="paymentStatus"
          options={['UnPaid', 'Paid'] as const}
          current={order.paymentStatus}
          help="Choose Paid only if you were paid outside this site. We cancel any open card payment first."
          save={(paymentStatus) => api('PUT /order/:id', { id: order._id, body: { paymentStatus } })}
          done="PaymentStatus is Updated"
          wayOn={order.transactionId && <StripeLink transactionId={order.transactionId} />}
        />
      )}
    </Card>
  );
}

const StripeLink = ({ transactionId }: Pick<Order, 'transactionId'>) => (
  <p>
    <TextLink
      href={`https://dashboard.stripe.com/payments/${encodeURIComponent(transactionId)}`}
      target="_blank"
      rel="noreferrer"
    >
      Open this payment in Stripe (new tab)
    </TextLink>
  </p>
);

function DeliveryPanel({ order, delivery }: OrderPanelProps & { readonly delivery: Delivery }) {
  const { disabledReason } = delivery;
  // The form stays as it is if the delivery may have arrived.
  const current = disabledReason === undefined ? 'Pending' : order.orderStatus;
  const save = (orderStatus: OrderStatus) =>
    orderStatus === 'Delivered' && disabledReason === undefined
      ? delivery.deliver()
      : api('PUT /order-status/:id', { id: order._id, body: { orderStatus } });

  return (
    <Card title="Update order status" aside={<Status status={order.orderStatus} />}>
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
              ? "Nobody gets an email, because this customer's account was deleted."
              : 'If you choose Delivered, the customer gets an email saying that the work is done.'
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
        <DeliveryFields delivery={delivery} isBusy={false} />
      )}
    </Card>
  );
}

interface StatusFormProps<T extends string> {
  readonly label: string;
  readonly name: string;
  readonly options: readonly [T, ...T[]];
  readonly current: string;
  readonly help: string;
  readonly save: (status: T) => Promise<unknown>;
  readonly done: string;
  readonly fieldsFor?: (status: T, isBusy: boolean) => ReactNode;
  /** The alternative action that is shown with an error. */
  readonly wayOn?: ReactNode;
}

function StatusForm<T extends string>(props: StatusFormProps<T>) {
  const { label, name, options, current, help, save, done, fieldsFor, wayOn } = props;
  const known = (value: string): T => options.find((option) => option === value) ?? options[0];
  const [status, setStatus] = useState<T>(known(current));
  const { mutate: update, isPending, error } = useMutation({ mutationFn: () => save(status), done });

  return (
    <Form className={stack(4)} onSend={() => update()}>
      <SelectField
        name={name}
        label={label}
        options={options}
        value={status}
        help={help}
        onChange={({ target }) => setStatus(known(target.value))}
      />
      {fieldsFor?.(status, isPending)}
      <Failure error={error}>{error?.status === 409 && wayOn}</Failure>
      <div>
        <Button type="submit" busy={isPending}>
          Update
        </Button>
      </div>
    </Form>
  );
}
