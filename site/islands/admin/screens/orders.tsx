/** All orders: search, filter, sort, ten a page, and a CSV of all that match. The address keeps what was asked for. */
import { useEffect, useState } from 'react';
import { Download, ReceiptText } from 'lucide-react';
import { orderSorts, orderStatuses, paymentStatuses, type OrderSort } from '#contract/orders.ts';
import { pageSizes } from '#contract/paging.ts';
import { linkTo } from '#contract/screens.ts';
import { Button, LinkButton } from '#components/button.tsx';
import { EmptyState } from '#components/empty-state.tsx';
import { Field, SelectField } from '#components/field.tsx';
import { TextLink } from '#components/text-link.tsx';
import { counted } from '#contract/counted.ts';
import { addressWith, makeCall } from '#site/islands/shared/call.ts';
import { useSettled } from '#site/islands/shared/use-settled.ts';
import { orderColumns } from '../lists/order-columns.tsx';
import { PagedTable, serialColumn } from '../lists/paged-table.tsx';
import { usePage } from '../lists/use-page.ts';
import { Panel, ScreenFrame } from '../screen.tsx';
import css from './orders.module.css';

const filterNames = ['q', 'paymentStatus', 'orderStatus', 'from', 'to', 'sort'] as const;
type Filters = Readonly<Record<(typeof filterNames)[number], string>>;

const noFilters: Filters = { q: '', paymentStatus: '', orderStatus: '', from: '', to: '', sort: '' };

function filtersInAddress(): Filters {
  const search = new URLSearchParams(location.search);
  return filterNames.reduce((filters, name) => ({ ...filters, [name]: search.get(name) ?? '' }), noFilters);
}

/** A text out of the address when it is one of the values that the call knows, else nothing. */
const known = <T extends string>(values: readonly T[], text: string): T | '' =>
  values.find((value) => value === text) ?? '';

const sortTexts: Readonly<Record<OrderSort, string>> = {
  newest: 'Newest first',
  oldest: 'Oldest first',
  highest: 'Highest amount first',
  lowest: 'Lowest amount first',
  customer: 'By customer',
};

export default function Orders() {
  const [filters, setFilters] = useState(filtersInAddress);
  const wanted = useSettled(filters);
  const list = usePage(
    pageSizes.allOrders,
    {
      ...wanted,
      paymentStatus: known(paymentStatuses, wanted.paymentStatus),
      orderStatus: known(orderStatuses, wanted.orderStatus),
      sort: known(orderSorts, wanted.sort),
    },
    (query, signal) => makeCall('GET /orders', { query, signal }),
  );
  const isFiltered = filterNames.some((name) => name !== 'sort' && filters[name] !== '');

  useEffect(() => {
    history.replaceState(null, '', addressOf(filters));
  }, [filters]);

  const bind = (name: keyof Filters) => ({
    name,
    value: filters[name],
    onChange: ({ target }: { readonly target: { readonly value: string } }) =>
      setFilters((current) => ({ ...current, [name]: target.value })),
  });

  return (
    <ScreenFrame
      title="All Orders"
      actions={
        <LinkButton
          href={addressWith('GET /orders.csv', { query: filters })}
          download
          variant="secondary"
          icon={<Download size={18} aria-hidden="true" />}
        >
          Export CSV
        </LinkButton>
      }
    >
      <form
        role="search"
        aria-label="Orders"
        className={css['filters']}
        onSubmit={(event) => event.preventDefault()}
      >
        <Field {...bind('q')} type="search" label="Search" placeholder="Name, email or order id" />
        <SelectField {...bind('paymentStatus')} label="Payment status">
          <option value="">Any</option>
          {paymentStatuses.map((status) => (
            <option key={status}>{status}</option>
          ))}
        </SelectField>
        <SelectField {...bind('orderStatus')} label="Order status">
          <option value="">Any</option>
          {orderStatuses.map((status) => (
            <option key={status}>{status}</option>
          ))}
        </SelectField>
        <Field {...bind('from')} type="date" label="From" />
        <Field {...bind('to')} type="date" label="To" />
        <SelectField {...bind('sort')} label="Sort">
          {orderSorts.map((sort) => (
            <option key={sort} value={sort === 'newest' ? '' : sort}>
              {sortTexts[sort]}
            </option>
          ))}
        </SelectField>
      </form>
      <Panel
        title={list.data ? `${counted(list.data.total, 'order')}${isFiltered ? ' found' : ''}` : 'Orders'}
        aside={
          isFiltered && (
            <Button variant="quiet" size="small" onClick={() => setFilters(noFilters)}>
              Clear the search
            </Button>
          )
        }
      >
        <PagedTable
          caption="All orders"
          list={list}
          columns={[
            serialColumn(list),
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
              <EmptyState title="No orders yet" icon={<ReceiptText aria-hidden="true" />}>
                As soon as a customer orders a package, the order is listed here.
              </EmptyState>
            )
          }
        />
      </Panel>
    </ScreenFrame>
  );
}

/** The address of this screen with the filters in it. */
function addressOf(filters: Filters): string {
  const search = new URLSearchParams(Object.entries(filters).filter(([, value]) => value !== ''));
  return `${location.pathname}${search.size > 0 ? `?${search.toString()}` : ''}`;
}
