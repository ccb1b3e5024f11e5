/**
 * The first screen of the admin panel. Each role sees its part: shortcuts, what is due, the newest orders, what
 * needs attention, sales, the newest releases and publications, and subscribers.
 */
import { useQuery } from '@tanstack/react-query';
import { BadgeDollarSign, Mail, ReceiptText, Scale, Settings, UserCog, Users } from 'lucide-react';
import { withoutSlash } from '#contract/route-pattern.ts';
import { DuePanel } from './due-panel.tsx';
import { MonthlyRevenue, TotalSales, Sources } from './sales-panels.tsx';
import { NewestOrders, NewestSubscribers } from './newest-lists.tsx';
import { PasskeyNotice } from './passkey-notice.tsx';
import { SalesChart } from '../money/sales-chart.tsx';
import { offered, type Entry } from '../shell/entries.ts';
import { inboxCountsQuery, useRefetchOnInboxChange } from '../shell/inbox-counts.ts';
import { isRestricted, offers, isTrial } from '../shell/role.ts';
import { ScreenFrame } from '../shell/screen.tsx';
import { Card } from '#site/ui/card.tsx';
import { cluster, stack, surface, target } from '#site/ui/layout.ts';
import css from './overview.module.css';
import { Alert } from '#site/ui/alert.tsx';
import { Skeleton } from '#site/ui/loading.tsx';
import { lazyPart, NotLoaded } from '#site/app/lazy-part.tsx';
import { attentionKinds } from '#contract/attention.ts';
import { linkTo } from '#contract/screens.ts';
import { api } from '#site/app/call.ts';
import { QueryBoundary } from '#site/app/query-boundary.tsx';
import { RelativeTime } from '#site/ui/date-time.tsx';
import { TextLink } from '#site/ui/text-link.tsx';
import { callQuery, useCall } from '#site/app/query.ts';
import { AttentionActions } from '../attention/attention-actions.tsx';
import { classNames } from '#site/ui/class-names.ts';

/** They import the sections, which nothing else on this screen does. */
const ContentPanels = lazyPart(() => import('./content-panels.tsx'), <Skeleton lines={8} />);

/** The remaining setup tasks, and the part that shows them, so that the notice appears complete. */
const setupQuery = {
  queryKey: ['setup notice'],
  queryFn: async ({ signal }: { readonly signal: AbortSignal }) => {
    const { data: tasks } = await api('GET /setup-tasks', { signal });
    if (tasks.length === 0) return null;
    const { default: SetupTasks } = await import('./setup-tasks.tsx').catch(() => ({ default: NotLoaded }));
    return { tasks, SetupTasks };
  },
  enabled: offers('administrator'),
};

export default function Overview() {
  useRefetchOnInboxChange();
  const isReady = useTopIsLoaded();
  return (
    <ScreenFrame title="Welcome to Admin Panel">
      {!isReady && <Skeleton lines={8} />}
      <div className={stack(5)} hidden={!isReady}>
        <TrialNotice />
        <SetupNotice />
        <PasskeyNotice />
        {offers('orders') && <Actions />}
        {offers('orders') ? <OrdersAndSales /> : <ActionList />}
        {offers('content') && !offers('orders') && <ContentPanels />}
        {offers('customers') && <NewestSubscribers />}
      </div>
    </ScreenFrame>
  );
}

/** Whether the first load of what is at the top has ended. Until then, its parts would push each other down. */
function useTopIsLoaded(): boolean {
  const parts = [
    useQuery(setupQuery),
    useQuery({ ...callQuery('GET /stripe-keys'), enabled: offers('administrator') }),
    useQuery({ ...callQuery('GET /due'), enabled: offers('orders') }),
    useQuery({ ...inboxCountsQuery, enabled: offers('orders') }),
  ];
  return parts.every(({ isFetched, isFetching }) => isFetched || !isFetching);
}

/** Shortcuts in one row, because most of them repeat the navigation. */
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

const Actions = () => (
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

function OrdersAndSales() {
  const hidesTotals = isRestricted('totals');
  return (
    <>
      <DuePanel />
      <NewestOrders />
      {hidesTotals ? (
        <ActionList />
      ) : (
        <>
          <div className={stack(5, css['first'])}>
            <ActionList />
            <div className={stack(5, css['second'])}>
              <TotalSales />
              <MonthlyRevenue />
            </div>
          </div>
          <SalesChart />
          <Sources />
        </>
      )}
    </>
  );
}

function TrialNotice() {
  if (!isTrial) return null;
  return (
    <Alert tone="warning" isStanding title="This site is a trial: it sends no email">
      The site has no domain of its own yet, so it cannot send email. Customers get no confirmations, and you
      get no notifications: check here for new orders and messages. Emails wait for three days. The deployment
      guide explains how to give the site a domain.
    </Alert>
  );
}

/** The attention screen shows all items. */
const maxShown = 3;

function ActionList() {
  const first = useCall('GET /needs-attention', { query: { page: 1, pageSize: maxShown } });
  return (
    <Card title="Needs attention" aside={<TextLink href={linkTo('needsAttention')}>See all items</TextLink>}>
      <QueryBoundary query={first} lines={3}>
        {(items) =>
          items.length === 0 ? (
            <p className={classNames('muted', css['nothing'])}>Nothing needs attention.</p>
          ) : (
            <ul className={stack(4)}>
              {items.map((item) => (
                <li key={item._id} className={stack(1, css['line'])}>
                  <p>
                    <strong>{attentionKinds[item.kind].title}</strong>,{' '}
                    <RelativeTime at={item.at} className="muted" />
                  </p>
                  <p className={css['text']}>{item.text}</p>
                  <AttentionActions item={item} />
                </li>
              ))}
            </ul>
          )
        }
      </QueryBoundary>
    </Card>
  );
}

function SetupNotice() {
  const { data } = useQuery(setupQuery);
  return (
    data && (
      <Alert tone="warning" isStanding title="Finish setting up your site">
        <data.SetupTasks tasks={data.tasks} />
      </Alert>
    )
  );
}
