/** Ordering and cancelling: one island, in which the address chooses the screen by the route table. */
import { lazy, Suspense } from 'react';
import { linkTo } from '#contract/screens.ts';
import { LinkButton } from '#site/ui/button.tsx';
import { EmptyState } from '#site/ui/empty-state.tsx';
import { Skeleton } from '#site/ui/loading.tsx';
import { ScreenBoundary } from '../app/screen-boundary.tsx';
import { screenHere, type ScreenComponents } from '../app/shell-screens.ts';
import { useKeptFocus } from '../ui/use-kept-focus.ts';

/** Every screen of the checkout's shell. */
const components: ScreenComponents<'checkout'> = {
  orderForm: lazy(() => import('./order/order-screen.tsx')),
  cancelOrder: lazy(() => import('./cancel/cancel-screen.tsx')),
};

// The address is the document's for as long as this script lives: screens are left by plain links.
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
