/**
 * The customer's screens: one island, in which the address chooses the screen by the route table and each screen is a
 * file of its own that is loaded when it is shown.
 */
import { lazy, Suspense, type ComponentType, type LazyExoticComponent } from 'react';
import { findScreen } from '../../../worker/contract/screens.ts';
import { LinkButton } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Skeleton } from '../../components/loading.tsx';
import { CustomerFrame } from './customer-frame.tsx';

interface ScreenProps {
  /** The id in the address; empty where the route has none. */
  readonly id: string;
}

/** Every screen of the customer's shell, by its name in the route table. */
const screenFiles: Readonly<Record<string, LazyExoticComponent<ComponentType<ScreenProps>>>> = {
  dashboard: lazy(() => import('./screens/dashboard.tsx')),
  orders: lazy(() => import('./screens/my-orders.tsx')),
  'pending-orders': lazy(() => import('./screens/pending-orders.tsx')),
  order: lazy(() => import('./screens/order.tsx')),
  account: lazy(() => import('../account/account-screen.tsx')),
};

// The address is the document's for as long as this script lives: screens are left by plain links.
const found = findScreen(location.pathname);
const Shown = found && screenFiles[found.screen.name];

export default function Customer() {
  return (
    <CustomerFrame>
      {Shown ? (
        <Suspense fallback={<Skeleton lines={8} />}>
          <Shown id={found.id ?? ''} />
        </Suspense>
      ) : (
        <EmptyState
          title="There is no such page"
          action={<LinkButton href="/dashboard">To your dashboard</LinkButton>}
        >
          The address may be misspelled.
        </EmptyState>
      )}
    </CustomerFrame>
  );
}
