/** What waits for somebody, the most pressing first, each with the way to it. */
import { useQuery } from '@tanstack/react-query';
import type { AttentionItem } from '#contract/attention.calls.ts';
import type { InboxCounts } from '#contract/customers.calls.ts';
import { linkTo } from '#contract/screens.ts';
import { QueryBoundary } from '#site/app/query-boundary.tsx';
import { RelativeTime } from '#site/ui/date-time.tsx';
import { callQuery, joinQueries } from '#site/app/query.ts';
import { AttentionActions, kindTexts } from '../attention/attention-actions.tsx';
import { Panel } from '../shell/screen.tsx';
import { inboxCountsQuery } from '../shell/inbox-counts.ts';
import css from './overview.module.css';

interface Action {
  readonly count: number;
  /** What there is of it: one, and several. */
  readonly one: string;
  readonly several: string;
  readonly href: string;
}

/** Lines that are shown here whole; what there is besides is counted. */
const mostShown = 3;

function actionsOf(waiting: InboxCounts): readonly Action[] {
  const actions: readonly Action[] = [
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
  return actions.filter(({ count }) => count > 0);
}

export function ActionList() {
  const first = useQuery(callQuery('GET /needs-attention', { query: { page: 1, pageSize: mostShown } }));
  const waiting = useQuery(inboxCountsQuery);
  return (
    <Panel title="Needs attention">
      <QueryBoundary query={joinQueries({ first, waiting })} lines={3}>
        {(data) => <Actions first={data.first} actions={actionsOf(data.waiting)} />}
      </QueryBoundary>
    </Panel>
  );
}

interface ActionsProps {
  readonly first: readonly AttentionItem[];
  readonly actions: readonly Action[];
}

function Actions({ first, actions }: ActionsProps) {
  if (actions.length === 0) return <p className={css['nothing']}>Nothing waits for you.</p>;
  return (
    <>
      {first.length > 0 && (
        <ul className={css['lines']}>
          {first.map((item) => (
            <li key={item._id} className={css['line']}>
              <p>
                <strong>{kindTexts[item.kind]}</strong>, <RelativeTime at={item.at} className={css['note']} />
              </p>
              <p className={css['text']}>{item.text}</p>
              <AttentionActions item={item} />
            </li>
          ))}
        </ul>
      )}
      <ul className={css['actions']}>
        {actions.map(({ count, one, several, href }) => (
          <li key={href}>
            <a href={href}>
              <strong>{count}</strong> {count === 1 ? one : several}
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}
