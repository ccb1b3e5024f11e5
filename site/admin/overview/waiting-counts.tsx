/** The numbers of open items, most urgent first, each with a link. */
import type { InboxCounts } from '#contract/customers.calls.ts';
import { linkTo } from '#contract/screens.ts';
import { classNames } from '#site/ui/class-names.ts';
import typography from '#site/ui/typography.module.css';
import css from './overview.module.css';

interface Count {
  readonly count: number;
  /** The noun in singular and plural. */
  readonly one: string;
  readonly several: string;
  readonly href: string;
}

function countsOf(waiting: InboxCounts): readonly Count[] {
  const counts: readonly Count[] = [
    {
      count: waiting.attention,
      one: 'thing needs attention',
      several: 'things need attention',
      href: linkTo('needsAttention'),
    },
    { count: waiting.messages, one: 'unread message', several: 'unread messages', href: linkTo('messages') },
    {
      count: waiting.toDeliver,
      one: 'paid order to deliver',
      several: 'paid orders to deliver',
      href: `${linkTo('orders')}?paymentStatus=Paid&orderStatus=Pending`,
    },
    {
      count: waiting.unpaid,
      one: 'unpaid order',
      several: 'unpaid orders',
      href: `${linkTo('orders')}?paymentStatus=UnPaid`,
    },
  ];
  return counts.filter(({ count }) => count > 0);
}

export function WaitingCounts({ waiting }: { readonly waiting: InboxCounts }) {
  const counts = countsOf(waiting);
  if (counts.length === 0)
    return <p className={classNames(typography['muted'], css['nothing'])}>You are all caught up.</p>;
  return (
    <ul className={css['actions']}>
      {counts.map(({ count, one, several, href }) => (
        <li key={href}>
          <a href={href}>
            <strong>{count}</strong> {count === 1 ? one : several}
          </a>
        </li>
      ))}
    </ul>
  );
}
