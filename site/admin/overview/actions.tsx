/** Shortcuts on the overview, in one row, because most of them repeat the navigation. */
import { BadgeDollarSign, Mail, ReceiptText, Scale, Settings, UserCog, Users } from 'lucide-react';
import { withoutSlash } from '#contract/route-pattern.ts';
import { linkTo } from '#contract/screens.ts';
import { useCall } from '#site/app/query.ts';
import { offered, type Entry } from '../shell/entries.ts';
import { offers } from '../shell/role.ts';
import { cluster, surface, target } from '#site/ui/layout.ts';
import css from './overview.module.css';

const shortcuts: readonly Entry[] = [
  { href: linkTo('settings'), label: 'Site content', icon: Settings, ability: 'content' },
  { href: linkTo('orders'), label: 'Orders', icon: ReceiptText, ability: 'orders' },
  { href: linkTo('ledger'), label: 'Ledger', icon: Scale, ability: 'administrator' },
  { href: linkTo('messages'), label: 'Messages', icon: Mail, ability: 'messages' },
  { href: linkTo('subscribers'), label: 'Subscribers', icon: Users, ability: 'customers' },
  { href: linkTo('members'), label: 'Admin Email', icon: UserCog, ability: 'administrator' },
];

const ShortcutLink = ({ href, label, icon: Icon }: Pick<Entry, 'href' | 'label' | 'icon'>) => (
  <li>
    <a className={target(surface(css['shortcut']))} href={href}>
      <Icon size="1.125rem" />
      {label}
    </a>
  </li>
);

export const Actions = () => (
  <ul className={cluster(2)}>
    {offered(shortcuts).map(({ href, label, icon }) => (
      <ShortcutLink key={href} href={withoutSlash(href)} label={label} icon={icon} />
    ))}
    {offers('administrator') && <PaymentShortcut />}
  </ul>
);

function PaymentShortcut() {
  const keys = useCall('GET /stripe-keys');
  return (
    <>
      {keys.data?.map(({ _id }) => (
        <ShortcutLink key={_id} href={linkTo('paymentKey', _id)} label="Payment" icon={BadgeDollarSign} />
      ))}
      {keys.data?.length === 0 && (
        <ShortcutLink href={linkTo('addPaymentKey')} label="Add payment key" icon={BadgeDollarSign} />
      )}
    </>
  );
}
