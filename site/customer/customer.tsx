/**
 * All customer screens in one island. The URL selects the screen from the route table, and each screen is a
 * file that loads on demand.
 */
import { lazy, Suspense, type FunctionComponent } from 'react';
import { QueryClientProvider } from '@tanstack/react-query';
import { linkTo } from '#contract/screens.ts';
import { LinkButton } from '#site/ui/button.tsx';
import { EmptyState } from '#site/ui/empty-state.tsx';
import { Skeleton } from '#site/ui/loading.tsx';
import { queryClient } from '../app/query.ts';
import { ScreenBoundary } from '../app/screen-boundary.tsx';
import { screenHere, type ScreenComponents } from '../app/shell-screens.ts';
import { CustomerFrame } from './customer-frame.tsx';
import '#site/app/identity-prompt.ts';

/** Every customer screen. */
const components: ScreenComponents<'customer'> = {
  dashboard: lazy(() => import('./screens/dashboard.tsx')),
  myOrders: lazy(() => import('./screens/my-orders.tsx')),
  pendingOrders: lazy(() => import('./screens/pending-orders.tsx')),
  myOrder: lazy(() => import('./screens/order.tsx')),
  orderBrief: lazy(() => import('./screens/brief.tsx')),
  receipt: lazy(() => import('./screens/receipt.tsx')),
  subscription: lazy(() => import('./screens/subscription.tsx')),
  creditNote: lazy(() => import('./screens/credit-note.tsx')),
  account: lazy(() => import('../account/account-screen.tsx')),
};

// Links load new documents, so the path does not change while this script runs.
const found = screenHere('customer');
const Shown: FunctionComponent<{ id: string }> | undefined = found && components[found.screen.name];

export default function Customer() {
  return (
    <CustomerFrame>
      {found && Shown ? (
        <QueryClientProvider client={queryClient}>
          <ScreenBoundary>
            <Suspense fallback={<Skeleton lines={8} />}>
              <Shown id={found.id} />
            </Suspense>
          </ScreenBoundary>
        </QueryClientProvider>
      ) : (
        <EmptyState
          title="There is no such page"
          action={<LinkButton href={linkTo('dashboard')}>To your dashboard</LinkButton>}
        >
          The address may be misspelled.
        </EmptyState>
      )}
    </CustomerFrame>
  );
}
