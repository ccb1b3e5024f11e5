/** All orders: search, filter, sort, ten a page, and a CSV of all that match. */
import { Download, Plus, ReceiptText } from 'lucide-react';
import { counted } from '#contract/counted.ts';
import { pageSizes } from '#contract/paging.ts';
import { linkTo } from '#contract/screens.ts';
import { Button, LinkButton } from '#components/button.tsx';
import { EmptyState } from '#components/empty-state.tsx';
import { TextLink } from '#components/text-link.tsx';
import { addressWith, makeCall } from '#site/islands/shared/call.ts';
import { useSettled } from '#site/islands/shared/use-settled.ts';
import { orderColumns } from '../lists/order-columns.tsx';
import { PagedTable } from '#site/islands/shared/paged-table.tsx';
import { usePage } from '#site/islands/shared/use-page.ts';
import { NoOrders } from '../orders/no-orders.tsx';
import { OrderFilters } from '../orders/order-filters.tsx';
import { queryOf, useOrderFilters } from '../orders/use-order-filters.ts';
import { Panel, ScreenFrame } from '../screen.tsx';
import { useWaitingChange } from '../waiting.ts';

export default function Orders() {
  const { filters, isFiltered, setFilter, setView, clear } = useOrderFilters();
  const wanted = useSettled(filters);
  const list = usePage(pageSizes.allOrders, queryOf(wanted), (query, signal) =>
    makeCall('GET /orders', { query, signal }),
  );
  useWaitingChange(list.reload);
  return (
    <ScreenFrame
      title="All Orders"
      actions={
        <>
          <LinkButton href={linkTo('newOrder')} icon={<Plus size={18} aria-hidden="true" />}>
            New order
          </LinkButton>
          <LinkButton
            href={addressWith('GET /orders.csv', { query: filters })}
            download
            variant="secondary"
            icon={<Download size={18} aria-hidden="true" />}
          >
            Export CSV
          </LinkButton>
        </>
      }
    >
      <OrderFilters filters={filters} onChange={setFilter} onView={setView} />
      <Panel
        title={list.data ? `${counted(list.data.total, 'order')}${isFiltered ? ' found' : ''}` : 'Orders'}
        aside={
          isFiltered && (
            <Button variant="quiet" size="small" onClick={clear}>
              Clear the search
            </Button>
          )
        }
      >
        <PagedTable
          caption="All orders"
          list={list}
          columns={[
            orderColumns.number,
            orderColumns.date,
            orderColumns.customer,
            orderColumns.package,
            orderColumns.price,
            orderColumns.method,
            orderColumns.payment,
            orderColumns.status,
            {
              key: 'update',
              header: 'Update',
              cell: ({ _id, customerName }) => (
                <TextLink href={linkTo('order', _id)} aria-label={`Update the order of ${customerName}`}>
                  Update
                </TextLink>
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
