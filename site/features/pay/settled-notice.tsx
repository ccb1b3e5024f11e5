/** The message for an order that can no longer be paid, because it is paid, cancelled or refunded. */
import { linkTo } from '#contract/screens.ts';
import { Alert } from '#site/ui/alert.tsx';
import { LinkButton } from '#site/ui/button.tsx';
import { OrderAgain } from '#site/features/orders/order-again.tsx';
import { LogInLinks } from './log-in-links.tsx';
import type { PayableOrder } from './payable-order.ts';

interface SettledNoticeProps {
  readonly order: PayableOrder;
  /** Whether the payer tried to pay too, and was not charged. */
  readonly isPaidElsewhere?: boolean;
}

export function SettledNotice({ order, isPaidElsewhere = false }: SettledNoticeProps) {
  const isOwn = 'customerEmail' in order;
  const toOrder = isOwn ? (
    <LinkButton variant="secondary" href={linkTo('myOrder', order._id)}>
      See the order
    </LinkButton>
  ) : (
    <LogInLinks orderId={order._id} />
  );
  if (isPaidElsewhere)
    return (
      <Alert tone="success" title="This order was already paid" action={toOrder}>
        Someone paid for it on another device a moment ago. Your card was not charged.
      </Alert>
    );
  if (order.paymentStatus === 'Paid')
    return (
      <Alert tone="success" title="This order is already paid" action={toOrder}>
        Thank you. There is nothing left to pay for the {order.displayName} package.
        {isOwn && order.transactionId && ` The transaction id is ${order.transactionId}.`}
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
