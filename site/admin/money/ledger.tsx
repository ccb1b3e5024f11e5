/** The ledger: every entry with the resulting balance, newest first, with filters, totals and a CSV export. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Scale } from 'lucide-react';
import { displayPrice } from '#contract/money.ts';
import { displayOrderNumber } from '#contract/orders.ts';
import { pageSizes } from '#contract/paging.ts';
import { ledgerEntryTexts } from '#contract/payments.ts';
import type { LedgerEntry, LedgerTotals } from '#contract/refunds.calls.ts';
import { linkTo } from '#contract/screens.ts';
import { EmailText } from '#site/ui/email-text.tsx';
import { RowLink, type Column } from '#site/ui/table.tsx';
import { useDebouncedValue } from '#site/ui/use-debounced-value.ts';
import { addressWith } from '#site/app/call.ts';
import { DateTime } from '#site/ui/date-time.tsx';
import { callQuery } from '#site/app/query.ts';
import { bySequence, usePage } from '#site/app/use-page.ts';
import { nameOfCustomer } from '../lists/order-columns.tsx';
import { useFilters, type FilterValues } from '../lists/use-filters.ts';
import { ExportButton } from '../shell/export-button.tsx';
import { ScreenFrame } from '../shell/screen.tsx';
import css from './ledger.module.css';
import { Field } from '#site/ui/field.tsx';
import { FilterBar } from '../lists/filter-bar.tsx';
import { ListPanel } from '../lists/list-panel.tsx';
import { Facts } from '../shell/facts.tsx';
import { stack } from '#site/ui/layout.ts';

const columns: readonly Column<LedgerEntry>[] = [
  { header: 'Date', phone: 'plain', cell: ({ at }) => <DateTime at={at} className={css['date']} /> },
  {
    header: 'Order',
    phone: 'mark',
    cell: ({ orderId, orderNumber }) => (
      <RowLink href={linkTo('order', orderId)}>{displayOrderNumber(orderNumber)}</RowLink>
    ),
  },
  {
    header: 'Kind',
    phone: 'lead',
    cell: ({ kind }) => <span className={css['kind']}>{ledgerEntryTexts[kind]}</span>,
  },
  {
    header: 'Customer',
    wide: true,
    phone: 'whole',
    cell: (entry) => (
      <div className={stack(0)}>
        {entry.orderNumber !== 0 && nameOfCustomer(entry)}
        {entry.customerEmail !== '' && (
          <small>
            <EmailText email={entry.customerEmail} />
          </small>
        )}
      </div>
    ),
  },
  priceColumn('Amount', ({ amountCents }) => amountCents, 'end'),
  priceColumn('Fee', ({ feeCents }) => feeCents),
  priceColumn('Net', ({ amountCents, feeCents }) => feeCents && amountCents - feeCents),
  priceColumn('Balance', ({ balanceCents }) => balanceCents),
  {
    header: 'Stripe ID',
    wide: true,
    phone: 'whole',
    cell: ({ stripeId }) => stripeId && <code className={css['id']}>{stripeId}</code>,
  },
];

/** A column of amounts. @param centsOf returns null for a dash */
function priceColumn(
  header: string,
  centsOf: (entry: LedgerEntry) => number | null,
  phone: 'end' | 'named' = 'named',
): Column<LedgerEntry> {
  return {
    header,
    align: 'end',
    phone,
    cell: (entry) => {
      const cents = centsOf(entry);
      return cents === null ? '–' : displayPrice(cents);
    },
  };
}

export default function Ledger() {
  const filters = useFilters(ledgerFilters);
  const query = ledgerQueryOf(useDebouncedValue(filters.values));
  const isFiltered = query.q !== '' || query.month !== '';
  const isMonthIncomplete = filters.values.month !== '' && !isMonth(filters.values.month);
  const list = bySequence(usePage('GET /ledger', { query, pageSize: pageSizes.ledger, inAddress: 'page' }));
  const totals = useQuery({
    ...callQuery('GET /ledger-totals', { query }),
    placeholderData: keepPreviousData,
  });
  return (
    <ScreenFrame
      title="Ledger"
      intro="Every payment, refund, dispute and fee, in the order recorded. Entries never change."
      actions={
        <ExportButton address={addressWith('GET /ledger.csv', { query })} isEmpty={list.data?.total === 0} />
      }
    >
      <FilterBar
        label="Ledger"
        search={<Field {...filters.bind('q')} type="search" placeholder="Name, email or #1042" />}
        applied={filters.applied.filter(({ name }) => name !== 'month' || !isMonthIncomplete)}
        onClear={filters.clear}
      >
        {/* Firefox and Safari show this field as a text input. */}
        <Field
          {...filters.bind('month')}
          type="month"
          placeholder="2027-01"
          {...(isMonthIncomplete && { help: 'Type the year and the month, such as 2027-01.' })}
        />
      </FilterBar>
      <ListPanel
        title="Entries"
        noun="entry"
        nouns="entries"
        caption="Ledger"
        list={list}
        columns={columns}
        icon={<Scale />}
        empty={['No money has moved yet', 'Payments will be listed here.']}
        noMatch={['No matching entries', 'Remove a filter to see more.']}
        isFiltered={isFiltered}
      >
        {totals.data && totals.data.entries > 0 && <LedgerSums totals={totals.data} />}
      </ListPanel>
    </ScreenFrame>
  );
}

const ledgerFilters = { q: 'Customer', month: 'Month' } as const;

const isMonth = (text: string): boolean => /^\d{4}-(0[1-9]|1[0-2])$/.test(text);

/** Returns the filters as the query of the API calls. An incomplete month does not count. */
const ledgerQueryOf = ({ q, month }: FilterValues<keyof typeof ledgerFilters>) => ({
  q: q.trim(),
  month: isMonth(month) ? month : '',
});

/** The totals of all matching entries, over all pages. */
function LedgerSums({ totals }: { readonly totals: LedgerTotals }) {
  const { inCents, outCents, feeCents } = totals;
  return (
    <Facts
      facts={[
        ['In', displayPrice(inCents)],
        ['Out', displayPrice(outCents)],
        ['Including Stripe fees', feeCents === 0 ? '–' : displayPrice(feeCents)],
        ['Net', <strong key="net">{displayPrice(inCents + outCents)}</strong>],
      ]}
    />
  );
}
