/** Shortcuts on the overview, in one row, because most of them repeat the navigation. */
import {
  BadgeDollarSign,
  Mail,
  ReceiptText,
  Scale,
  Settings,
  UserCog,
  Users,
  type LucideIcon,
} from 'lucide-react';
import type { Ability } from '#contract/audience.ts';
import { withoutSlash } from '#contract/route-pattern.ts';
import { linkTo } from '#contract/screens.ts';
import { useCall } from '#site/app/query.ts';
import { offers } from '../shell/role.ts';
import { cluster, surface, target } from '#site/ui/layout.ts';
import css from './overview.module.css';

interface Shortcut {
  readonly href: string;
  readonly title: string;
  readonly icon: LucideIcon;
  readonly ability: Ability;
}

const shortcuts: readonly Shortcut[] = [
  { href: linkTo('settings'), title: 'Site content', icon: Settings, ability: 'content' },
  { href: linkTo('orders'), title: 'Orders', icon: ReceiptText, ability: 'orders' },
  { href: linkTo('ledger'), title: 'Ledger', icon: Scale, ability: 'administrator' },
  { href: linkTo('messages'), title: 'Messages', icon: Mail, ability: 'messages' },
  { href: linkTo('subscribers'), title: 'Subscribers', icon: Users, ability: 'customers' },
  { href: linkTo('members'), title: 'Admin Email', icon: UserCog, ability: 'administrator' },
];

const ShortcutLink = ({ href, title, icon: Icon }: Pick<Shortcut, 'href' | 'title' | 'icon'>) => (
  <li>
    <a className={target(surface(css['shortcut']))} href={href}>
      <Icon size="1.125rem" aria-hidden="true" />
      {title}
    </a>
  </li>
);

export const Actions = () => (
  <ul className={cluster(2)}>
    {shortcuts
      .filter(({ ability }) => offers(ability))
      .map(({ href, title, icon }) => (
        <ShortcutLink key={href} href={withoutSlash(href)} title={title} icon={icon} />
      ))}
    {offers('administrator') && <PaymentShortcut />}
  </ul>
);

function PaymentShortcut() {
  const keys = useCall('GET /stripe-keys');
  return (
    <>
      {keys.data?.map(({ _id }) => (
        <ShortcutLink key={_id} href={linkTo('paymentKey', _id)} title="Payment" icon={BadgeDollarSign} />
      ))}
      {keys.data?.length === 0 && (
        <ShortcutLink href={linkTo('addPaymentKey')} title="Add payment key" icon={BadgeDollarSign} />
      )}
    </>
  );
}
