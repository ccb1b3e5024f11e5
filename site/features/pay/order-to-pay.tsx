/** The order, shown next to the card field. */
import { ShieldCheck } from 'lucide-react';
import { isCancellable, isWholeOrder } from '#contract/orders.ts';
import { Card } from '#site/ui/card.tsx';
import { CancelLink } from '#site/features/orders/cancel-link.tsx';
import { describeDiscount } from '#site/features/orders/discount.ts';
import { Points } from '#site/ui/points.tsx';
import { displayPayablePrice, type PayableOrder } from './payable-order.ts';
import { LogInLinks, waysToOrder } from './log-in-links.tsx';
import { classNames } from '#site/ui/class-names.ts';
import { cluster } from '#site/ui/layout.ts';
import css from './pay.module.css';

interface OrderToPayProps {
  readonly order: PayableOrder;
  /** False once a payment is running, has succeeded, or may have succeeded. */
  readonly canCancel: boolean;
}

export function OrderToPay({ order, canCancel }: OrderToPayProps) {
  const isWhole = isWholeOrder(order);
  return (
    <Card title={`${order.displayName} package`}>
      <p className="figure">{displayPayablePrice(order)}</p>
      {isWhole && order.discount !== '0' && <p>{describeDiscount(order)}</p>}
      {isWhole && (
        <p className="muted">
          Ordered {order.orderDate} by {order.customerName}
        </p>
      )}
      <p className={classNames('muted', css['safe'])}>
        <ShieldCheck size="1.25rem" />
        Your card number goes to Stripe, our payment provider, and never reaches us.
      </p>
      {isWhole && <Points points={order.packagePoints} />}
      {!isWhole && canCancel && (
        <>
          <p className="muted">If this is your order, {waysToOrder(order)} to follow the work.</p>
          <div className={cluster(2)}>
            <LogInLinks order={order} />
          </div>
        </>
      )}
      {isWhole && canCancel && isCancellable(order) && (
        <div className="flush">
          <CancelLink order={order} isAtOnce>
            Cancel this order
          </CancelLink>
        </div>
      )}
    </Card>
  );
}
