/** The customer's first screen: their orders and subscriptions, and what to do next. */
import { linkTo } from '#contract/screens.ts';
import { ClipboardList, LifeBuoy, LogOut, Wallet, Repeat } from 'lucide-react';
import { displayPrice } from '#contract/money.ts';
import { isOpen } from '#contract/orders.ts';
import type { OrderTotals } from '#contract/orders.calls.ts';
import { Alert } from '#site/ui/alert.tsx';
import { Button, LinkButton } from '#site/ui/button.tsx';
import { Card } from '#site/ui/card.tsx';
import { TextLink } from '#site/ui/text-link.tsx';
import { counted } from '#contract/counted.ts';
import type { CallData } from '#site/app/call.ts';
import { Failure } from '#site/app/failure.tsx';
import { QueryBoundary } from '#site/app/query-boundary.tsx';
import { signOut } from '#site/app/session.ts';
import { useMutation } from '#site/app/use-mutation.ts';
import { joinQueries, useCall, callQuery } from '#site/app/query.ts';
import { NoOrders } from '../no-orders.tsx';
import { nextStep } from '#site/features/orders/order-progress.ts';
import { VerifyNotice } from '../verify-first.tsx';
import { OrderSummaryCard, type OrderGlanceProps } from '../order-summary.tsx';
import { ScreenFrame } from '#site/ui/screen-frame.tsx';
import { useRefetchOnFocus } from '#site/app/use-refetch-on-focus.ts';
import { columns, stack, spread, surface } from '#site/ui/layout.ts';
import type { Subscription } from '#contract/subscriptions.calls.ts';
import { SubscriptionStatus } from '#site/features/subscription/subscription-status.tsx';
import { useQuery } from '@tanstack/react-query';
import { may } from '#contract/audience.ts';
import type { InboxCounts } from '#contract/customers.calls.ts';
import css from './dashboard.module.css';

function withUnread(
  orders: CallData<'GET /own-work'>,
  conversations: CallData<'GET /unread-messages'>,
): readonly OrderGlanceProps[] {
  const unreadOf = new Map(conversations.map(({ orderId, unread }) => [orderId, unread]));
  return orders.map(({ order, work }) => ({ order, work, unread: unreadOf.get(order._id) ?? 0 }));
}

export default function Dashboard() {
  const query = joinQueries({
    totals: useCall('GET /order-totals', { query: { own: 'true' } }),
    work: useCall('GET /own-work'),
    conversations: useCall('GET /unread-messages', { query: { own: 'true' } }),
    subscriptions: useCall('GET /subscriptions', { query: { own: 'true', state: 'live' } }),
    // `VerifyNotice` reads this. It then appears together with the orders and moves nothing.
    session: useCall('GET /auth/session'),
  });
  useRefetchOnFocus(query.refetch);
  const others = query.data?.subscriptions.filter((one) => !hasFailed(one)) ?? [];
  return (
    <ScreenFrame title="Welcome to User Dashboard" actions={<SignOutButton />}>
      {worksHere() && <ToAdminPanel />}
      <section className={stack(4)} aria-labelledby="next">
        <h2 id="next" className="heading">
          What happens next
        </h2>
        <QueryBoundary query={query}>
          {({ totals, work, conversations, subscriptions }) => (
            <>
              <VerifyNotice />
              <FailedPayments subscriptions={subscriptions.filter(hasFailed)} />
              <NextSteps orders={withUnread(work, conversations)} total={totals.orders} />
            </>
          )}
        </QueryBoundary>
      </section>
      {others.length > 0 && (
        <div className={stack(4)}>
          <OwnSubscriptions subscriptions={others} />
        </div>
      )}
      <Cards totals={query.data?.totals} />
    </ScreenFrame>
  );
}

function Cards({ totals }: { readonly totals: OrderTotals | undefined }) {
  return (
    <div className={columns(4)}>
      <Card title="My Orders" href={linkTo('myOrders')} icon={<ClipboardList size="1.375rem" />}>
        <p className="figure">{totals ? counted(totals.orders, 'order') : '…'}</p>
        <p className="muted">See each order and its status.</p>
      </Card>
      <Card title="Total Spent" href={linkTo('home')} icon={<Wallet size="1.375rem" />}>
        <p className="figure">{totals ? displayPrice(totals.paidCents) : '…'}</p>
        <p className="muted">
          The sum of your paid orders
          {totals && totals.afterRefundsCents !== totals.paidCents
            ? `, ${displayPrice(totals.afterRefundsCents)} after refunds.`
            : '.'}
        </p>
      </Card>
      <Card title="Support" href={linkTo('contact')} icon={<LifeBuoy size="1.375rem" />}>
        <p className="figure">Talk to us</p>
        <p className="muted">Write to the people who do the work.</p>
      </Card>
    </div>
  );
}

/** The maximum number of orders on this screen, unless more wait for the customer. The orders page shows all. */
const nextStepsShown = 3;

interface NextStepsProps {
  /** The orders that wait for the customer, and the newest ones. */
  readonly orders: readonly OrderGlanceProps[];
  readonly total: number;
}

/** Orders that wait for the customer or have unread messages, then others in progress, or else the newest one. */
function NextSteps({ orders, total }: NextStepsProps) {
  if (orders.length === 0) return <NoOrders />;
  const isTheirs = ({ order, work, unread }: OrderGlanceProps) =>
    unread > 0 || nextStep(order, work).turn === 'yours';
  const open = orders.filter((one) => isOpen(one.order) || isTheirs(one));
  const theirs = open.filter(isTheirs);
  const sorted = [...theirs, ...open.filter((one) => !isTheirs(one))];
  const most = Math.max(nextStepsShown, theirs.length);
  const shown = sorted.length > 0 ? sorted.slice(0, most) : orders.slice(0, 1);
  return (
    <>
      <ul className={stack(4)}>
        {shown.map((one) => (
          <li key={one.order._id}>
            <OrderSummaryCard {...one} />
          </li>
        ))}
      </ul>
      {total > shown.length && (
        <p>
          <TextLink href={linkTo('myOrders')}>See all your orders</TextLink>
        </p>
      )}
    </>
  );
}

function SignOutButton() {
  const { mutate, isPending, error } = useMutation({ mutationFn: signOut, changesNothing: true });
  return (
    <>
      <Button variant="secondary" busy={isPending} icon={<LogOut size="1.125rem" />} onClick={() => mutate()}>
        Signout
      </Button>
      <Failure error={error} />
    </>
  );
}

const hasFailed = ({ state }: Subscription) => state === 'failed' || state === 'onHold';

const FailedPayments = ({ subscriptions }: { readonly subscriptions: readonly Subscription[] }) =>
  subscriptions.map(({ _id, displayName, whatNext }) => (
    <Alert
      key={_id}
      isStanding
      title={`${displayName} package: payment failed`}
      action={<LinkButton href={linkTo('subscription', _id)}>Pay or change the card</LinkButton>}
    >
      {whatNext}
    </Alert>
  ));

function OwnSubscriptions({ subscriptions }: { readonly subscriptions: readonly Subscription[] }) {
  return subscriptions.map(({ _id, displayName, state, whatNext }) => (
    <Card
      key={_id}
      title={`${displayName} package, every month`}
      href={linkTo('subscription', _id)}
      icon={<Repeat size="1.375rem" />}
      aside={<SubscriptionStatus state={state} />}
    >
      <p>{whatNext}</p>
    </Card>
  ));
}

/** The page's inline script reads this from the cookie. It grants no access. */
const worksHere = (): boolean => document.documentElement.dataset['signedIn'] === 'admin';

const countsOf = ({ attention, messages, toDeliver, unpaid }: InboxCounts): readonly string[] =>
  (
    [
      [attention, 'item that needs attention', 'items that need attention'],
      [messages, 'unread message', 'unread messages'],
      [toDeliver, 'paid order to deliver', 'paid orders to deliver'],
      [unpaid, 'unpaid order', 'unpaid orders'],
    ] as const
  ).flatMap(([count, one, many]) => (count > 0 ? [counted(count, one, many)] : []));

/** For staff. Shows only the link until the counts are known, or if the user may not see them. */
function ToAdminPanel() {
  const session = useCall('GET /auth/session');
  const isStaff = may(session.data?.account ?? undefined, 'staff');
  const waiting = useQuery({ ...callQuery('GET /waiting'), enabled: isStaff });
  useRefetchOnFocus(() => {
    void session.refetch();
    if (isStaff) void waiting.refetch();
  });
  const counts = waiting.data && countsOf(waiting.data);
  return (
    <section className={spread([3, 5], surface(css['place']))} aria-labelledby="administration">
      <div className={stack(1)}>
        <h2 id="administration" className="heading">
          Admin panel
        </h2>
        {counts && (
          <p>{counts.length > 0 ? `${counts.join(', ')}.` : 'No orders or messages are waiting.'}</p>
        )}
      </div>
      <LinkButton href={linkTo('admin')}>Open the admin panel</LinkButton>
    </section>
  );
}
