/** The message about a payment that Stripe has received but we have not recorded yet. */
import { Alert } from '#site/ui/alert.tsx';
import { Button } from '#site/ui/button.tsx';
import type { CallError } from '#site/app/call.ts';
import css from './pay.module.css';

export const TransactionId = ({ id }: { readonly id: string }) => (
  <p>
    Transaction ID: <strong className={css['transaction']}>{id}</strong>
  </p>
);

/** No typed text is at risk, so the usual message about a lost connection does not apply. */
const reasonOf = ({ status, message }: CallError): string =>
  status === 0 ? 'We could not reach the site. We will keep trying.' : message;

interface PaymentUnrecordedProps {
  readonly transactionId: string;
  readonly error: CallError;
  /** Whether another attempt to record it is running. */
  readonly isBusy: boolean;
  readonly onRetry: () => void;
}

/** A conflict is the server's final answer. Otherwise, the server finds the payment at Stripe automatically. */
export function PaymentUnrecorded({ transactionId, error, isBusy, onRetry }: PaymentUnrecordedProps) {
  return (
    <Alert
      title="Failed to update payment status"
      action={
        error.status !== 409 && (
          <Button variant="secondary" size="small" busy={isBusy} onClick={onRetry}>
            Try again
          </Button>
        )
      }
    >
      {/* Screen readers announce a second failure, because the text changes in between. */}
      <p>{isBusy ? 'We are recording your payment…' : reasonOf(error)}</p>
      <TransactionId id={transactionId} />
      {error.status !== 409 &&
        'Your card has been charged. Please do not pay again. We will keep trying to record the payment, even if you close this page.'}
    </Alert>
  );
}
