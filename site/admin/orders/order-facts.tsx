/** What was bought by whom, for how much. */
import { displayPriceText } from '#contract/money.ts';
import { displayPaymentMethod, wasRefunded } from '#contract/orders.ts';
import type { Order } from '#contract/orders.calls.ts';
import { displayPackagePrice } from '#contract/packages.ts';
import { describeSource } from '#contract/source.ts';
import type { OrderWork } from '#contract/plans.calls.ts';
import { linkTo } from '#contract/screens.ts';
import { Badge } from '#site/ui/badge.tsx';
import { TextLink } from '#site/ui/text-link.tsx';
import { BillingForm } from '#site/features/orders/billing-form.tsx';
import { EmailLink } from '#site/ui/email-text.tsx';
import { Facts } from '../shell/facts.tsx';
import { offers } from '../shell/role.ts';
import { Panel } from '../shell/screen.tsx';
import css from './order-facts.module.css';

export interface OrderFactsProps {
  readonly order: Order;
  readonly work: OrderWork;
}

export function OrderFacts({ order, work }: OrderFactsProps) {
  return (
    <Panel title={`${order.displayName}, ${displayPackagePrice(order)}`}>
      <Facts
        facts={[
          ['Order date', order.orderDate],
          [
            'Name',
            work.customerId !== null && order.customerEmail !== '' && offers('customers') ? (
              <TextLink href={linkTo('customer', work.customerId)}>{order.customerName}</TextLink>
            ) : (
              order.customerName
            ),
          ],
          [
            'Email',
            order.customerEmail === '' ? (
              'Deleted with the account'
            ) : (
              <span className={css['email']}>
                <EmailLink email={order.customerEmail} />
                {!work.isEmailVerified && <Badge tone="warning">Not verified</Badge>}
              </span>
            ),
          ],
          ['Address', order.customerAddress],
          ['Country', order.customerCountry],
          ...(order.customerCompany ? [['Company', order.customerCompany] as const] : []),
          ...(order.customerTaxNumber ? [['Tax number', order.customerTaxNumber] as const] : []),
          ...(order.couponCode
            ? [['Coupon', `${order.couponCode}, ${displayPriceText(order.discount)} off`] as const]
            : []),
          ['Came from', describeSource(order.source)],
          ['Payment method', displayPaymentMethod(order) || 'None yet'],
          ['Transaction', order.transactionId || 'None'],
          ...(wasRefunded(order) ? [['Refunded', displayPriceText(order.refundedAmount)] as const] : []),
          ...(order.subscriptionId === null
            ? []
            : [
                [
                  'Subscription',
                  <TextLink key="subscription" href={linkTo('subscription', order.subscriptionId)}>
                    See the subscription
                  </TextLink>,
                ] as const,
              ]),
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
      {order.customerEmail !== '' && <BillingForm order={order} receipt="The receipt" />}
    </Panel>
  );
}
