/** The numbers of open items, most urgent first, each with a link. */
import type { InboxCounts } from '#contract/customers.calls.ts';
import { linkTo } from '#contract/screens.ts';
import { classNames } from '#site/ui/class-names.ts';
import { linkToOrders } from '../orders/order-links.ts';
import { columns } from '#site/ui/layout.ts';
import typography from '#site/ui/typography.module.css';
import css from './overview.module.css';

/** Each count that is not zero, its noun in singular and plural, and its link. */
const countsOf = ({ attention, messages, toDeliver, unpaid }: InboxCounts) =>
  (
    [
      [attention, 'item needs attention', 'items need attention', linkTo('needsAttention')],
      [messages, 'unread message', 'unread messages', linkTo('messages')],
      [
        toDeliver,
        'paid order to deliver',
        'paid orders to deliver',
        linkToOrders({ paymentStatus: 'Paid', orderStatus: 'Pending' }),
      ],
      [unpaid, 'unpaid order', 'unpaid orders', linkToOrders({ paymentStatus: 'UnPaid' })],
    ] as const
  ).filter(([count]) => count > 0);

export function WaitingCounts({ waiting }: { readonly waiting: InboxCounts }) {
  const counts = countsOf(waiting);
  if (counts.length === 0)
    return <p className={classNames(typography['muted'], css['nothing'])}>You are all caught up.</p>;
  return (
    <ul className={columns([0, 4], css['actions'])}>
      {counts.map(([count, one, several, href]) => (
        <li key={href}>
          <a href={href}>
            <strong>{count}</strong> {count === 1 ? one : several}
          </a>
        </li>
      ))}
    </ul>
  );
}
