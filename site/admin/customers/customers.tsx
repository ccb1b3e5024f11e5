/** Everyone who has ordered, with the number of orders and the total spent. */
import { Contact } from 'lucide-react';
import type { Customer } from '#contract/customers.calls.ts';
import { displayPrice } from '#contract/money.ts';
import { pageSizes } from '#contract/paging.ts';
import { linkTo } from '#contract/screens.ts';
import { Badge } from '#site/ui/badge.tsx';
import { Field } from '#site/ui/field.tsx';
import { RowLink, type Column } from '#site/ui/table.tsx';
import { EmailText } from '#site/ui/email-text.tsx';
import { RelativeTime } from '#site/ui/date-time.tsx';
import { usePage } from '#site/app/use-page.ts';
import { useDebouncedValue } from '#site/ui/use-debounced-value.ts';
import { FilterBar } from '../lists/filter-bar.tsx';
import { ListPanel } from '../lists/list-panel.tsx';
import { useFilters } from '../lists/use-filters.ts';
import { ScreenFrame } from '../shell/screen.tsx';

const columns: readonly Column<Customer>[] = [
  {
    header: 'Customer',
    wide: true,
    phone: 'lead',
    cell: ({ _id, name, email, hasAccount }) => (
      <>
        <RowLink href={linkTo('customer', _id)}>{name || email}</RowLink>{' '}
        {!hasAccount && <Badge>No account</Badge>}
      </>
    ),
  },
  { header: 'Email', wide: true, phone: 'whole', cell: ({ email }) => <EmailText email={email} /> },
  { header: 'Orders', align: 'end', phone: 'named', cell: ({ orders }) => orders },
  { header: 'Spent', align: 'end', phone: 'end', cell: ({ spentCents }) => displayPrice(spentCents) },
  { header: 'First order', phone: 'named', cell: ({ since }) => <RelativeTime at={since} /> },
];

export default function Customers() {
  const filters = useFilters({ q: 'Search' });
  const wanted = useDebouncedValue(filters.values.q.trim());
  const list = usePage('GET /customers', {
    query: { q: wanted },
    pageSize: pageSizes.customers,
    inAddress: 'page',
  });
  return (
    <ScreenFrame
      title="Customers"
      intro="Everyone who has ordered, with or without an account, newest first."
    >
      <FilterBar
        label="Customers"
        search={
          <Field
            {...filters.bind('q')}
            type="search"
            help="Type the beginning of a name, email, company or phone number. The list shows the newest 100 matches. If a name is very common, type the whole name."
          />
        }
      />
      <ListPanel
        title="Customers"
        noun="customer"
        caption="Customers"
        list={list}
        columns={columns}
        icon={<Contact />}
        empty={['No customers yet', 'Everyone who places an order will be listed here.']}
        noMatch={['No matching customers', 'Try the beginning of a name, email, company or phone number.']}
        isFiltered={wanted !== ''}
      />
    </ScreenFrame>
  );
}
