/** A customer's orders as a table, five a page; the two order screens differ in their columns. */
import { useState, type ReactNode } from 'react';
import { ShoppingBag } from 'lucide-react';
import { pageCount, pageSizes } from '#contract/paging.ts';
import { linkTo } from '#contract/screens.ts';
import type { Order } from '#contract/orders.ts';
import { LinkButton } from '#components/button.tsx';
import { EmptyState } from '#components/empty-state.tsx';
import { Pagination } from '#components/pagination.tsx';
import { Table, type Column } from '#components/table.tsx';
import { TextLink } from '#components/text-link.tsx';
import { WhenLoaded } from '../shared/failure.tsx';
import { useLoaded } from '../shared/use-loaded.ts';
import { listOwnOrders } from './order-calls.ts';
import { pageInAddress, putPageInAddress } from './page-in-address.ts';
import { ScreenFrame } from '../shared/screen-frame.tsx';
import { useReturn } from '../shared/use-return.ts';

const pageSize = pageSizes.customerOrders;

/** An order's date as the link to its own page. */
export function OrderDateLink({ order }: { readonly order: Order }) {
  return (
    <TextLink href={linkTo('myOrder', order._id)}>
      <span className="visually-hidden">{order.packageName} order of </span>
      {order.orderDate}
    </TextLink>
  );
}

export interface OrderListProps {
  readonly title: string;
  readonly intro: ReactNode;
  /** @param firstNumber running number of the page's first order, from 1 */
  readonly columns: (firstNumber: number) => readonly Column<Order>[];
}

export function OrderList({ title, intro, columns }: OrderListProps) {
  const [page, setPage] = useState(() => pageInAddress(location.search));
  const loaded = useLoaded(`page ${page}`, (signal) => listOwnOrders(page, pageSize, signal));
  useReturn(loaded.reload);

  function showPage(wanted: number) {
    putPageInAddress(wanted);
    setPage(wanted);
  }

  return (
    <ScreenFrame title={title} intro={intro}>
      <WhenLoaded loaded={loaded} lines={pageSize}>
        {({ orders, total }) => (
          <div>
            <Table
              caption={title}
              columns={columns((page - 1) * pageSize + 1)}
              rows={orders}
              rowKey={({ _id }) => _id}
              busy={loaded.isBusy}
              empty={<NoOrders />}
            />
            <Pagination page={page} pageCount={pageCount(total, pageSize)} onPage={showPage} />
          </div>
        )}
      </WhenLoaded>
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
