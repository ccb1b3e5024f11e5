/** The link to an order's receipt, and the company details on it. */
import { linkTo } from '#contract/screens.ts';
import { isPaidFor } from '#contract/orders.ts';
import type { Order } from '#contract/orders.calls.ts';
import { LinkButton } from '#site/ui/button.tsx';
import { Card } from '#site/ui/card.tsx';
import { BillingForm } from '../features/orders/billing-form.tsx';

export function ReceiptCard({ order }: { readonly order: Order }) {
  return (
    <Card title="Receipt">
      {isPaidFor(order) ? (
        <LinkButton variant="secondary" href={linkTo('receipt', order._id)}>
          See the receipt
        </LinkButton>
      ) : (
        <p>You will have one as soon as the order is paid.</p>
      )}
      <BillingForm order={order} receipt="Your receipt" />
    </Card>
  );
}
