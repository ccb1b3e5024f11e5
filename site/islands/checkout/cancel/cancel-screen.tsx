/** `/order-cancelled/{id}`: a loader, then 'You have cancelled the payment', then back to where the reader belongs. */
import { displayPriceText } from '../../../../worker/contract/money.ts';
import { useEffect } from 'react';
import type { Order } from '../../../../worker/contract/orders.ts';
import { pathFor } from '../../../../worker/contract/screens.ts';
import { Alert } from '../../../components/alert.tsx';
import { Button, LinkButton } from '../../../components/button.tsx';
import { Card } from '../../../components/card.tsx';
import { EmptyState } from '../../../components/empty-state.tsx';
import { Spinner } from '../../../components/loading.tsx';
import { Failure } from '../../shared/failure.tsx';
import { readSession } from '../../shared/session.ts';
import { ScreenFrame } from '../../shared/screen-frame.tsx';
import { useCancellation, type Cancellation } from './use-cancellation.ts';
import css from './cancel-screen.module.css';

/** How long the text stands before the next page opens (spec, section 9). */
export const redirectDelayMs = 1_500;

/** An administrator goes to `/admin`, a customer to their orders. */
async function leave(): Promise<void> {
  const account = await readSession().catch(() => null);
  location.replace(account?.isAdmin ? '/admin' : '/my-order');
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
      return <Cancelled />;
    case 'wasCancelled':
      return (
        <Alert tone="info" title="This order is cancelled already" action={<ToOrders />}>
          There is nothing left to do.
        </Alert>
      );
    case 'paid':
      return <AlreadyPaid id={id} />;
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
  <LinkButton variant="secondary" href="/my-order">
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
        <LinkButton variant="secondary" href="/my-order">
          Keep the order
        </LinkButton>
        <Button variant="danger" onClick={onCancel}>
          Cancel the order
        </Button>
      </div>
    </Card>
  );
}

function Cancelled() {
  useEffect(() => {
    const timer = setTimeout(() => void leave(), redirectDelayMs);
    return () => clearTimeout(timer);
  }, []);
  return (
    <Alert tone="success" title="You have cancelled the payment" action={<ToOrders />}>
      Nothing was charged. We take you back in a moment.
    </Alert>
  );
}

function AlreadyPaid({ id }: { readonly id: string }) {
  return (
    <Alert
      tone="warning"
      title="This order is paid already"
      action={
        <>
          <LinkButton variant="secondary" href={pathFor('/order/:id', id)}>
            See the order
          </LinkButton>
          <LinkButton variant="secondary" href="/contact">
            Write to us
          </LinkButton>
        </>
      }
    >
      A paid order cannot be cancelled here. If you have changed your mind, write to us and we will find a
      way.
    </Alert>
  );
}
