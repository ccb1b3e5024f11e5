/** What was ordered, the price, and the payment method. */
import { displayPriceText } from '#contract/money.ts';
import { displayPaymentMethod, wasRefunded } from '#contract/orders.ts';
import { displayPackagePrice } from '#contract/packages.ts';
import { linkTo } from '#contract/screens.ts';
import { Status } from '#site/ui/badge.tsx';
import { Card } from '#site/ui/card.tsx';
import { Fold } from '#site/ui/fold.tsx';
import { TextLink } from '#site/ui/text-link.tsx';
import { describeDiscount } from '#site/features/orders/discount.ts';
import { Assignee } from '../notes/assignee.tsx';
import { Facts } from '../shell/facts.tsx';
import type { OrderPanelProps } from './order-panel.ts';

export function OrderFacts({ order }: OrderPanelProps) {
  return (
    <Card
      title={`${order.displayName}, ${displayPackagePrice(order)}`}
      aside={<Status status={order.paymentStatus} />}
    >
      <Facts
        facts={[
          ['Order date', order.orderDate],
          [order.couponCode === '' ? 'Discount' : 'Coupon', describeDiscount(order)],
          ['Payment method', displayPaymentMethod(order) || 'None yet'],
          ['Transaction', order.transactionId || 'None'],
          ['Refunded', wasRefunded(order) && displayPriceText(order.refundedAmount)],
          [
            'Subscription',
            order.subscriptionId !== null && (
              <TextLink href={linkTo('customerSubscription', order.subscriptionId)}>
                See the subscription
              </TextLink>
            ),
          ],
          [
            'Receipt',
            order.paymentMethod === '' ? (
              'None yet'
            ) : (
              <TextLink href={linkTo('receipt', order._id)}>See the receipt</TextLink>
            ),
          ],
        ]}
      />
      <Assignee kind="order" id={order._id} />
      {order.packagePoints.length > 0 && (
        <Fold summary="What was bought">
          <ul>
            {order.packagePoints.map((point) => (
              <li key={point}>{point}</li>
            ))}
          </ul>
        </Fold>
      )}
    </Card>
  );
}
