/** `/pay-now/{id}`: the order, the card field, and whatever the order's state calls for instead. */
import { displayPriceText } from '../../../../worker/contract/money.ts';
import type { Stripe } from '@stripe/stripe-js';
import { Alert } from '../../../components/alert.tsx';
import { Button } from '../../../components/button.tsx';
import { Skeleton } from '../../../components/loading.tsx';
import { useLoaded, type Loaded } from '../../shared/use-loaded.ts';
import type { CallError } from '../../shared/call.ts';
import { ScreenFrame, TwoColumns } from '../../shared/screen-frame.tsx';
import { OrderToPay } from './order-to-pay.tsx';
import { PayForm } from './pay-form.tsx';
import { openPayment, ownerOf, readPayableOrder, type PayableOrder } from './payable-order.ts';
import { SettledNotice } from './settled-notice.tsx';
import { openStripe } from './stripe-script.ts';

export function PayScreen({ id }: { readonly id: string }) {
  // The card provider's script loads beside the order; neither waits for the other.
  const provider = useLoaded('card provider', openStripe);
  const order = useLoaded(id, (signal) => readPayableOrder(id, signal));
  return (
    <ScreenFrame
      title="Pay for your order"
      intro={
        order.data &&
        `The ${order.data.packageName} package for ${displayPriceText(order.data.packagePrice)}.`
      }
    >
      {order.error && (
        <Problem title="Failed to fetch order details" error={order.error} onRetry={order.reload} />
      )}
      {order.data ? (
        <Payment order={order.data} provider={provider} onDoubt={order.reload} />
      ) : (
        !order.error && <Skeleton lines={6} label="Loading the order" />
      )}
    </ScreenFrame>
  );
}

interface PaymentProps {
  readonly order: PayableOrder;
  readonly provider: Loaded<Stripe>;
  /** Called when the order may have been paid or cancelled elsewhere. */
  readonly onDoubt: () => void;
}

function Payment({ order, provider, onDoubt }: PaymentProps) {
  const opened = useLoaded(order._id, (signal) => openPayment(order, signal));
  const settled = [order, opened.data?.order].find((known) => known && known.paymentStatus !== 'UnPaid');
  if (settled) return <SettledNotice order={settled} />;
  return (
    <TwoColumns aside={<OrderToPay order={order} />}>
      {provider.error && (
        <Problem title={provider.error.problem.title} error={provider.error} onRetry={provider.reload} />
      )}
      {opened.error && (
        <Problem title="Failed to create payment intent" error={opened.error} onRetry={opened.reload} />
      )}
      <PayForm
        order={order}
        owner={ownerOf(order)}
        stripe={provider.data}
        clientSecret={opened.data?.clientSecret}
        onDoubt={onDoubt}
      />
    </TwoColumns>
  );
}

interface ProblemProps {
  readonly title: string;
  readonly error: CallError;
  readonly onRetry: () => void;
}

const Problem = ({ title, error, onRetry }: ProblemProps) => (
  <Alert
    title={title}
    action={
      <Button variant="secondary" size="small" onClick={onRetry}>
        Try again
      </Button>
    }
  >
    {error.message}
  </Alert>
);
