/** `/order-cancelled/{id}`: a loader, then 'You have cancelled the payment', then the user's next page. */
import { type ReactNode, useEffect } from 'react';
import { displayPackagePrice } from '#contract/packages.ts';
import { displayOrderNumber, isEnded } from '#contract/orders.ts';
import type { Order } from '#contract/orders.calls.ts';
import { linkTo } from '#contract/screens.ts';
import { may } from '#contract/audience.ts';
import { Alert } from '#site/ui/alert.tsx';
import { Button, LinkButton } from '#site/ui/button.tsx';
import { Card } from '#site/ui/card.tsx';
import { EmptyState } from '#site/ui/empty-state.tsx';
import { Spinner } from '#site/ui/loading.tsx';
import { Failure } from '#site/app/failure.tsx';
import { OrderAgain } from '#site/features/orders/order-again.tsx';
import { ScreenFrame } from '#site/ui/screen-frame.tsx';
import { useCancellation, type Cancellation } from './use-cancellation.ts';
import { cluster, stack } from '#site/ui/layout.ts';
import css from './cancel-screen.module.css';
import { useAttended } from '#site/ui/use-attended.ts';
import { readSession } from '#site/app/session.ts';

const isOver = (state: Cancellation) =>
  state.kind === 'cancelled' || (state.kind === 'settled' && isEnded(state.order));

export default function CancelScreen({ id }: { readonly id: string }) {
  const { state, cancel, open } = useCancellation(id);
  return (
    <ScreenFrame title={isOver(state) ? 'Your order' : 'Cancel the order'}>
      <div className={stack(4, css['content'])} aria-live="polite">
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
    case 'settled':
      return <Settled order={state.order} />;
    case 'delivered':
      return (
        <CannotCancel id={id} title="This order is already delivered">
          {state.error.message}
        </CannotCancel>
      );
    case 'failed':
      return state.error.status === 404 || state.error.status === 403 ? (
        <EmptyState title="We could not find this order" action={<ToOrders />}>
          The address may be misspelled, or the order belongs to another account.
        </EmptyState>
      ) : (
        <Failure error={state.error} onRetry={state.order ? onCancel : onOpen}>
          {state.order && <p>The order has not been cancelled.</p>}
        </Failure>
      );
  }
}

/** For an order that was already paid, refunded or cancelled. */
function Settled({ order: { _id, paymentStatus, packageName } }: { readonly order: Order }) {
  if (paymentStatus === 'Paid')
    return (
      <CannotCancel id={_id} title="This order is already paid">
        A paid order cannot be cancelled here. If you have changed your mind, write to us and we will find a
        way.
      </CannotCancel>
    );
  const isRefunded = paymentStatus === 'Refunded';
  return (
    <Alert
      tone="info"
      title={isRefunded ? 'This order was already refunded' : 'This order is already cancelled'}
      action={
        <>
          <OrderAgain packageName={packageName} />
          <ToOrders />
        </>
      }
    >
      {isRefunded
        ? 'Everything paid for it has been refunded, so there is nothing to cancel.'
        : 'There is nothing left to do.'}
    </Alert>
  );
}

/** Asks for confirmation if the customer did not come from our own cancel link. */
function Question({ order, onCancel }: { readonly order: Order; readonly onCancel: () => void }) {
  return (
    <Card title="Do you want to cancel this order?">
      <p>
        Order {displayOrderNumber(order.number)}: the {order.displayName} package for{' '}
        {displayPackagePrice(order)}, ordered {order.orderDate}. It is not paid, so nothing is charged.
      </p>
      <div className={cluster(2)}>
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

/** How long the message is shown before the next page opens (spec, section 9). */
const redirectDelayMs = 1_500;

/** Administrators go to `/admin`, customers to their orders. */
async function leave(): Promise<void> {
  const account = await readSession().catch(() => null);
  location.replace(account && may(account, 'staff') ? linkTo('admin') : linkTo('myOrders'));
}

const ToOrders = () => (
  <LinkButton variant="secondary" href={linkTo('myOrders')}>
    Go to your orders
  </LinkButton>
);

/** Opens the next page automatically, unless the pointer or the focus is on a link. */
function Cancelled({ packageName }: { readonly packageName: string }) {
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
