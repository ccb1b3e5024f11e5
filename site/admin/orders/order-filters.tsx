import {
  orderSorts,
  orderStatuses,
  paymentStatuses,
  type OrderSort,
  type OrderStatus,
  type PaymentStatus,
} from '#contract/orders.ts';
import { Field } from '#site/ui/field.tsx';
import { SelectField } from '#site/ui/select-field.tsx';
import { FilterBar, type Applied, type View } from '../lists/filter-bar.tsx';
import type { Filters, FilterValues } from '../lists/use-filters.ts';

export const orderFilters = {
  q: 'Search',
  accountId: 'Customer',
  paymentStatus: 'Payment status',
  orderStatus: 'Order status',
  from: 'From',
  to: 'To',
  sort: 'Sort',
  mine: 'Mine',
} as const;
export type OrderFilterName = keyof typeof orderFilters;

/** Returns a value from the URL if the API call accepts it, and otherwise an empty string. */
const known = <T extends string>(values: readonly T[], text: string): T | '' =>
  values.find((value) => value === text) ?? '';

export const queryOf = (values: FilterValues<OrderFilterName>) => ({
  ...values,
  paymentStatus: known(paymentStatuses, values.paymentStatus),
  orderStatus: known(orderStatuses, values.orderStatus),
  sort: known(orderSorts, values.sort),
  mine: known(['true'], values.mine),
});

const sortTexts: Readonly<Record<OrderSort, string>> = {
  newest: 'Newest first',
  oldest: 'Oldest first',
  highest: 'Highest amount first',
  lowest: 'Lowest amount first',
  customer: 'By customer',
};

/** The most common filters, with one button each. */
const views: readonly (readonly [string, PaymentStatus | '', OrderStatus | ''])[] = [
  ['All', '', ''],
  ['To deliver', 'Paid', 'Pending'],
  ['Awaiting payment', 'UnPaid', ''],
  ['Delivered', 'Paid', 'Delivered'],
  ['Refunded', 'Refunded', ''],
  ['Cancelled', 'Cancelled', ''],
];

/** Each view exists for all orders and for the user's own. */
const viewsOf = ({ values, set, setSeveral }: Filters<OrderFilterName>): readonly View[] => [
  ...views.map(([label, paymentStatus, orderStatus]) => ({
    label,
    isOn: values.paymentStatus === paymentStatus && values.orderStatus === orderStatus,
    choose: () => setSeveral({ paymentStatus, orderStatus }),
  })),
  {
    label: 'Mine',
    isOn: values.mine === 'true',
    choose: () => set('mine', values.mine === 'true' ? '' : 'true'),
  },
];

/** The texts of chips for filters whose values are not readable. */
const chipTexts: Partial<Readonly<Record<OrderFilterName, string>>> = {
  accountId: 'One customer',
  mine: 'Mine',
};

/** The active filters, without the sort order. */
export const appliedOf = ({ applied }: Filters<OrderFilterName>): readonly Applied[] =>
  applied
    .filter(({ name }) => name !== 'sort')
    .map(({ name, text, remove }) => ({ text: chipTexts[name] ?? text, remove }));

export function OrderFilters({ filters }: { readonly filters: Filters<OrderFilterName> }) {
  const { bind } = filters;
  return (
    <FilterBar
      label="Orders"
      views={viewsOf(filters)}
      search={<Field {...bind('q')} type="search" placeholder="Name or #1042" />}
      applied={appliedOf(filters)}
      onClear={filters.clear}
    >
      <SelectField {...bind('paymentStatus')} options={[['', 'Any'], ...paymentStatuses]} />
      <SelectField {...bind('orderStatus')} options={[['', 'Any'], ...orderStatuses]} />
      <Field {...bind('from')} type="date" />
      <Field {...bind('to')} type="date" />
      <SelectField
        {...bind('sort')}
        options={orderSorts.map((sort) => [sort === 'newest' ? '' : sort, sortTexts[sort]])}
      />
    </FilterBar>
  );
}
