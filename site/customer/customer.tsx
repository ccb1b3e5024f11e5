/**
 * All customer screens in one island. The URL selects the screen from the route table, and each screen is a
 * file that loads on demand.
 */
import { lazy } from 'react';
import { QueryClientProvider } from '@tanstack/react-query';
import { queryClient } from '../app/query.ts';
import { ShellScreen } from '../app/shell-screen.tsx';
import { screenHere } from '../app/shell-screens.ts';
import { Toasts } from '../app/toasts.tsx';
import { CustomerFrame } from './customer-frame.tsx';
import '#site/app/identity-prompt.ts';

const screen = screenHere('customer', {
  dashboard: lazy(() => import('./screens/dashboard.tsx')),
  myOrders: lazy(() => import('./screens/my-orders.tsx')),
  pendingOrders: lazy(() => import('./screens/pending-orders.tsx')),
  myOrder: lazy(() => import('./screens/order.tsx')),
  orderBrief: lazy(() => import('./screens/brief.tsx')),
  receipt: lazy(() => import('./screens/receipt.tsx')),
  subscription: lazy(() => import('./screens/subscription.tsx')),
  creditNote: lazy(() => import('./screens/credit-note.tsx')),
  account: lazy(() => import('../account/account-screen.tsx')),
});

export default function Customer() {
  return (
    <CustomerFrame>
      <QueryClientProvider client={queryClient}>
        <ShellScreen screen={screen} />
        <Toasts />
      </QueryClientProvider>
    </CustomerFrame>
  );
}
