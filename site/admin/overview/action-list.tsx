/** What waits for somebody, the most pressing first, each with the way to it. */
import { linkTo } from '#contract/screens.ts';
import { api } from '#site/app/call.ts';
import { WhenLoaded } from '#site/app/failure.tsx';
import { RelativeTime } from '#site/ui/date-time.tsx';
import { useLoaded } from '#site/app/use-loaded.ts';
import { AttentionActions, kindTexts } from '../attention/attention-actions.tsx';
import { Panel } from '../shell/screen.tsx';
import { useWaitingChange } from '../shell/inbox-counts.ts';
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
  const [first, { data: waiting }] = await Promise.all([
    api('GET /needs-attention', { query: { page: 1, pageSize: mostShown }, signal }),
    api('GET /waiting', { signal }),
  ]);
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
  return {
    first: first.data,
    actions: actions.filter(({ count }) => count > 0),
  };
}

export function ActionList() {
  const loaded = useLoaded('actions', readActions);
  useWaitingChange(loaded.reload);
  return (
    <Panel title="Needs attention">
      <WhenLoaded loaded={loaded} lines={3}>
        {({ first, actions }) =>
          actions.length === 0 ? (
            <p className={css['nothing']}>Nothing waits for you.</p>
          ) : (
            <>
              {first.length > 0 && (
                <ul className={css['lines']}>
                  {first.map((item) => (
                    <li key={item._id} className={css['line']}>
                      <p>
                        <strong>{kindTexts[item.kind]}</strong>,{' '}
                        <RelativeTime at={item.at} className={css['note']} />
                      </p>
                      <p className={css['text']}>{item.text}</p>
                      <AttentionActions item={item} onChange={loaded.reload} />
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
          )
        }
      </WhenLoaded>
    </Panel>
  );
}
