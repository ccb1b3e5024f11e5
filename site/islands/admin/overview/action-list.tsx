/** What waits for somebody, the most pressing first, each with the way to it. */
import type { UnreadConversation } from '#contract/conversations.ts';
import { counted } from '#contract/counted.ts';
import { displayOrderNumber } from '#contract/orders.ts';
import { linkTo } from '#contract/screens.ts';
import { LinkButton } from '#components/button.tsx';
import { makeCall } from '#site/islands/shared/call.ts';
import { WhenLoaded } from '#site/islands/shared/failure.tsx';
import { Age } from '#site/islands/shared/moment.tsx';
import { useLoaded } from '#site/islands/shared/use-loaded.ts';
import { AttentionActions, kindTexts } from '../attention/attention-actions.tsx';
import { Panel } from '../screen.tsx';
import { useWaitingChange } from '../waiting.ts';
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

async function readActions(signal: AbortSignal) {
  const [first, { data: waiting }, { data: unread }] = await Promise.all([
    makeCall('GET /needs-attention', { query: { page: 1, pageSize: mostShown }, signal }),
    makeCall('GET /waiting', { signal }),
    makeCall('GET /unread-messages', { signal }),
  ]);
  const [newest] = unread;
  const actions: readonly Action[] = [
    {
      count: waiting.attention,
      one: 'thing needs attention',
      several: 'things need attention',
      href: linkTo('needsAttention'),
    },
    ...(newest
      ? [
          {
            count: waiting.conversations,
            one: 'order with unread messages',
            several: 'orders with unread messages: to the newest',
            href: linkTo('order', newest.orderId),
          },
        ]
      : []),
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
  return {
    first: first.data,
    unread: unread.slice(0, mostShown),
    actions: actions.filter(({ count }) => count > 0),
  };
}

export function ActionList() {
  const loaded = useLoaded('actions', readActions);
  useWaitingChange(loaded.reload);
  return (
    <Panel title="Needs attention">
      <WhenLoaded loaded={loaded} lines={3}>
        {({ first, unread, actions }) =>
          actions.length === 0 ? (
            <p className={css['nothing']}>Nothing waits for you.</p>
          ) : (
            <>
              {first.length + unread.length > 0 && (
                <ul className={css['lines']}>
                  {first.map((item) => (
                    <li key={item._id} className={css['line']}>
                      <p>
                        <strong>{kindTexts[item.kind]}</strong>, <Age at={item.at} className={css['note']} />
                      </p>
                      <p className={css['text']}>{item.text}</p>
                      <AttentionActions item={item} onChange={loaded.reload} />
                    </li>
                  ))}
                  {unread.map((conversation) => (
                    <UnreadLine key={conversation.orderId} conversation={conversation} />
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
          )
        }
      </WhenLoaded>
    </Panel>
  );
}

function UnreadLine({ conversation }: { readonly conversation: UnreadConversation }) {
  const { orderId, orderNumber, customerName, unread, at } = conversation;
  return (
    <li className={css['line']}>
      <p>
        <strong>{customerName || 'A customer'}</strong>, <Age at={at} className={css['note']} />
      </p>
      <p className={css['text']}>
        {counted(unread, 'new message')} on order {displayOrderNumber(orderNumber)}.
      </p>
      <LinkButton href={linkTo('order', orderId)} variant="secondary" size="small">
        Read and answer
      </LinkButton>
    </li>
  );
}
