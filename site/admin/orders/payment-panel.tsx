/** The payment status of an order, and the form that changes it. */
import { isEnded } from '#contract/orders.ts';
import type { Order } from '#contract/orders.calls.ts';
import { Alert } from '#site/ui/alert.tsx';
import { Status } from '#site/ui/badge.tsx';
import { TextLink } from '#site/ui/text-link.tsx';
import { api } from '#site/app/call.ts';
import { Panel } from '../shell/screen.tsx';
import type { OrderPanelProps } from './order-panel.ts';
import { StatusForm } from './status-form.tsx';

/** A cancelled or refunded order cannot be paid, so the form offers no choice. */
export function PaymentPanel({ order }: OrderPanelProps) {
  return (
    <Panel title="Update payment status" aside={<Status status={order.paymentStatus} />}>
      {isEnded(order) ? (
        <Alert tone="info">
          This order was {order.paymentStatus.toLowerCase()} and stays {order.paymentStatus.toLowerCase()}.
          The customer can place a new one.
        </Alert>
      ) : (
        <StatusForm
          key={order.paymentStatus}
          label="Payment status"
          name="paymentStatus"
          options={['UnPaid', 'Paid'] as const}
          current={order.paymentStatus}
          help="Choose Paid only if you were paid outside this site. An open card payment is cancelled first."
          save={(paymentStatus) => api('PUT /order/:id', { id: order._id, body: { paymentStatus } })}
          done="PaymentStatus is Updated"
          wayOn={order.transactionId && <StripeLink transactionId={order.transactionId} />}
        />
      )}
    </Panel>
  );
}

/** The payment's page in the Stripe dashboard. */
const StripeLink = ({ transactionId }: Pick<Order, 'transactionId'>) => (
  <p>
    <TextLink
      href={`https://dashboard.stripe.com/payments/${encodeURIComponent(transactionId)}`}
      target="_blank"
      rel="noreferrer"
    >
      Open this payment in Stripe (new tab)
    </TextLink>
  </p>
);
