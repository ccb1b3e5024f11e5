/**
 * Pays for an order: shows the order with the card field, or what its state requires instead. Shows only one message at
 * a time. The pay page and the list of pending orders use it.
 */
import { useEffect, useEffectEvent, useState, type FunctionComponent, type ReactNode } from 'react';
import { linkTo } from '#contract/screens.ts';
import { displayOrderNumber, isWholeOrder } from '#contract/orders.ts';
import type { Stripe } from '@stripe/stripe-js';
import { Alert } from '#site/ui/alert.tsx';
import { Button, LinkButton } from '#site/ui/button.tsx';
import { Skeleton } from '#site/ui/loading.tsx';
import { useRestore, useRefetchOnFocus } from '#site/app/use-refetch-on-focus.ts';
import { TwoColumns } from '#site/ui/screen-frame.tsx';
import { OrderToPay } from './order-to-pay.tsx';
import { PayForm } from './pay-form.tsx';
import { displayPayablePrice, openPayment, readPayableOrder, type PayableOrder } from './payable-order.ts';
import type { Paid } from './payment-done.tsx';
import { openStripe } from './stripe-script.ts';
import { useAttempt, type Attempt, useRetry } from './use-attempt.ts';
import { isIdle, isOver, usePayment } from './use-payment.ts';
import { OrderAgain } from '#site/features/orders/order-again.tsx';
import { LogInLinks } from './log-in-links.tsx';

/** The frame around the payment: a whole screen, or a part of one. */
export type PaymentFrame = FunctionComponent<{
  readonly title: string;
  readonly intro: ReactNode;
  readonly children: ReactNode;
}>;

interface PayOrderProps {
  readonly id: string;
  readonly frame: PaymentFrame;
  /** Called once the payment is made and recorded. */
  readonly onPaid: (paid: Paid) => void;
  /** Called when the order turns out to be paid, cancelled or refunded. */
  readonly onSettled?: () => void;
}

export function PayOrder(props: PayOrderProps) {
  const [beginnings, setBeginnings] = useState(1);
  return <OpenedOrder key={beginnings} {...props} onBeginAnew={() => setBeginnings(beginnings + 1)} />;
}

interface OpenedOrderProps extends PayOrderProps {
  /** Discards all data and loads it again. */
  readonly onBeginAnew: () => void;
}

/** Describes the order in one sentence. For a payer who is not its customer, the sentence says who the seller is. */
const introOf = (order: PayableOrder): string =>
  `Order ${displayOrderNumber(order.number)}: the ${order.displayName} package for ${displayPayablePrice(order)}` +
  // A company's name may end with a period: Inc., Ltd.
  (isWholeOrder(order) || order.orderedFor === ''
    ? '.'
    : `, ordered by ${order.orderedFor.replace(/\.$/, '')}.`);

function OpenedOrder({ id, frame: Frame, ...handlers }: OpenedOrderProps) {
  // The payment provider's script loads at the same time as the order.
  const provider = useAttempt('payment provider', openStripe);
  const order = useAttempt(id, (signal) => readPayableOrder(id, signal));
  return (
    <Frame
      title={order.data && order.data.paymentStatus !== 'UnPaid' ? 'Your order' : 'Pay for your order'}
      intro={order.data && introOf(order.data)}
    >
      {order.data ? (
        <PayableOrderView order={order.data} reading={order} provider={provider} {...handlers} />
      ) : order.error ? (
        <Trouble
          attempts={[
            { ...order, title: notRead },
            { ...provider, title: '' },
          ]}
        />
      ) : (
        <Skeleton lines={6} label="Loading the order" />
      )}
    </Frame>
  );
}

interface PayableOrderProps extends Pick<OpenedOrderProps, 'onPaid' | 'onSettled' | 'onBeginAnew'> {
  readonly order: PayableOrder;
  /** Loads the order again if it may have been paid or cancelled elsewhere. */
  readonly reading: Attempt<PayableOrder>;
  readonly provider: Attempt<Stripe>;
}

function PayableOrderView({ order, reading, provider, onPaid, onSettled, onBeginAnew }: PayableOrderProps) {
  const opened = useAttempt(order._id, (signal) => openPayment(order, signal));
  const clientSecret = opened.data?.clientSecret;
  const payment = usePayment({
    orderId: order._id,
    stripe: provider.data,
    clientSecret,
    onRefused: () => {
      reading.reload();
      // After too many declined cards, the server creates no payment for a while, and says so.
      opened.reload();
    },
  });
  useRefetchOnFocus(() => {
    if (isIdle(payment)) reading.reload();
  });
  // The message after a payment is only for that moment, not for later visits.
  useRestore(() => {
    if (isOver(payment)) onBeginAnew();
  });
  useRetry([reading, opened, provider]);
  const transactionId = payment.state.kind === 'done' ? payment.state.transactionId : undefined;
  const notifyPaid = useEffectEvent((paidBy: string) => onPaid({ order, transactionId: paidBy }));
  useEffect(() => {
    if (transactionId !== undefined) notifyPaid(transactionId);
  }, [transactionId]);

  const isPaidElsewhere = payment.state.kind === 'paidElsewhere';
  const settled = [order, opened.data?.order].find((known) => known && known.paymentStatus !== 'UnPaid');
  const isSettled = isPaidElsewhere || (settled !== undefined && isIdle(payment));
  const notifySettled = useEffectEvent(() => onSettled?.());
  useEffect(() => {
    if (isSettled) notifySettled();
  }, [isSettled]);

  if (isPaidElsewhere) return <SettledNotice order={order} isPaidElsewhere />;
  if (settled && isSettled) return <SettledNotice order={settled} />;
  const attempts = [
    { ...reading, title: notRead },
    { ...opened, title: 'Failed to create payment intent' },
    { ...provider, title: '' },
  ];
  const isStuck = attempts.some(({ error }) => error);
  // Once a payment is running, nothing on the page may contradict it.
  const isSafe = isIdle(payment);
  const canCancel = isSafe && (payment.state.kind === 'open' || isStuck);
  return (
    <TwoColumns aside={<OrderToPay order={order} canCancel={canCancel} />}>
      <PayForm
        order={order}
        payment={payment}
        stripe={provider.data}
        opened={opened}
        isStuck={isStuck}
        trouble={isSafe && <Trouble attempts={attempts} />}
      />
    </TwoColumns>
  );
}

const notRead = 'Failed to fetch order details';

interface NamedAttempt extends Attempt<unknown> {
  /** The title of the error; empty if the error has its own. */
  readonly title: string;
}

/** The first error, with a button that tries everything again. */
function Trouble({ attempts }: { readonly attempts: readonly NamedAttempt[] }) {
  const failed = attempts.filter(({ error }) => error);
  const [first] = failed;
  if (!first?.error) return null;
  const { title, error } = first;
  return (
    <Alert
      title={title || error.problem.title}
      action={
        error.status === 404 ? (
          <LinkButton variant="secondary" size="small" href={linkTo('pricing')}>
            See the packages
          </LinkButton>
        ) : (
          <Button
            variant="secondary"
            size="small"
            busy={failed.some(({ isBusy }) => isBusy)}
            onClick={() => failed.forEach(({ reload }) => reload())}
          >
            Try again
          </Button>
        )
      }
    >
      {error.message} Nothing has been charged since you opened this page.
    </Alert>
  );
}

interface SettledNoticeProps {
  readonly order: PayableOrder;
  /** Whether the payer also tried to pay, and was not charged. */
  readonly isPaidElsewhere?: boolean;
}

/** Why the order can no longer be paid: it is paid, cancelled or refunded. */
function SettledNotice({ order, isPaidElsewhere = false }: SettledNoticeProps) {
  const isOwn = 'customerEmail' in order;
  const toOrder = isOwn ? (
    <LinkButton variant="secondary" href={linkTo('myOrder', order._id)}>
      See the order
    </LinkButton>
  ) : (
    <LogInLinks order={order} />
  );
  if (isPaidElsewhere)
    return (
      <Alert tone="success" title="This order was already paid" action={toOrder}>
        It was paid in another tab or on another device a moment ago. Your card was not charged.
      </Alert>
    );
  if (order.paymentStatus === 'Paid')
    return (
      <Alert tone="success" title="This order is already paid" action={toOrder}>
        Thank you. There is nothing left to pay for the {order.displayName} package.
        {isOwn && order.transactionId && ` The transaction ID is ${order.transactionId}.`}
      </Alert>
    );
  return (
    <Alert
      tone="info"
      title={`This order was ${order.paymentStatus === 'Refunded' ? 'refunded' : 'cancelled'}`}
      action={
        <>
          <OrderAgain packageName={order.packageName} />
          {toOrder}
        </>
      }
    >
      It can no longer be paid. You can order the package again at any time.
    </Alert>
  );
}
