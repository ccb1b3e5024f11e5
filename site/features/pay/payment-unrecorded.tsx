/** After the card has been charged: the transaction id, and where to go. */
import { linkTo } from '#contract/screens.ts';
import { useEffect } from 'react';
import { Alert } from '#site/ui/alert.tsx';
import { Button, LinkButton } from '#site/ui/button.tsx';
import { useAttended } from '#site/ui/use-attended.ts';
import type { CallError } from '#site/app/call.ts';
import css from './pay.module.css';

/** How long the transaction id stands before the dashboard opens. */
const redirectDelayMs = 2_000;

const TransactionId = ({ id }: { readonly id: string }) => (
  <p>
    Transaction id: <strong className={css['transaction']}>{id}</strong>
  </p>
);

/** The ways to an order for somebody who is not signed in to its account. */
export const WaysIn = ({ orderId }: { readonly orderId: string }) => (
  <>
    <LinkButton
      variant="secondary"
      href={`${linkTo('register')}?next=${encodeURIComponent(linkTo('myOrder', orderId))}`}
    >
      Sign Up
    </LinkButton>
    {/* Its guard leads through the log-in page whoever is not signed in. */}
    <LinkButton variant="secondary" href={linkTo('myOrder', orderId)}>
      Log in
    </LinkButton>
  </>
);

export function PaymentDone({
  orderId,
  transactionId,
  isOwner,
}: {
  readonly orderId: string;
  readonly transactionId: string;
  readonly isOwner: boolean;
}) {
  const { isAttended, watch } = useAttended();
  useEffect(() => {
    if (!isOwner || isAttended) return undefined;
    const timer = setTimeout(() => location.replace(linkTo('dashboard')), redirectDelayMs);
    return () => clearTimeout(timer);
  }, [isOwner, isAttended]);
  return (
    <Alert
      tone="success"
      title="Thank you, your payment was successful"
      action={
        isOwner ? (
          <LinkButton variant="secondary" href={linkTo('dashboard')}>
            To your dashboard
          </LinkButton>
        ) : (
          <WaysIn orderId={orderId} />
        )
      }
    >
      {/* Somebody may be copying it. */}
      <div role="presentation" {...watch}>
        <TransactionId id={transactionId} />
      </div>
      {isOwner
        ? 'We will take you to your dashboard in a moment.'
        : 'If this is your order, sign up or log in with the email address that you gave with it: there you see what comes next, and whether we need something from you to begin. Otherwise you can close this page.'}
    </Alert>
  );
}

/** Why a payment is not recorded. Nothing typed is at stake, so the usual words for a lost connection do not fit. */
const reasonOf = ({ status, message }: CallError): string =>
  status === 0 ? 'We could not reach the site. We keep trying.' : message;

/** A conflict is the server's last word; after anything else it finds the payment at Stripe by itself. */
export function PaymentUnrecorded({
  transactionId,
  error,
  isBusy,
  onRetry,
}: {
  readonly transactionId: string;
  readonly error: CallError;
  /** It is being recorded once more. */
  readonly isBusy: boolean;
  readonly onRetry: () => void;
}) {
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
      {/* A second failure is heard, because the words have changed between. */}
      <p>{isBusy ? 'We are recording your payment …' : reasonOf(error)}</p>
      <TransactionId id={transactionId} />
      {error.status !== 409 &&
        'Your card has been charged: please do not pay again. We will record the payment as soon as the site answers, or within a few minutes by asking Stripe.'}
    </Alert>
  );
}
