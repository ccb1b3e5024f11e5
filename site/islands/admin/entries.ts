/** The screens of the administration that stand in its navigation, and in the search over everything. */
import {
  CalendarClock,
  Contact,
  CreditCard,
  History,
  LayoutDashboard,
  Mail,
  PanelsTopLeft,
  ReceiptText,
  Scale,
  ShieldCheck,
  TriangleAlert,
  UserCog,
  Users,
  type LucideIcon,
} from 'lucide-react';
import type { Ability } from '#contract/audience.ts';
import type { Waiting } from '#contract/customers.ts';
import { withoutSlash } from '#contract/route-pattern.ts';
import { linkTo } from '#contract/screens.ts';
import { offers } from './role.ts';
import { paymentKeyHome, usersHome } from './section-homes.ts';

export interface Entry {
  readonly href: string;
  readonly label: string;
  readonly icon: LucideIcon;
  readonly ability: Ability;
  /** What waits there: its count, and what is said of it. */
  readonly counts?: { readonly what: keyof Waiting; readonly spoken: string };
}

export const workEntries: readonly Entry[] = [
  { href: linkTo('admin'), label: 'Overview', icon: LayoutDashboard, ability: 'staff' },
  {
    href: linkTo('orders'),
    label: 'Orders',
    icon: ReceiptText,
    ability: 'orders',
    counts: { what: 'toDeliver', spoken: 'to deliver' },
  },
  { href: linkTo('ledger'), label: 'Ledger', icon: Scale, ability: 'administrator' },
  {
    href: linkTo('messages'),
    label: 'Messages',
    icon: Mail,
    ability: 'messages',
    counts: { what: 'messages', spoken: 'unread' },
  },
  { href: linkTo('customers'), label: 'Customers', icon: Contact, ability: 'customers' },
  { href: linkTo('subscribers'), label: 'Subscribers', icon: Users, ability: 'customers' },
  {
    href: linkTo('needsAttention'),
    label: 'Needs attention',
    icon: TriangleAlert,
    ability: 'orders',
    counts: { what: 'attention', spoken: 'to see to' },
  },
];
export const siteEntries: readonly Entry[] = [
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
  { href: usersHome.path, label: usersHome.title, icon: UserCog, ability: usersHome.ability },
];

export const samePath = (a: string, b: string) => withoutSlash(a) === withoutSlash(b);

export const offered = <E extends { readonly ability: Ability }>(entries: readonly E[]) =>
  entries.filter(({ ability }) => offers(ability));
