/** The navigation around every customer screen. */
import { linkTo } from '#contract/screens.ts';
import type { ReactNode } from 'react';
import { useKeptFocus } from '../ui/use-kept-focus.ts';
import { classNames } from '#site/ui/class-names.ts';
import { cluster, target } from '#site/ui/layout.ts';
import css from './customer-frame.module.css';

const links = [
  { href: linkTo('dashboard'), label: 'Dashboard' },
  { href: linkTo('myOrders'), label: 'My Orders' },
  { href: linkTo('pendingOrders'), label: 'Pending' },
  { href: linkTo('account'), label: 'Account' },
] as const;

const currentPath = () => location.pathname.replace(/\/$/, '');

export function CustomerFrame({ children }: { readonly children: ReactNode }) {
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
