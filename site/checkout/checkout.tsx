/** Ordering and canceling in one island. The URL selects the screen from the route table. */
import { lazy, Suspense } from 'react';
import { linkTo } from '#contract/screens.ts';
import { LinkButton } from '#site/ui/button.tsx';
import { EmptyState } from '#site/ui/empty-state.tsx';
import { Skeleton } from '#site/ui/loading.tsx';
import { ScreenBoundary } from '../app/screen-boundary.tsx';
import { screenHere, type ScreenComponents } from '../app/shell-screens.ts';
import { useKeptFocus } from '../ui/use-kept-focus.ts';

/** Every checkout screen. */
const components: ScreenComponents<'checkout'> = {
  orderForm: lazy(() => import('./order/order-screen.tsx')),
  cancelOrder: lazy(() => import('./cancel/cancel-screen.tsx')),
};

// Links load new documents, so the path does not change while this script runs.
const found = screenHere('checkout');
const Shown = found && components[found.screen.name];

export default function Checkout() {
  useKeptFocus();
  if (!Shown)
    return (
      <EmptyState
        title="There is no such page"
        action={<LinkButton href={linkTo('pricing')}>See the packages</LinkButton>}
      >
        The address may be misspelled.
      </EmptyState>
    );
  return (
    <ScreenBoundary>
      <Suspense fallback={<Skeleton lines={8} />}>
        <Shown id={found.id} />
      </Suspense>
    </ScreenBoundary>
  );
}
