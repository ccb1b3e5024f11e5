/** Ordering and cancelling: one island, in which the address chooses the screen by the route table. */
import { lazy, Suspense, type ComponentType, type LazyExoticComponent } from 'react';
import { findScreen } from '../../../worker/contract/screens.ts';
import { LinkButton } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Skeleton } from '../../components/loading.tsx';

interface ScreenProps {
  /** The id in the address. */
  readonly id: string;
}

/** Every screen of the checkout's shell, by its name in the route table. */
const screenFiles: Readonly<Record<string, LazyExoticComponent<ComponentType<ScreenProps>>>> = {
  order: lazy(() => import('./order/order-screen.tsx')),
  cancel: lazy(() => import('./cancel/cancel-screen.tsx')),
};

// The address is the document's for as long as this script lives: screens are left by plain links.
const found = findScreen(location.pathname);
const Shown = found && screenFiles[found.screen.name];

export default function Checkout() {
  if (!Shown || found.id === undefined)
    return (
      <EmptyState
        title="There is no such page"
        action={<LinkButton href="/pricing/">See the packages</LinkButton>}
      >
        The address may be misspelled.
      </EmptyState>
    );
  return (
    <Suspense fallback={<Skeleton lines={8} />}>
      <Shown id={found.id} />
    </Suspense>
  );
}
