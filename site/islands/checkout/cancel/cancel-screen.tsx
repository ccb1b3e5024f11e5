/** `/order-cancelled/{id}`: a loader, then 'You have cancelled the payment', then back to where the reader belongs. */
import { displayPriceText } from '#contract/money.ts';
import { useEffect, type ReactNode } from 'react';
import type { Order } from '#contract/orders.ts';
import { linkTo } from '#contract/screens.ts';
import { Alert } from '#components/alert.tsx';
import { Button, LinkButton } from '#components/button.tsx';
import { Card } from '#components/card.tsx';
import { EmptyState } from '#components/empty-state.tsx';
import { Spinner } from '#components/loading.tsx';
import { useAttended } from '#components/use-attended.ts';
import { Failure } from '#site/islands/shared/failure.tsx';
import { readSession } from '#site/islands/shared/session.ts';
import { ScreenFrame } from '#site/islands/shared/screen-frame.tsx';
import { OrderAgain } from './order-again.tsx';
import { useCancellation, type Cancellation } from './use-cancellation.ts';
import css from './cancel-screen.module.css';

/** How long the text stands before the next page opens (spec, section 9). */
export const redirectDelayMs = 1_500;

/** An administrator goes to `/admin`, a customer to their orders. */
async function leave(): Promise<void> {
  const account = await readSession().catch(() => null);
  location.replace(account?.isAdmin ? linkTo('admin') : linkTo('myOrders'));
}

export default function CancelScreen({ id }: { readonly id: string }) {
  const { state, cancel, open } = useCancellation(id);
  return (
    <ScreenFrame title="Cancel the order">
      <div className={css['content']} aria-live="polite">
        <CancellationView id={id} state={state} onCancel={cancel} onOpen={open} />
      </div>
    </ScreenFrame>
  );
}

interface ViewProps {
  readonly id: string;
  readonly state: Cancellation;
  readonly onCancel: () => void;
  readonly onOpen: () => void;
}

function CancellationView({ id, state, onCancel, onOpen }: ViewProps) {
  switch (state.kind) {
    case 'opening':
      return <Spinner label="Looking up the order" visible />;
    case 'cancelling':
      return <Spinner label="Cancelling the order" visible />;
    case 'asking':
      return <Question order={state.order} onCancel={onCancel} />;
    case 'cancelled':
      return <Cancelled packageName={state.packageName} />;
    case 'wasCancelled':
      return (
        <Alert
          tone="info"
          title="This order is cancelled already"
          action={<AfterCancelling packageName={state.packageName} />}
        >
          There is nothing left to do.
        </Alert>
      );
    case 'paid':
      return (
        <CannotCancel id={id} title="This order is paid already">
          A paid order cannot be cancelled here. If you have changed your mind, write to us and we will find a
          way.
        </CannotCancel>
      );
    case 'delivered':
      return (
        <CannotCancel id={id} title="This order is delivered already">
          {state.error.message}
        </CannotCancel>
      );
    case 'failed':
      return state.error.status === 404 || state.error.status === 403 ? (
        <EmptyState title="There is no such order" action={<ToOrders />}>
          The address may be misspelled, or the order belongs to another account.
        </EmptyState>
      ) : (
        <Failure error={state.error} onRetry={state.order ? onCancel : onOpen}>
          {state.order && <p>The order has not been cancelled.</p>}
        </Failure>
      );
  }
}

const ToOrders = () => (
  <LinkButton variant="secondary" href={linkTo('myOrders')}>
    To your orders
  </LinkButton>
);

function Question({ order, onCancel }: { readonly order: Order; readonly onCancel: () => void }) {
  return (
    <Card title="Do you want to cancel this order?">
      <p>
        The {order.packageName} package for {displayPriceText(order.packagePrice)}, ordered {order.orderDate}.
        It is not paid, so nothing is charged.
      </p>
      <div className={css['actions']}>
        <LinkButton variant="secondary" href={linkTo('myOrders')}>
          Keep the order
        </LinkButton>
        <Button variant="danger" onClick={onCancel}>
          Cancel the order
        </Button>
      </div>
    </Card>
  );
}

const AfterCancelling = ({ packageName }: { readonly packageName: string }) => (
  <>
    <OrderAgain packageName={packageName} />
    <ToOrders />
  </>
);

/** Leads back by itself, unless somebody is about to choose where to go. */
function Cancelled({ packageName }: { readonly packageName: string }) {
  const { isAttended, watch } = useAttended();
  useEffect(() => {
    if (isAttended) return undefined;
    const timer = setTimeout(() => void leave(), redirectDelayMs);
    return () => clearTimeout(timer);
  }, [isAttended]);
  return (
    <div role="presentation" {...watch}>
      <Alert
        tone="success"
        title="You have cancelled the payment"
        action={<AfterCancelling packageName={packageName} />}
      >
        Nothing was charged. We take you back in a moment.
      </Alert>
    </div>
  );
}

interface CannotCancelProps {
  readonly id: string;
  readonly title: string;
  readonly children: ReactNode;
}

function CannotCancel({ id, title, children }: CannotCancelProps) {
  return (
    <Alert
      tone="warning"
      title={title}
      action={
        <>
          <LinkButton variant="secondary" href={linkTo('myOrder', id)}>
            See the order
          </LinkButton>
          <LinkButton variant="secondary" href={linkTo('contact')}>
            Write to us
          </LinkButton>
        </>
      }
    >
      {children}
    </Alert>
  );
}
