/** All orders: search, filters, sorting, ten per page, and a CSV export of all matches. */
import { Plus, ReceiptText } from 'lucide-react';
import { counted } from '#contract/counted.ts';
import { displayOrderNumber } from '#contract/orders.ts';
import type { Order } from '#contract/orders.calls.ts';
import { pageSizes } from '#contract/paging.ts';
import { linkTo } from '#contract/screens.ts';
import { LinkButton } from '#site/ui/button.tsx';
import { EmptyState } from '#site/ui/empty-state.tsx';
import { RowLink } from '#site/ui/table.tsx';
import { addressWith } from '#site/app/call.ts';
import { PagedTable } from '#site/app/paged-table.tsx';
import { pageAddress, usePage } from '#site/app/use-page.ts';
import { useDebouncedValue } from '#site/ui/use-debounced-value.ts';
import { nameOfCustomer, orderColumns } from '../lists/order-columns.tsx';
import { choosable, SelectionBar } from '../lists/selection.tsx';
import { useFilters } from '../lists/use-filters.ts';
import { useSelection } from '../lists/use-selection.ts';
import { NoOrders } from './no-orders.tsx';
import { appliedOf, filterNames, OrderFilters, queryOf } from './order-filters.tsx';
import { orderBulkActions } from './order-bulk-actions.ts';
import { ExportButton } from '../shell/export-button.tsx';
import { Panel, ScreenFrame } from '../shell/screen.tsx';
import { useRefetchOnInboxChange } from '../shell/inbox-counts.ts';

export default function Orders() {
  const filters = useFilters(filterNames);
  const isFiltered = appliedOf(filters).length > 0;
  const wanted = useDebouncedValue(filters.values);
  const list = usePage('GET /orders', {
    query: queryOf(wanted),
    pageSize: pageSizes.allOrders,
    address: pageAddress,
  });
  const selection = useSelection<Order>();
  useRefetchOnInboxChange();
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
        <SelectionBar list={list} selection={selection} {...orderBulkActions} />
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
            orderColumns.payment,
            orderColumns.status,
            {
              header: 'Update',
              phone: 'way',
              cell: (order) => (
                <RowLink
                  href={linkTo('order', order._id)}
                  aria-label={`Update order ${displayOrderNumber(order.number)} of ${nameOfCustomer(order)}`}
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
