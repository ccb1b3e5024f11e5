/** Reminds administrators that customers cannot pay by card without a payment key. */
import { linkTo } from '#contract/screens.ts';
import { Alert } from '#site/ui/alert.tsx';
import { LinkButton } from '#site/ui/button.tsx';
import { useCall } from '#site/app/query.ts';

export function PaymentKeyNotice() {
  const keys = useCall('GET /stripe-keys');
  if (keys.data?.length !== 0) return null;
  return (
    <Alert
      tone="warning"
      isStanding
      title="Customers cannot pay by card yet"
      action={
        <LinkButton href={linkTo('addPaymentKey')} variant="secondary" size="small">
          Add payment key
        </LinkButton>
      }
    >
      Add the publishable key of your Stripe account. Until then, customers can order, but the payment page
      does not take cards.
    </Alert>
  );
}
