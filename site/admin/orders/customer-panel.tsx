/** The customer of an order, with links to everything else about them. */
import { isCustomerDeleted } from '#contract/orders.ts';
import { describeSource } from '#contract/source.ts';
import { linkTo } from '#contract/screens.ts';
import { Badge } from '#site/ui/badge.tsx';
import { Card } from '#site/ui/card.tsx';
import { EmailLink } from '#site/ui/email-text.tsx';
import { TextLink } from '#site/ui/text-link.tsx';
import { BillingForm } from '#site/features/orders/billing-form.tsx';
import { Facts } from '../shell/facts.tsx';
import { offers } from '../shell/role.ts';
import type { WorkPanelProps } from './order-panel.ts';
import { row } from '#site/ui/layout.ts';

export function CustomerPanel({ order, work }: WorkPanelProps) {
  return (
    <Card title="Customer">
      <Facts
        facts={[
          ['Name', isCustomerDeleted(order) ? '' : <CustomerName order={order} work={work} />],
          [
            'Email',
            isCustomerDeleted(order) ? (
              'Deleted with the account'
            ) : (
              <span className={row(2)}>
                <EmailLink email={order.customerEmail} />
                {!work.isEmailVerified && <Badge tone="warning">Not verified</Badge>}
              </span>
            ),
          ],
          ['Phone', order.customerPhone],
          ['Address', order.customerAddress],
          ['Country', order.customerCountry],
          ['Company', order.customerCompany],
          ['Tax number', order.customerTaxNumber],
          ['Receipt copy', order.receiptCopyEmail],
          ['Came from', describeSource(order.source)],
        ]}
      />
      {order.customerEmail !== '' && <BillingForm order={order} receipt="The receipt" startsFolded />}
    </Card>
  );
}

/** The name on an order. It links to the customer if the user may see customers. */
export const CustomerName = ({ order: { customerName, customerEmail }, work }: WorkPanelProps) =>
  work.customerId !== null && customerEmail !== '' && offers('customers') ? (
    <TextLink href={linkTo('customer', work.customerId)}>{customerName}</TextLink>
  ) : (
    customerName
  );
