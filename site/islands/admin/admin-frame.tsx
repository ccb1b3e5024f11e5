/** What stands around every screen of the administrator: the navigation, and the header with the site's status. */
import type { Ability } from '#contract/audience.ts';
import { withoutSlash } from '#contract/route-pattern.ts';
import { linkTo } from '#contract/screens.ts';
import { useState, type ReactNode } from 'react';
import {
  CalendarClock,
  Contact,
  CreditCard,
  ExternalLink,
  History,
  LayoutDashboard,
  LogOut,
  Mail,
  Menu,
  PanelsTopLeft,
  ReceiptText,
  Scale,
  ShieldCheck,
  TriangleAlert,
  Users,
  X,
  type LucideIcon,
} from 'lucide-react';
import { Button } from '#components/button.tsx';
import { useToast } from '#components/toast.tsx';
import { FindAnything } from './customers/find-anything.tsx';
import { PublishingStatus } from './publishing.tsx';
import { offers } from './role.ts';
import { homes, paymentKeyHome } from './section-homes.ts';
import { readSession, signOut } from '../shared/session.ts';
import { useLoaded } from '../shared/use-loaded.ts';
import { useAction } from '../shared/use-action.ts';
import css from './admin-frame.module.css';

interface Entry {
  readonly href: string;
  readonly label: string;
  readonly icon: LucideIcon;
  readonly ability: Ability;
}

const workEntries: readonly Entry[] = [
  { href: linkTo('admin'), label: 'Overview', icon: LayoutDashboard, ability: 'staff' },
  { href: linkTo('orders'), label: 'Orders', icon: ReceiptText, ability: 'orders' },
  { href: linkTo('ledger'), label: 'Ledger', icon: Scale, ability: 'administrator' },
  { href: linkTo('messages'), label: 'Messages', icon: Mail, ability: 'messages' },
  { href: linkTo('customers'), label: 'Customers', icon: Contact, ability: 'customers' },
  { href: linkTo('subscribers'), label: 'Subscribers', icon: Users, ability: 'customers' },
  { href: linkTo('needsAttention'), label: 'Needs attention', icon: TriangleAlert, ability: 'orders' },
];
const siteEntries: readonly Entry[] = [
  { href: linkTo('settings'), label: 'Site content', icon: PanelsTopLeft, ability: 'content' },
  { href: linkTo('releases'), label: 'Releases', icon: CalendarClock, ability: 'content' },
  { href: linkTo('publications'), label: 'Publications', icon: History, ability: 'content' },
  { href: linkTo('auditLog'), label: 'Audit log', icon: ShieldCheck, ability: 'administrator' },
  {
    href: paymentKeyHome.path,
    label: paymentKeyHome.title,
    icon: CreditCard,
    ability: paymentKeyHome.ability,
  },
];

const samePath = (a: string, b: string) => withoutSlash(a) === withoutSlash(b);

const offered = <E extends { readonly ability: Ability }>(entries: readonly E[]) =>
  entries.filter(({ ability }) => offers(ability));

function NavLink({
  href,
  label,
  icon: NavIcon,
}: Pick<Entry, 'href' | 'label'> & { readonly icon?: LucideIcon }) {
  return (
    <li>
      <a
        className={css['link']}
        href={href}
        aria-current={samePath(href, location.pathname) ? 'page' : undefined}
      >
        {NavIcon && <NavIcon size={20} aria-hidden="true" />}
        {label}
      </a>
    </li>
  );
}

function Navigation() {
  return (
    <nav aria-label="Admin" id="admin-navigation" className={css['navigation']}>
      {offers('customers') && <FindAnything />}
      <ul className={css['links']}>
        {offered(workEntries).map((entry) => (
          <NavLink key={entry.href} {...entry} />
        ))}
      </ul>
      {offers('content') && (
        <>
          <ul className={css['links']}>
            {offered(siteEntries).map((entry) => (
              <NavLink key={entry.href} {...entry} />
            ))}
          </ul>
          <details className={css['sections']}>
            <summary>All sections</summary>
            <ul className={css['links']}>
              {offered(homes).map(({ path, title }) => (
                <NavLink key={path} href={path} label={title} />
              ))}
            </ul>
          </details>
        </>
      )}
    </nav>
  );
}

export function AdminFrame({ children }: { readonly children: ReactNode }) {
  const [isOpen, setIsOpen] = useState(false);
  const session = useLoaded('session', readSession);
  const { act } = useAction(useToast());

  return (
    <div className={css['frame']} data-open={isOpen || undefined}>
      <header className={css['header']}>
        <div className={css['menu']}>
          <Button
            variant="quiet"
            size="small"
            aria-expanded={isOpen}
            aria-controls="admin-navigation"
            icon={isOpen ? <X size={20} aria-hidden="true" /> : <Menu size={20} aria-hidden="true" />}
            onClick={() => setIsOpen(!isOpen)}
          >
            Menu
          </Button>
        </div>
        <a className={css['home']} href={linkTo('admin')}>
          Admin
        </a>
        <PublishingStatus />
        <div className={css['account']}>
          <span className={css['email']}>{session.data?.email}</span>
          <a className={css['site']} href={linkTo('home')}>
            <ExternalLink size={18} aria-hidden="true" />
            <span className={css['text']}>View site</span>
          </a>
          <Button
            variant="quiet"
            size="small"
            icon={<LogOut size={18} aria-hidden="true" />}
            onClick={() => void act(signOut)}
          >
            <span className={css['text']}>Sign out</span>
          </Button>
        </div>
      </header>
      <Navigation />
      <main id="main" tabIndex={-1} className={css['main']}>
        {children}
      </main>
    </div>
  );
}
