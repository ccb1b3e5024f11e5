/** The message for a canceled order, with links. */
import { useEffect } from 'react';
import { may } from '#contract/audience.ts';
import { linkTo } from '#contract/screens.ts';
import { Alert } from '#site/ui/alert.tsx';
import { LinkButton } from '#site/ui/button.tsx';
import { useAttended } from '#site/ui/use-attended.ts';
import { OrderAgain } from '#site/features/orders/order-again.tsx';
import { readSession } from '#site/app/session.ts';
import css from './cancel-screen.module.css';

/** How long the message is shown before the next page opens (spec, section 9). */
const redirectDelayMs = 1_500;

/** Administrators go to `/admin`, customers to their orders. */
async function leave(): Promise<void> {
  const account = await readSession().catch(() => null);
  location.replace(account && may(account, 'staff') ? linkTo('admin') : linkTo('myOrders'));
}

export const ToOrders = () => (
  <LinkButton variant="secondary" href={linkTo('myOrders')}>
    To your orders
  </LinkButton>
);

interface CancelledProps {
  readonly packageName: string;
}

const AfterCancelling = ({ packageName }: CancelledProps) => (
  <>
    <OrderAgain packageName={packageName} />
    <ToOrders />
  </>
);

/**
 * Opens the next page automatically, unless the user is about to select a link. A pointer elsewhere does not
 * stop it.
 */
export function Cancelled({ packageName }: CancelledProps) {
  const { isAttended, watch } = useAttended();
  useEffect(() => {
    if (isAttended) return undefined;
    const timer = setTimeout(() => void leave(), redirectDelayMs);
    return () => clearTimeout(timer);
  }, [isAttended]);
  return (
    <Alert
      tone="success"
      title="You have cancelled the payment"
      action={
        <div role="presentation" className={css['ways']} {...watch}>
          <AfterCancelling packageName={packageName} />
        </div>
      }
    >
      Nothing was charged. We will take you back in a moment.
    </Alert>
  );
}

/** For an order that was canceled before. */
export const WasCancelled = ({ packageName }: CancelledProps) => (
  <Alert
    tone="info"
    title="This order is already cancelled"
    action={<AfterCancelling packageName={packageName} />}
  >
    There is nothing left to do.
  </Alert>
);

/** For an order that was paid and refunded. */
export const WasRefunded = ({ packageName }: CancelledProps) => (
  <Alert
    tone="info"
    title="This order was already refunded"
    action={<AfterCancelling packageName={packageName} />}
  >
    All that was paid for it has been returned, so there is nothing to cancel.
  </Alert>
);
