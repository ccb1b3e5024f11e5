/** `/order-cancelled/{id}`: a loader, then 'You have cancelled the payment', then the user's next page. */
import type { ReactNode } from 'react';
import { displayPriceText } from '#contract/money.ts';
import { displayOrderNumber } from '#contract/orders.ts';
import type { Order } from '#contract/orders.calls.ts';
import { linkTo } from '#contract/screens.ts';
import { Alert } from '#site/ui/alert.tsx';
import { Button, LinkButton } from '#site/ui/button.tsx';
import { Card } from '#site/ui/card.tsx';
import { EmptyState } from '#site/ui/empty-state.tsx';
import { Spinner } from '#site/ui/loading.tsx';
import { Failure } from '#site/app/failure.tsx';
import { ScreenFrame } from '#site/ui/screen-frame.tsx';
import { Cancelled, ToOrders, WasCancelled, WasRefunded } from './cancelled.tsx';
import { useCancellation, type Cancellation } from './use-cancellation.ts';
import css from './cancel-screen.module.css';

/** The states in which there is nothing left to cancel. */
const isOver = ({ kind }: Cancellation) =>
  kind === 'cancelled' || kind === 'wasCancelled' || kind === 'refunded';

export default function CancelScreen({ id }: { readonly id: string }) {
  const { state, cancel, open } = useCancellation(id);
  return (
    <ScreenFrame title={isOver(state) ? 'Your order' : 'Cancel the order'}>
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
      return <WasCancelled packageName={state.packageName} />;
    case 'refunded':
      return <WasRefunded packageName={state.packageName} />;
    case 'paid':
      return (
        <CannotCancel id={id} title="This order is already paid">
          A paid order cannot be cancelled here. If you have changed your mind, write to us and we will find a
          way.
        </CannotCancel>
      );
    case 'delivered':
      return (
        <CannotCancel id={id} title="This order is already delivered">
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

/** Asks customers who came by another site's link whether to cancel the order. */
function Question({ order, onCancel }: { readonly order: Order; readonly onCancel: () => void }) {
  return (
    <Card title="Do you want to cancel this order?">
      <p>
        Order {displayOrderNumber(order.number)}: the {order.displayName} package for{' '}
        {displayPriceText(order.packagePrice)}, ordered {order.orderDate}. It is not paid, so nothing is
        charged.
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

interface CannotCancelProps {
  readonly id: string;
  readonly title: string;
  readonly children: ReactNode;
}

/** Why an order cannot be canceled, and what to do instead. */
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
