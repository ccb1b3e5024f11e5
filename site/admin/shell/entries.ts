/** The admin screens in the navigation and in the search. */
import {
  CalendarClock,
  Contact,
  CreditCard,
  History,
  LayoutDashboard,
  Mail,
  PanelsTopLeft,
  ReceiptText,
  Repeat,
  Scale,
  TicketPercent,
  ShieldCheck,
  TriangleAlert,
  UserCog,
  Users,
  type LucideIcon,
} from 'lucide-react';
import type { Ability } from '#contract/audience.ts';
import type { InboxCounts } from '#contract/customers.calls.ts';
import { withoutSlash } from '#contract/route-pattern.ts';
import { findScreen, type AnyScreen } from '#contract/all-screens.ts';
import { linkTo } from '#contract/screens.ts';
import { offers } from './role.ts';
import { paymentKeyHome, usersHome } from '../content/section-homes.ts';

export interface Entry {
  readonly href: string;
  readonly label: string;
  readonly icon: LucideIcon;
  readonly ability: Ability;
  /** The other screens that belong to this entry. The entry is also marked as current on them. */
  readonly leadsTo?: readonly AnyScreen['name'][] | undefined;
  /** The count of open items, and its text for screen readers. */
  readonly counts?: { readonly what: keyof InboxCounts; readonly spoken: string };
}

export const workEntries: readonly Entry[] = [
  { href: linkTo('admin'), label: 'Overview', icon: LayoutDashboard, ability: 'staff' },
  {
    href: linkTo('orders'),
    label: 'Orders',
    icon: ReceiptText,
    ability: 'orders',
    leadsTo: ['order', 'newOrder'],
    counts: { what: 'toDeliver', spoken: 'to deliver' },
  },
  {
    href: linkTo('subscriptions'),
    label: 'Subscriptions',
    icon: Repeat,
    ability: 'orders',
    leadsTo: ['customerSubscription'],
  },
  { href: linkTo('ledger'), label: 'Ledger', icon: Scale, ability: 'administrator' },
  { href: linkTo('coupons'), label: 'Coupons', icon: TicketPercent, ability: 'administrator' },
  {
    href: linkTo('messages'),
    label: 'Messages',
    icon: Mail,
    ability: 'messages',
    leadsTo: ['message'],
    counts: { what: 'messages', spoken: 'unread' },
  },
  {
    href: linkTo('customers'),
    label: 'Customers',
    icon: Contact,
    ability: 'customers',
    leadsTo: ['customer'],
  },
  { href: linkTo('subscribers'), label: 'Subscribers', icon: Users, ability: 'customers' },
  {
    href: linkTo('needsAttention'),
    label: 'Needs attention',
    icon: TriangleAlert,
    ability: 'staff',
    counts: { what: 'attention', spoken: 'waiting' },
  },
];
export const siteEntries: readonly Entry[] = [
  {
    href: linkTo('settings'),
    label: 'Site content',
    icon: PanelsTopLeft,
    ability: 'content',
    leadsTo: ['sections', 'editRecord'],
  },
  {
    href: linkTo('releases'),
    label: 'Releases',
    icon: CalendarClock,
    ability: 'content',
    leadsTo: ['release'],
  },
  { href: linkTo('publications'), label: 'Publications', icon: History, ability: 'content' },
  { href: linkTo('auditLog'), label: 'Audit log', icon: ShieldCheck, ability: 'administrator' },
  {
    href: paymentKeyHome.path,
    label: paymentKeyHome.title,
    icon: CreditCard,
    ability: paymentKeyHome.ability,
    leadsTo: ['paymentKey'],
  },
  {
    href: usersHome.path,
    label: usersHome.title,
    icon: UserCog,
    ability: usersHome.ability,
    leadsTo: ['member'],
  },
];

/** The value of `aria-current` for an entry: `page` on its own screen, `true` on a screen that belongs to it. */
export function currentAt(
  path: string,
  { href, leadsTo }: Pick<Entry, 'href' | 'leadsTo'>,
): 'page' | true | undefined {
  if (withoutSlash(href) === withoutSlash(path)) return 'page';
  const name = leadsTo && findScreen(path)?.screen.name;
  return (name !== undefined && leadsTo?.includes(name)) || undefined;
}

export const offered = <E extends { readonly ability: Ability }>(entries: readonly E[]) =>
  entries.filter(({ ability }) => offers(ability));
