/** All customer screens in one island. The URL selects the screen, whose file loads on demand. */
import { lazy, type ReactNode } from 'react';
import { QueryClientProvider } from '@tanstack/react-query';
import { linkTo } from '#contract/screens.ts';
import { queryClient } from '../app/query.ts';
import { ShellScreen } from '../app/shell-screen.tsx';
import { screenHere } from '../app/shell-screens.ts';
import { Toasts } from '../app/toasts.tsx';
import '#site/app/identity-prompt.ts';
import { useKeptFocus } from '../ui/use-kept-focus.ts';
import { classNames } from '#site/ui/class-names.ts';
import { cluster, target } from '#site/ui/layout.ts';
import css from './customer-frame.module.css';

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

const links = [
  { href: linkTo('dashboard'), label: 'Dashboard' },
  { href: linkTo('myOrders'), label: 'My Orders' },
  { href: linkTo('pendingOrders'), label: 'Pending' },
  { href: linkTo('account'), label: 'Account' },
] as const;

const currentPath = () => location.pathname.replace(/\/$/, '');

function CustomerFrame({ children }: { readonly children: ReactNode }) {
  useKeptFocus();
  return (
    <>
      <nav aria-label="Your account" className={classNames(css['nav'], 'screen-only')}>
        <ul className={cluster(0, css['links'])}>
          {links.map(({ href, label }) => (
            <li key={href}>
              <a
                href={href}
                className={target(css['link'])}
                aria-current={href === currentPath() ? 'page' : undefined}
              >
                {label}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      {children}
    </>
  );
}
