/** What is due today and in the coming days, and the numbers of other open items, each with a link. */
import { useQuery } from '@tanstack/react-query';
import type { Due, DueItem, InboxCounts } from '#contract/customers.calls.ts';
import { displayDate } from '#contract/days.ts';
import { displayOrderNumber } from '#contract/orders.ts';
import { linkTo } from '#contract/screens.ts';
import { Badge, type Tone } from '#site/ui/badge.tsx';
import { QueryBoundary } from '#site/app/query-boundary.tsx';
import { joinQueries, useCall } from '#site/app/query.ts';
import { inboxCountsQuery } from '../shell/inbox-counts.ts';
import { Card } from '#site/ui/card.tsx';
import { columns, row, stack } from '#site/ui/layout.ts';
import { classNames } from '#site/ui/class-names.ts';
import summary from '#site/ui/summary.module.css';
import css from './due-panel.module.css';
import { linkToOrders } from '../orders/order-links.ts';
import overview from './overview.module.css';

/** The number of items that each part shows at first. */
const maxShown = 3;

export function DuePanel() {
  const due = useCall('GET /due');
  const waiting = useQuery(inboxCountsQuery);
  return (
    <Card title="Due">
      <QueryBoundary query={joinQueries({ due, waiting })} lines={4}>
        {(data) => <DueLists due={data.due} waiting={data.waiting} />}
      </QueryBoundary>
    </Card>
  );
}

function DueLists({ due: { today, items }, waiting }: { readonly due: Due; readonly waiting: InboxCounts }) {
  const isDue = ({ day }: DueItem) => day <= today;
  const [now, later] = [items.filter(isDue), items.filter((item) => !isDue(item))];
  return (
    <>
      <WaitingCounts waiting={waiting} />
      {items.length === 0 && <p className="muted">Nothing is due in the coming days.</p>}
      <div className={columns(5, css['parts'])}>
        {now.length > 0 && <Part title="Today" items={now} today={today} />}
        {later.length > 0 && <Part title="Coming days" items={later} today={today} />}
      </div>
    </>
  );
}

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

function WaitingCounts({ waiting }: { readonly waiting: InboxCounts }) {
  const counts = countsOf(waiting);
  if (counts.length === 0)
    return <p className={classNames('muted', overview['nothing'])}>No orders or messages are waiting.</p>;
  return (
    <ul className={columns([0, 4], overview['actions'])}>
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

interface PartProps {
  readonly title: string;
  readonly items: readonly DueItem[];
  readonly today: string;
}

const Part = ({ title, items, today }: PartProps) => (
  <div className={stack(0)}>
    <h3 className="subheading">{title}</h3>
    <Lines items={items.slice(0, maxShown)} today={today} />
    {items.length > maxShown && (
      <details>
        <summary className={classNames(summary['summary'], summary['small'], summary['more'])}>
          {items.length - maxShown} more
        </summary>
        <Lines items={items.slice(maxShown)} today={today} />
      </details>
    )}
  </div>
);

const Lines = ({ items, today }: Omit<PartProps, 'title'>) => (
  <ul className={stack(0)}>
    {items.map((item) => (
      <li key={item._id}>
        <Line item={item} today={today} />
      </li>
    ))}
  </ul>
);

const kinds: Readonly<Record<DueItem['kind'], { readonly label: string; readonly tone: Tone }>> = {
  step: { label: 'Step', tone: 'neutral' },
  brief: { label: 'Answers', tone: 'warning' },
  unpaid: { label: 'Unpaid', tone: 'warning' },
  message: { label: 'Message', tone: 'info' },
  reply: { label: 'New reply', tone: 'info' },
};

/** Returns 'Overdue since 11/02/2026', 'Today', or the day. */
function dayText({ kind, day }: DueItem, today: string): string {
  if (day === today) return 'Today';
  if (day > today) return displayDate(day);
  return `${kind === 'step' || kind === 'brief' ? 'Overdue since' : 'Since'} ${displayDate(day)}`;
}

function Line({ item, today }: { readonly item: DueItem; readonly today: string }) {
  const { kind, recordId, title, number, name, isMine } = item;
  return (
    <a className={row([0, 2], css['line'])} href={linkTo(number === null ? 'message' : 'order', recordId)}>
      <Badge tone={kinds[kind].tone}>{kinds[kind].label}</Badge>
      <strong className="strong">{title}</strong>
      {isMine && <Badge tone="success">Mine</Badge>}
      <span className="note">
        {name !== '' && (
          <>
            <bdi>{name}</bdi> ·{' '}
          </>
        )}
        {number !== null && `${displayOrderNumber(number)} · `}
        {dayText(item, today)}
      </span>
    </a>
  );
}
