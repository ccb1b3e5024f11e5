/** A customer's orders as a table, five a page; the two order screens differ in their columns. */
import type { ReactNode } from 'react';
import { ShoppingBag } from 'lucide-react';
import { displayOrderNumber, isEnded, standingOf, type Order } from '#contract/orders.ts';
import { displayPriceText } from '#contract/money.ts';
import { pageSizes } from '#contract/paging.ts';
import { linkTo } from '#contract/screens.ts';
import { LinkButton } from '#components/button.tsx';
import { EmptyState } from '#components/empty-state.tsx';
import { RowLink, type Column } from '#components/table.tsx';
import { makeCall } from '../shared/call.ts';
import { pageAddress } from '../shared/page-in-address.ts';
import { PagedTable } from '../shared/paged-table.tsx';
import { Standing } from '../shared/standing.tsx';
import { ScreenFrame } from '../shared/screen-frame.tsx';
import { usePage, type PagedList } from '../shared/use-page.ts';
import { useReturn } from '../shared/use-return.ts';
import css from './order-list.module.css';

/** An order's date as the link to its own page, and its number. */
export function OrderDateLink({ order }: { readonly order: Order }) {
  return (
    <span className={css['date']}>
      <RowLink href={linkTo('myOrder', order._id)}>
        <span className="visually-hidden">{order.packageName} order of </span>
        {order.orderDate}
      </RowLink>
      <small>
        {displayOrderNumber(order.number)}, {order.packageName} package,{' '}
        {displayPriceText(order.packagePrice)}
      </small>
    </span>
  );
}

/** Whether the spec's order status says more than the one word does: an order that has ended is pending no more. */
const saysMore = (order: Order): boolean =>
  standingOf(order) !== order.orderStatus && !(isEnded(order) && order.orderStatus === 'Pending');

/** The spec's order status below the one word for where the order stands. */
export const orderStatusColumn: Column<Order> = {
  key: 'order',
  header: 'Order Status',
  cell: (order) => (
    <span className={css['status']}>
      <Standing order={order} />
      {saysMore(order) && <small>{order.orderStatus}</small>}
    </span>
  ),
};

export interface OrderListProps {
  readonly title: string;
  readonly intro: ReactNode;
  readonly columns: (list: PagedList<Order>) => readonly Column<Order>[];
}

export function OrderList({ title, intro, columns }: OrderListProps) {
  // `own`, because an administrator who is a customer too would otherwise be shown everybody's.
  const list = usePage(
    pageSizes.customerOrders,
    { own: 'true' as const },
    (query, signal) => makeCall('GET /orders', { query, signal }),
    pageAddress,
  );
  useReturn(list.reload);
  return (
    <ScreenFrame title={title} intro={intro}>
      <PagedTable caption={title} list={list} columns={columns(list)} empty={<NoOrders />} />
    </ScreenFrame>
  );
}

/** What a customer without orders sees. */
export function NoOrders() {
  return (
    <EmptyState
      title="No orders yet"
      icon={<ShoppingBag size={32} aria-hidden="true" />}
      action={<LinkButton href={linkTo('pricing')}>See the packages</LinkButton>}
    >
      Your orders appear here, with what each of them is waiting for. Choose a package to place the first one.
    </EmptyState>
  );
}
