/** `/order-cancelled/{id}`: a loader, then 'You have cancelled the payment', then back to where the reader belongs. */
import { EmptyState } from '#components/empty-state.tsx';
import { Spinner } from '#components/loading.tsx';
import { Failure } from '#site/islands/shared/failure.tsx';
import { ScreenFrame } from '#site/islands/shared/screen-frame.tsx';
import { Cancelled, ToOrders, WasCancelled, WasRefunded } from './cancelled.tsx';
import { CannotCancel } from './cannot-cancel.tsx';
import { Question } from './question.tsx';
import { useCancellation, type Cancellation } from './use-cancellation.ts';
import css from './cancel-screen.module.css';

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
      return <WasCancelled packageName={state.packageName} />;
    case 'refunded':
      return <WasRefunded packageName={state.packageName} />;
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
