/** What all orders are narrowed and sorted by. */
import { orderSorts, orderStatuses, paymentStatuses, type OrderSort } from '#contract/orders.ts';
import { Field, SelectField } from '#components/field.tsx';
import type { OrderFilters as Filters } from './use-order-filters.ts';
import css from './order-filters.module.css';

const sortTexts: Readonly<Record<OrderSort, string>> = {
  newest: 'Newest first',
  oldest: 'Oldest first',
  highest: 'Highest amount first',
  lowest: 'Lowest amount first',
  customer: 'By customer',
};

export interface OrderFiltersProps {
  readonly filters: Filters;
  readonly onChange: (name: keyof Filters, value: string) => void;
  /** Called with the filters of a view that was chosen. */
  readonly onView: (view: Partial<Filters>) => void;
}

/** What is looked for most, each by one press. */
const views = [
  ['All', '', ''],
  ['To deliver', 'Paid', 'Pending'],
  ['Awaiting payment', 'UnPaid', ''],
  ['Delivered', 'Paid', 'Delivered'],
  ['Refunded', 'Refunded', ''],
  ['Cancelled', 'Cancelled', ''],
] as const;

function Views({ filters, onView }: Pick<OrderFiltersProps, 'filters' | 'onView'>) {
  return (
    <div role="group" aria-label="Orders shown" className={css['views']}>
      {views.map(([label, paymentStatus, orderStatus]) => (
        <button
          key={label}
          type="button"
          className={css['view']}
          aria-pressed={filters.paymentStatus === paymentStatus && filters.orderStatus === orderStatus}
          onClick={() => onView({ paymentStatus, orderStatus })}
        >
          {label}
        </button>
      ))}
    </div>
  );
}

export function OrderFilters({ filters, onChange, onView }: OrderFiltersProps) {
  const bind = (name: keyof Filters) => ({
    name,
    value: filters[name],
    onChange: ({ target }: { readonly target: { readonly value: string } }) => onChange(name, target.value),
  });
  return (
    <form
      role="search"
      aria-label="Orders"
      className={css['filters']}
      onSubmit={(event) => event.preventDefault()}
    >
      <Views filters={filters} onView={onView} />
      <Field {...bind('q')} type="search" label="Search" placeholder="Name or #1042" />
      <SelectField {...bind('paymentStatus')} label="Payment status">
        <AnyOf values={paymentStatuses} />
      </SelectField>
      <SelectField {...bind('orderStatus')} label="Order status">
        <AnyOf values={orderStatuses} />
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
  );
}

const AnyOf = ({ values }: { readonly values: readonly string[] }) => (
  <>
    <option value="">Any</option>
    {values.map((value) => (
      <option key={value}>{value}</option>
    ))}
  </>
);
