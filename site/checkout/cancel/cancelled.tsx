/** The message for a cancelled order, with links. */
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

/**
 * Opens the next page automatically, unless the user is about to follow a link. A pointer elsewhere does not stop
 * it.
 */
export function Cancelled({ packageName }: { readonly packageName: string }) {
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
          <OrderAgain packageName={packageName} />
          <ToOrders />
        </div>
      }
    >
      Nothing was charged. We will take you back in a moment.
    </Alert>
  );
}
