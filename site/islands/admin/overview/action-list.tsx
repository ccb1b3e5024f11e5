/** What waits for somebody, the most pressing first, each with the way to it. */
import type { MessageStatus } from '#contract/messages.ts';
import { totalCountHeader } from '#contract/paging.ts';
import { linkTo } from '#contract/screens.ts';
import { makeCall } from '#site/islands/shared/call.ts';
import { WhenLoaded } from '#site/islands/shared/failure.tsx';
import { useLoaded } from '#site/islands/shared/use-loaded.ts';
import { Panel } from '../screen.tsx';
import { readAttention } from '../screens/read-attention.ts';
import { readTotals } from './read-totals.ts';
import css from './overview.module.css';

interface Action {
  readonly count: number;
  /** What there is of it: one, and several. */
  readonly one: string;
  readonly several: string;
  readonly href: string;
}

async function countMessages(messageStatus: MessageStatus, signal: AbortSignal): Promise<number> {
  const { data, headers } = await makeCall('GET /messages', {
    query: { messageStatus, page: 1, pageSize: 1 },
    signal,
  });
  return Number(headers.get(totalCountHeader) ?? data.length);
}

async function readActions(signal: AbortSignal): Promise<readonly Action[]> {
  const [attention, totals, unread, conversations] = await Promise.all([
    readAttention(signal),
    readTotals(signal),
    countMessages('UnRead', signal),
    makeCall('GET /unread-messages', { signal }),
  ]);
  const [newest] = conversations.data;
  const actions: readonly Action[] = [
    {
      count: attention.length,
      one: 'thing needs a person',
      several: 'things need a person',
      href: linkTo('needsAttention'),
    },
    ...(newest
      ? [
          {
            count: conversations.data.length,
            one: 'order with unread messages',
            several: 'orders with unread messages: to the newest',
            href: linkTo('order', newest.orderId),
          },
        ]
      : []),
    { count: unread, one: 'unread message', several: 'unread messages', href: linkTo('messages') },
    {
      count: totals.awaitingDelivery,
      one: 'paid order to deliver',
      several: 'paid orders to deliver',
      href: `${linkTo('orders')}?paymentStatus=Paid&orderStatus=Pending`,
    },
    {
      count: totals.byPaymentStatus.UnPaid,
      one: 'unpaid order',
      several: 'unpaid orders',
      href: `${linkTo('orders')}?paymentStatus=UnPaid`,
    },
  ];
  return actions.filter(({ count }) => count > 0);
}

export function ActionList() {
  const loaded = useLoaded('actions', readActions);
  return (
    <Panel title="Needs action">
      <WhenLoaded loaded={loaded} lines={3}>
        {(actions) =>
          actions.length === 0 ? (
            <p className={css['note']}>Nothing waits for you.</p>
          ) : (
            <ul className={css['actions']}>
              {actions.map(({ count, one, several, href }) => (
                <li key={href}>
                  <a href={href}>
                    <strong>{count}</strong> {count === 1 ? one : several}
                  </a>
                </li>
              ))}
            </ul>
          )
        }
      </WhenLoaded>
    </Panel>
  );
}
