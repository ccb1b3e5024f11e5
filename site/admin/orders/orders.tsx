/** All orders: search, filters, sorting, ten per page, and a CSV export of all matches. */
import { Plus, ReceiptText } from 'lucide-react';
import { displayOrderNumber, isEnded } from '#contract/orders.ts';
import type { Order } from '#contract/orders.calls.ts';
import { pageSizes } from '#contract/paging.ts';
import { linkTo } from '#contract/screens.ts';
import { LinkButton } from '#site/ui/button.tsx';
import { RowLink } from '#site/ui/table.tsx';
import { addressWith, api } from '#site/app/call.ts';
import { usePage } from '#site/app/use-page.ts';
import { useDebouncedValue } from '#site/ui/use-debounced-value.ts';
import { nameOfCustomer, orderColumns } from '../lists/order-columns.tsx';
import { ListPanel } from '../lists/list-panel.tsx';
import { choosable, SelectionBar } from '../lists/selection.tsx';
import { useFilters } from '../lists/use-filters.ts';
import { appliedOf, OrderFilters, orderFilters, queryOf } from './order-filters.tsx';
import { ExportButton } from '../shell/export-button.tsx';
import { ScreenFrame } from '../shell/screen.tsx';
import { useRefetchOnInboxChange } from '../shell/inbox-counts.ts';
import { useSelection, type BulkAction, type BulkActions } from '../lists/use-bulk-actions.ts';

export default function Orders() {
  const filters = useFilters(orderFilters);
  const isFiltered = appliedOf(filters).length > 0;
  const wanted = useDebouncedValue(filters.values);
  const list = usePage('GET /orders', {
    query: queryOf(wanted),
    pageSize: pageSizes.allOrders,
    inAddress: 'page',
  });
  const selection = useSelection<Order>({ ...wanted, sort: '' });
  useRefetchOnInboxChange();
  return (
    <ScreenFrame
      title="All orders"
      actions={
        <>
          <LinkButton href={linkTo('newOrder')} icon={<Plus size="1.125rem" />}>
            New order
          </LinkButton>
          <ExportButton
            address={addressWith('GET /orders.csv', { query: { ...queryOf(filters.values), sort: '' } })}
            isEmpty={list.data?.total === 0}
          />
        </>
      }
    >
      <OrderFilters filters={filters} />
      <ListPanel
        title="Orders"
        noun="order"
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
        icon={<ReceiptText />}
        empty={['No orders yet', 'Orders will be listed here.']}
        noMatch={['No matching orders', 'Try fewer words, another status or a longer period.']}
        isFiltered={isFiltered}
      >
        <SelectionBar list={list} selection={selection} {...orderBulkActions} />
      </ListPanel>
    </ScreenFrame>
  );
}

const setStatus = (
  orderStatus: Order['orderStatus'],
  disabledReason: string,
  disabledReasonEnded: string,
) => ({
  change: ({ _id }: Order) => api('PUT /order-status/:id', { id: _id, body: { orderStatus } }),
  disabledReason: (order: Order) =>
    order.orderStatus === orderStatus
      ? disabledReason
      : isEnded(order)
        ? `This order was ${order.paymentStatus.toLowerCase()}, so ${disabledReasonEnded}.`
        : undefined,
});

const actions: readonly BulkAction<Order>[] = [
  {
    ...setStatus('Delivered', 'It is already delivered.', 'there is nothing to deliver'),
    label: 'Mark delivered',
    done: 'marked delivered',
    question: (count) => ({
      title: `Mark ${count} delivered?`,
      text: 'Each customer gets an email saying that the work is done, even if the order is not paid. Unfinished steps of their plans stay unfinished. To add a note or files, open the order.',
    }),
  },
  {
    ...setStatus('Pending', 'It is not delivered yet.', 'it stays delivered'),
    label: 'Mark in progress',
    done: 'marked in progress',
    question: (count) => ({
      title: `Mark ${count} in progress again?`,
      text: 'The orders count as in progress again. The customers get no email.',
    }),
  },
  {
    label: 'Cancel orders',
    done: 'cancelled',
    isDanger: true,
    question: (count) => ({
      title: `Cancel ${count}?`,
      text: 'You can cancel only unpaid orders. To end a paid order, refund it. Each customer gets an email. You cannot undo this.',
    }),
    change: ({ _id }) => api('PUT /order-cancelled/:id', { id: _id, body: {} }),
    disabledReason: ({ paymentStatus }) =>
      paymentStatus === 'Cancelled' ? 'It is already cancelled.' : undefined,
  },
];

const orderBulkActions: BulkActions<Order> = {
  noun: 'order',
  actions,
  nameOf: ({ number }) => displayOrderNumber(number),
};
