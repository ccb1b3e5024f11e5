/** `/pending-order`: orders that wait for payment or work, and the payment of one that was just placed. */
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { CircleCheck } from 'lucide-react';
import { linkTo } from '#contract/screens.ts';
import { findPlacedOrder } from '#site/features/orders/placed-order.ts';
import { LinkButton } from '#site/ui/button.tsx';
import { EmptyState } from '#site/ui/empty-state.tsx';
import { Skeleton } from '#site/ui/loading.tsx';
import { TextLink } from '#site/ui/text-link.tsx';
import {
  dateColumn,
  nameColumn,
  OrderList,
  orderStatusColumn,
  paymentColumn,
  standingColumn,
  type OrderColumns,
} from '../order-list.tsx';

/** It contains the card form, which is needed only right after ordering. */
const PayNewOrder = lazy(() => import('../pay-new-order.tsx'));

export default function PendingOrders() {
  const [placed] = useState(findPlacedOrder);
  if (placed === undefined) return <PendingOrderList />;
  return (
    <Suspense fallback={<Skeleton lines={8} />}>
      <PayNewOrder id={placed} list={(payment) => <PendingOrderList before={payment} />} />
    </Suspense>
  );
}

/** The URL that shows every order. */
const withAll = `${linkTo('pendingOrders')}?show=all`;

const columns: OrderColumns = () => [
  dateColumn('Date'),
  nameColumn,
  { header: 'Amount', phone: 'named', cell: ({ packagePrice }) => `${packagePrice} USD` },
  orderStatusColumn,
  standingColumn,
  paymentColumn,
];

const NothingPending = () => (
  <EmptyState
    title="No pending orders"
    icon={<CircleCheck size="1.5rem" />}
    action={<LinkButton href={linkTo('pricing')}>See the packages</LinkButton>}
  >
    You have no orders that are unpaid or in progress.
  </EmptyState>
);

/**
 * The orders that wait, with their prices. A link shows the others.
 * @param props.before shown above the list
 */
function PendingOrderList({ before }: { readonly before?: ReactNode }) {
  const showsAll = new URLSearchParams(location.search).get('show') === 'all';
  return (
    <OrderList
      title="Your Pending Orders"
      own={showsAll ? 'true' : 'open'}
      intro={
        showsAll
          ? 'All your orders, newest first, including delivered, cancelled and refunded ones.'
          : 'Orders that are waiting for your payment or for our work. We start on an order as soon as you pay for it, and you can cancel it until then.'
      }
      columns={columns}
      before={before}
      empty={showsAll ? undefined : <NothingPending />}
      after={
        showsAll ? (
          <TextLink href={linkTo('pendingOrders')}>Show pending orders only</TextLink>
        ) : (
          <TextLink href={withAll}>Show all your orders</TextLink>
        )
      }
    />
  );
}
