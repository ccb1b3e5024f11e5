/** What an order says that can no longer be paid: it is paid already, or was cancelled or refunded. */
import { linkTo } from '#contract/screens.ts';
import { Alert } from '#components/alert.tsx';
import { LinkButton } from '#components/button.tsx';
import { OrderAgain } from '#site/islands/shared/order-again.tsx';
import type { PayableOrder } from './payable-order.ts';

export function SettledNotice({ order }: { readonly order: PayableOrder }) {
  const isOwn = 'customerEmail' in order;
  const toOrder = isOwn ? (
    <LinkButton variant="secondary" href={linkTo('myOrder', order._id)}>
      See the order
    </LinkButton>
  ) : (
    <LinkButton variant="secondary" href={linkTo('login')}>
      Log in
    </LinkButton>
  );
  if (order.paymentStatus === 'Paid')
    return (
      <Alert tone="success" title="This order is paid already" action={toOrder}>
        Thank you. There is nothing left to pay for the {order.packageName} package.
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
