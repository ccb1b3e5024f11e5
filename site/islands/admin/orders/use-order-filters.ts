/** What the list of all orders is asked for. The address keeps it, so that it can be shared and reloaded. */
import { useEffect, useState } from 'react';
import { orderSorts, orderStatuses, paymentStatuses } from '#contract/orders.ts';

const filterNames = ['q', 'paymentStatus', 'orderStatus', 'from', 'to', 'sort'] as const;

/** As they stand in the form; empty where nothing is chosen. */
export type OrderFilters = Readonly<Record<(typeof filterNames)[number], string>>;

const noFilters: OrderFilters = { q: '', paymentStatus: '', orderStatus: '', from: '', to: '', sort: '' };

function filtersInAddress(): OrderFilters {
  const search = new URLSearchParams(location.search);
  return filterNames.reduce((filters, name) => ({ ...filters, [name]: search.get(name) ?? '' }), noFilters);
}

/** The address of this screen with the filters in it. */
function addressOf(filters: OrderFilters): string {
  const search = new URLSearchParams(Object.entries(filters).filter(([, value]) => value !== ''));
  return `${location.pathname}${search.size > 0 ? `?${search.toString()}` : ''}`;
}

/** A text out of the address when it is one of the values that the call knows, else nothing. */
const known = <T extends string>(values: readonly T[], text: string): T | '' =>
  values.find((value) => value === text) ?? '';

/** The filters as the query of the call. */
export const queryOf = (filters: OrderFilters) => ({
  ...filters,
  paymentStatus: known(paymentStatuses, filters.paymentStatus),
  orderStatus: known(orderStatuses, filters.orderStatus),
  sort: known(orderSorts, filters.sort),
});

export function useOrderFilters() {
  const [filters, setFilters] = useState(filtersInAddress);

  useEffect(() => {
    history.replaceState(null, '', addressOf(filters));
  }, [filters]);

  return {
    filters,
    /** Whether fewer than all are asked for. */
    isFiltered: filterNames.some((name) => name !== 'sort' && filters[name] !== ''),
    setFilter: (name: keyof OrderFilters, value: string) =>
      setFilters((current) => ({ ...current, [name]: value })),
    /** Sets several at once; the others stay. */
    setView: (view: Partial<OrderFilters>) => setFilters((current) => ({ ...current, ...view })),
    clear: () => setFilters(noFilters),
  };
}
