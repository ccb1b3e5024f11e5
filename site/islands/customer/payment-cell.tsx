/** The payment column: what the payment stands at, and what the customer can do about it. */
import { displayPriceText } from '#contract/money.ts';
import { isCancellable, wasRefunded, type Order } from '#contract/orders.ts';
import { linkTo } from '#contract/screens.ts';
import { LinkButton } from '#components/button.tsx';
import { Badge } from '#components/badge.tsx';
import { CancelLink } from '../shared/cancel-link.tsx';
import css from './payment-cell.module.css';

export function PaymentCell({ order }: { readonly order: Order }) {
  switch (order.paymentStatus) {
    case 'Paid':
      return (
        <div className={css['choices']}>
          <Badge tone="success">You Have Paid</Badge>
          {wasRefunded(order) && <Badge>Refunded {displayPriceText(order.refundedAmount)}</Badge>}
        </div>
      );
    case 'Refunded':
      return <Badge>Refunded {displayPriceText(order.refundedAmount)}</Badge>;
    case 'Cancelled':
      return <Badge>You Have Cancelled</Badge>;
    case 'UnPaid':
      return (
        <div className={css['choices']}>
          <LinkButton size="small" href={linkTo('pay', order._id)}>
            Pay Now
          </LinkButton>
          {isCancellable(order) && <CancelLink orderId={order._id} />}
        </div>
      );
  }
}
