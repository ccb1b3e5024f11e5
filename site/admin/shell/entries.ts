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
import { screens } from '#contract/screens.ts';
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

/** The link of an entry. Users see the entry if they may open its screen. */
const linkOf = ({ pattern, who }: { readonly pattern: string; readonly who: Ability }) => ({
  href: pattern,
  ability: who,
});

export const workEntries: readonly Entry[] = [
  { ...linkOf(screens.admin), label: 'Overview', icon: LayoutDashboard },
  {
    ...linkOf(screens.orders),
    label: 'Orders',
    icon: ReceiptText,
    leadsTo: ['order', 'newOrder'],
    counts: { what: 'toDeliver', spoken: 'to deliver' },
  },
  {
    ...linkOf(screens.subscriptions),
    label: 'Subscriptions',
    icon: Repeat,
    leadsTo: ['customerSubscription'],
  },
  { ...linkOf(screens.ledger), label: 'Ledger', icon: Scale },
  { ...linkOf(screens.coupons), label: 'Coupons', icon: TicketPercent },
  {
    ...linkOf(screens.messages),
    label: 'Messages',
    icon: Mail,
    leadsTo: ['message'],
    counts: { what: 'messages', spoken: 'unread' },
  },
  { ...linkOf(screens.customers), label: 'Customers', icon: Contact, leadsTo: ['customer'] },
  { ...linkOf(screens.subscribers), label: 'Subscribers', icon: Users },
  {
    ...linkOf(screens.needsAttention),
    label: 'Needs attention',
    icon: TriangleAlert,
    counts: { what: 'attention', spoken: 'waiting' },
  },
];
export const siteEntries: readonly Entry[] = [
  {
    ...linkOf(screens.settings),
    label: 'Site content',
    icon: PanelsTopLeft,
    leadsTo: ['sections', 'editRecord'],
  },
  { ...linkOf(screens.releases), label: 'Releases', icon: CalendarClock, leadsTo: ['release'] },
  { ...linkOf(screens.publications), label: 'Publications', icon: History },
  { ...linkOf(screens.auditLog), label: 'Audit log', icon: ShieldCheck },
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
