/** A customer's orders as a table with five rows per page. The two order screens show different columns. */
import type { ReactNode } from 'react';
import { displayPriceText } from '#contract/money.ts';
import { displayPackagePrice } from '#contract/packages.ts';
import { displayOrderNumber, isCancellable, wasRefunded } from '#contract/orders.ts';
import type { Order } from '#contract/orders.calls.ts';
import { pageSizes } from '#contract/paging.ts';
import { linkTo } from '#contract/screens.ts';
import { Badge } from '#site/ui/badge.tsx';
import { LinkButton } from '#site/ui/button.tsx';
import { RowLink, type Column } from '#site/ui/table.tsx';
import { CancelLink } from '../features/orders/cancel-link.tsx';
import { PagedTable } from '../app/paged-table.tsx';
import { OrderStatusBadge } from '../features/orders/order-status-badge.tsx';
import { ScreenFrame } from '../ui/screen-frame.tsx';
import { type PagedList, usePage } from '../app/use-page.ts';
import { useRefetchOnFocus } from '../app/use-refetch-on-focus.ts';
import { NoOrders } from './no-orders.tsx';
import { VerifyNotice } from './verify-first.tsx';
import { cluster } from '#site/ui/layout.ts';
import css from './order-list.module.css';

/** Tells screen readers which order a button belongs to. */
const OfOrder = ({ order }: { readonly order: Order }) => (
  <span className="visually-hidden"> order {displayOrderNumber(order.number)}</span>
);

function OrderDateLink({ order }: { readonly order: Order }) {
  return (
    <span className={css['date']}>
      <RowLink href={linkTo('myOrder', order._id)}>
        <span className="visually-hidden">{order.displayName} order of </span>
        {order.orderDate}
      </RowLink>
      <small className="muted">
        {displayOrderNumber(order.number)}, {order.displayName} package, {displayPackagePrice(order)}
      </small>
    </span>
  );
}

function PaymentCell({ order }: { readonly order: Order }) {
  switch (order.paymentStatus) {
    case 'Paid':
      return (
        <div className={cluster(2, css['choices'])}>
          <Badge tone="success">You Have Paid</Badge>
          {wasRefunded(order) && <Badge>Refunded {displayPriceText(order.refundedAmount)}</Badge>}
        </div>
      );
    case 'Refunded':
      return <Badge>Refunded {displayPriceText(order.refundedAmount)}</Badge>;
    case 'Cancelled':
      return <Badge>You Have Cancelled</Badge>;
    case 'UnPaid':
      return (
        <div className={cluster(2, css['choices'])}>
          <LinkButton size="small" href={linkTo('pay', order._id)}>
            Pay Now
            <OfOrder order={order} />
          </LinkButton>
          {isCancellable(order) && (
            <CancelLink order={order}>
              Cancel
              <OfOrder order={order} />
            </CancelLink>
          )}
        </div>
      );
  }
}

export const dateColumn = (header: string): Column<Order> => ({
  header,
  phone: 'lead',
  cell: (order) => <OrderDateLink order={order} />,
});

export const nameColumn: Column<Order> = {
  header: 'Your Name',
  phone: 'named',
  cell: ({ customerName }) => customerName,
};

/** The status of the work, in the specification's words. */
export const orderStatusColumn: Column<Order> = {
  header: 'Order Status',
  phone: 'named',
  cell: ({ orderStatus }) => orderStatus,
};

/** The status of the whole order in one word. */
export const standingColumn: Column<Order> = {
  header: 'Progress',
  phone: 'end',
  cell: (order) => <OrderStatusBadge order={order} />,
};

export const paymentColumn: Column<Order> = {
  header: 'Payment Status',
  wide: true,
  phone: 'whole',
  cell: (order) => <PaymentCell order={order} />,
};

export type OrderColumns = (list: PagedList<Order>) => readonly Column<Order>[];

interface OrderListProps {
  readonly title: string;
  readonly intro: ReactNode;
  readonly columns: OrderColumns;
  /** All of the customer's orders, or those that wait for payment or work. */
  readonly own?: 'true' | 'open';
  readonly empty?: ReactNode;
  readonly before?: ReactNode;
  readonly after?: ReactNode;
}

export function OrderList({ title, intro, columns, own = 'true', empty, before, after }: OrderListProps) {
  // Without `own`, an administrator who is also a customer would see all customers' orders.
  const list = usePage('GET /orders', {
    query: { own },
    pageSize: pageSizes.customerOrders,
    inAddress: 'page',
  });
  useRefetchOnFocus(list.refetch);
  return (
    <ScreenFrame title={title} intro={intro}>
      {before}
      <PagedTable caption={title} list={list} columns={columns(list)} empty={empty ?? <NoOrders />} />
      {after}
      <VerifyNotice />
    </ScreenFrame>
  );
}
