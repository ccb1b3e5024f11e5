/** Asks a customer who came by a link of another site whether the order is to be cancelled. */
import { displayPriceText } from '#contract/money.ts';
import { displayOrderNumber, type Order } from '#contract/orders.ts';
import { linkTo } from '#contract/screens.ts';
import { Button, LinkButton } from '#components/button.tsx';
import { Card } from '#components/card.tsx';
import css from './cancel-screen.module.css';

export function Question({ order, onCancel }: { readonly order: Order; readonly onCancel: () => void }) {
  return (
    <Card title="Do you want to cancel this order?">
      <p>
        Order {displayOrderNumber(order.number)}: the {order.packageName} package for{' '}
        {displayPriceText(order.packagePrice)}, ordered {order.orderDate}. It is not paid, so nothing is
        charged.
      </p>
      <div className={css['actions']}>
        <LinkButton variant="secondary" href={linkTo('myOrders')}>
          Keep the order
        </LinkButton>
        <Button variant="danger" onClick={onCancel}>
          Cancel the order
        </Button>
      </div>
    </Card>
  );
}
