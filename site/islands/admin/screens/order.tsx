/** One order: what was bought by whom, its payment status and its order status, and what happened to it. */
import { linkTo } from '#contract/screens.ts';
import { useState, type ReactNode } from 'react';
import { displayPriceText } from '#contract/money.ts';
import { orderStatuses, type Order, type OrderEvent, type OrderEventKind } from '#contract/orders.ts';
import { Alert } from '#components/alert.tsx';
import { Status } from '#components/badge.tsx';
import { Button, LinkButton } from '#components/button.tsx';
import { EmptyState } from '#components/empty-state.tsx';
import { SelectField } from '#components/field.tsx';
import { TextLink } from '#components/text-link.tsx';
import { useToast } from '#components/toast.tsx';
import { makeCall } from '#site/islands/shared/call.ts';
import { Facts } from '../facts.tsx';
import { Failure, WhenLoaded } from '#site/islands/shared/failure.tsx';
import { Moment } from '#site/islands/shared/moment.tsx';
import { Panel, ScreenFrame } from '../screen.tsx';
import { readWholeOrder } from '#site/islands/shared/whole-order.ts';
import { useAction } from '#site/islands/shared/use-action.ts';
import { useLoaded } from '#site/islands/shared/use-loaded.ts';
import css from './order.module.css';

const back = { href: linkTo('orders'), label: 'All Orders' };

interface OrderWithTimeline {
  readonly order: Order;
  readonly timeline: readonly OrderEvent[];
}

async function readOrder(id: string, signal: AbortSignal): Promise<OrderWithTimeline> {
  const [order, timeline] = await Promise.all([
    readWholeOrder(id, signal),
    makeCall('GET /order/:id/timeline', { id, signal }),
  ]);
  return { order, timeline: timeline.data };
}

export default function OrderScreen({ id }: { readonly id: string }) {
  const loaded = useLoaded(id, (signal) => readOrder(id, signal));
  const { data, error, reload } = loaded;
  return (
    <ScreenFrame title={data ? `Order of ${data.order.customerName}` : 'Order'} back={back}>
      {error?.status === 404 ? (
        <EmptyState
          title="There is no such order"
          action={<LinkButton href={back.href}>All Orders</LinkButton>}
        >
          The address may be misspelled.
        </EmptyState>
      ) : (
        <WhenLoaded loaded={loaded} lines={8}>
          {({ order, timeline }) => (
            <>
              <OrderFacts order={order} />
              <div className={css['forms']}>
                <PaymentPanel order={order} onChange={reload} />
                <WorkPanel order={order} onChange={reload} />
              </div>
              <Timeline events={timeline} />
            </>
          )}
        </WhenLoaded>
      )}
    </ScreenFrame>
  );
}

interface PanelProps {
  readonly order: Order;
  /** Called when the order has changed. */
  readonly onChange: () => void;
}

/** A cancelled order takes no payment any more, so there is nothing to choose. */
function PaymentPanel({ order, onChange }: PanelProps) {
  return (
    <Panel title="Update Payment Status" aside={<Status status={order.paymentStatus} />}>
      {order.paymentStatus === 'Cancelled' ? (
        <Alert tone="info">
          This order was cancelled and stays cancelled. The customer can place a new one.
        </Alert>
      ) : (
        <StatusForm
          key={order.paymentStatus}
          label="Payment status"
          name="paymentStatus"
          options={['UnPaid', 'Paid'] as const}
          current={order.paymentStatus}
          help="Set Paid by hand only for money that came another way: an open card payment is cancelled first."
          save={(paymentStatus) => makeCall('PUT /order/:id', { id: order._id, body: { paymentStatus } })}
          done="PaymentStatus is Updated"
          wayOn={order.transactionId && <StripeLink transactionId={order.transactionId} />}
          onChange={onChange}
        />
      )}
    </Panel>
  );
}

/** Stripe's own page of a payment, where it can be refunded. */
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

function WorkPanel({ order, onChange }: PanelProps) {
  return (
    <Panel title="Update Order Status" aside={<Status status={order.orderStatus} />}>
      {order.paymentStatus === 'Cancelled' ? (
        <Alert tone="info">This order was cancelled, so there is nothing to deliver.</Alert>
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

function OrderFacts({ order }: { readonly order: Order }) {
  return (
    <Panel title={`${order.packageName}, ${displayPriceText(order.packagePrice)}`}>
      <Facts
        facts={[
          ['Order Date', order.orderDate],
          ['Name', order.customerName],
          [
            'Email',
            <TextLink href={`mailto:${encodeURIComponent(order.customerEmail)}`}>
              {order.customerEmail}
            </TextLink>,
          ],
          ['Address', order.customerAddress],
          ['Country', order.customerCountry],
          ['Payment Method', order.paymentMethod || 'None yet'],
          ['Transaction', order.transactionId || 'None'],
          ['Order', order._id],
        ]}
      />
      {order.packagePoints.length > 0 && (
        <details>
          <summary className={css['summary']}>What was bought</summary>
          <ul>
            {order.packagePoints.map((point) => (
              <li key={point}>{point}</li>
            ))}
          </ul>
        </details>
      )}
    </Panel>
  );
}

interface StatusFormProps<T extends string> {
  readonly label: string;
  readonly name: string;
  readonly options: readonly [T, ...T[]];
  readonly current: string;
  readonly help: string;
  readonly save: (status: T) => Promise<unknown>;
  /** Toast once the server has confirmed. */
  readonly done: string;
  /** What can be done instead, shown with a refusal. */
  readonly wayOn?: ReactNode;
  readonly onChange: () => void;
}

function StatusForm<T extends string>(props: StatusFormProps<T>) {
  const { label, name, options, current, help, save, done, wayOn, onChange } = props;
  const known = (value: string): T => options.find((option) => option === value) ?? options[0];
  const [status, setStatus] = useState<T>(known(current));
  const { act, isBusy, error } = useAction();
  const showToast = useToast();

  const update = () =>
    act(async () => {
      await save(status);
      showToast(done);
      onChange();
    });

  return (
    <form
      className={css['form']}
      onSubmit={(event) => {
        event.preventDefault();
        void update();
      }}
    >
      <SelectField
        name={name}
        label={label}
        options={options}
        value={status}
        help={help}
        onChange={({ target }) => setStatus(known(target.value))}
      />
      {error && <Failure error={error}>{error.status === 409 && wayOn}</Failure>}
      <Button type="submit" busy={isBusy}>
        Update
      </Button>
    </form>
  );
}

const eventTexts: Readonly<Record<OrderEventKind, string>> = {
  placed: 'Order placed',
  paymentStarted: 'Payment started',
  paid: 'Paid by card',
  paidByHand: 'Set to Paid by hand',
  paymentWithdrawn: 'Set back to UnPaid',
  cancelled: 'Cancelled',
  delivered: 'Delivered',
  reopened: 'Set back to Pending',
  refunded: 'Refunded',
  anonymized: 'Personal data removed',
};

function Timeline({ events }: { readonly events: readonly OrderEvent[] }) {
  return (
    <Panel title="What happened">
      <ol className={css['timeline']}>
        {events.map(({ kind, at, by }) => (
          <li key={kind + at}>
            <strong>{eventTexts[kind]}</strong>
            <span>
              <Moment at={at} />, {by}
            </span>
          </li>
        ))}
      </ol>
    </Panel>
  );
}
