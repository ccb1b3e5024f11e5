/** All orders: search, filter, sort, ten a page, and a CSV of all that match. */
import { Plus, ReceiptText } from 'lucide-react';
import { counted } from '#contract/counted.ts';
import { displayOrderNumber } from '#contract/orders.ts';
import type { Order } from '#contract/orders.calls.ts';
import { pageSizes } from '#contract/paging.ts';
import { linkTo } from '#contract/screens.ts';
import { LinkButton } from '#components/button.tsx';
import { EmptyState } from '#components/empty-state.tsx';
import { RowLink } from '#components/table.tsx';
import { addressWith, makeCall } from '#site/islands/shared/call.ts';
import { PagedTable } from '#site/islands/shared/paged-table.tsx';
import { pageAddress, usePage } from '#site/islands/shared/use-page.ts';
import { useSettled } from '#site/islands/shared/use-settled.ts';
import { orderColumns, paymentColumn } from '../lists/order-columns.tsx';
import { choosable, SelectionBar } from '../lists/selection.tsx';
import { useFilters } from '../lists/use-filters.ts';
import { useSelection } from '../lists/use-selection.ts';
import { NoOrders } from '../orders/no-orders.tsx';
import { appliedOf, filterNames, OrderFilters, queryOf } from '../orders/order-filters.tsx';
import { useOpenDisputes } from '../orders/open-disputes.ts';
import { severalOrders } from '../orders/order-bulk-actions.ts';
import { ExportButton } from '../export-button.tsx';
import { Panel, ScreenFrame } from '../screen.tsx';
import { useWaitingChange } from '../inbox-counts.ts';

export default function Orders() {
  const filters = useFilters(filterNames);
  const isFiltered = appliedOf(filters).length > 0;
  const wanted = useSettled(filters.values);
  const list = usePage(
    pageSizes.allOrders,
    queryOf(wanted),
    (query, signal) => makeCall('GET /orders', { query, signal }),
    pageAddress,
  );
  const selection = useSelection<Order>();
  useWaitingChange(list.reload);
  const disputes = useOpenDisputes();
  return (
    <ScreenFrame
      title="All orders"
      actions={
        <>
          <LinkButton href={linkTo('newOrder')} icon={<Plus size="1.125rem" aria-hidden="true" />}>
            New order
          </LinkButton>
          <ExportButton
            address={addressWith('GET /orders.csv', { query: { ...queryOf(filters.values), sort: '' } })}
          />
        </>
      }
    >
      <OrderFilters filters={filters} />
      <Panel
        title={list.data ? `${counted(list.data.total, 'order')}${isFiltered ? ' found' : ''}` : 'Orders'}
      >
        <SelectionBar list={list} selection={selection} {...severalOrders} />
        <PagedTable
          caption="All orders"
          list={list}
          columns={[
            choosable(orderColumns.number, selection, ({ number }) => `order ${displayOrderNumber(number)}`),
            orderColumns.date,
            orderColumns.customer,
            orderColumns.package,
            orderColumns.price,
            orderColumns.method,
            paymentColumn(disputes),
            orderColumns.status,
            {
              key: 'update',
              header: 'Update',
              phone: 'way',
              cell: ({ _id, number, customerName }) => (
                <RowLink
                  href={linkTo('order', _id)}
                  aria-label={`Update order ${displayOrderNumber(number)} of ${customerName}`}
                >
                  Update
                </RowLink>
              ),
            },
          ]}
          empty={
            isFiltered ? (
              <EmptyState title="No order matches" icon={<ReceiptText aria-hidden="true" />}>
                Try fewer words, another status or a longer time.
              </EmptyState>
            ) : (
              <NoOrders />
            )
          }
        />
      </Panel>
    </ScreenFrame>
  );
}
