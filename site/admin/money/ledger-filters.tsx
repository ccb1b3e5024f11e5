/** The filters of the ledger: by month, and by customer or order. */
import { displayPrice } from '#contract/money.ts';
import type { LedgerTotals } from '#contract/refunds.calls.ts';
import { Field } from '#site/ui/field.tsx';
import { FilterBar } from '../lists/filter-bar.tsx';
import { bindFilter, type Filters, type FilterValues } from '../lists/use-filters.ts';
import { Facts } from '../shell/facts.tsx';

export const ledgerFilterNames = ['q', 'month'] as const;
type Name = (typeof ledgerFilterNames)[number];

/** Returns the filters as the query of the API calls. An incomplete month does not count. */
export const ledgerQueryOf = ({ q, month }: FilterValues<Name>) => ({
  q: q.trim(),
  month: /^\d{4}-\d\d$/.test(month) ? month : '',
});

const labels: Readonly<Record<Name, string>> = { q: 'Customer', month: 'Month' };

export function LedgerFilters({ filters }: { readonly filters: Filters<Name> }) {
  const bind = (name: Name) => bindFilter(filters, labels, name);
  return (
    <FilterBar
      label="Ledger"
      search={<Field {...bind('q')} type="search" placeholder="Name, email or #1042" />}
      applied={ledgerFilterNames
        .filter((name) => filters.values[name] !== '')
        .map((name) => ({
          text: `${labels[name]}: ${filters.values[name]}`,
          remove: () => filters.set(name, ''),
        }))}
      onClear={filters.clear}
    >
      {/* Some browsers show this field as a text input. */}
      <Field {...bind('month')} type="month" placeholder="2027-01" />
    </FilterBar>
  );
}

/** The totals of all matching entries, over all pages. */
export function LedgerSums({ totals }: { readonly totals: LedgerTotals }) {
  const { inCents, outCents, feeCents } = totals;
  const show = (cents: number) => displayPrice(cents, { withCents: true });
  return (
    <Facts
      facts={[
        ['In', show(inCents)],
        ['Out', show(outCents)],
        ['Including Stripe fees', feeCents === 0 ? '–' : show(feeCents)],
        ['Net', <strong key="net">{show(inCents + outCents)}</strong>],
      ]}
    />
  );
}
