/** The filters and the sort order of a list. They are in the URL, to be shared, bookmarked and reloaded. */
import { useState } from 'react';
import { putInAddress, readInAddress } from '#site/app/in-address.ts';

/** The values of the form fields; empty if nothing is selected. */
export type FilterValues<N extends string> = Readonly<Record<N, string>>;

export interface Filters<N extends string> {
  readonly values: FilterValues<N>;
  readonly set: (name: N, value: string) => void;
  /** Sets several values at once and keeps the others. */
  readonly setSeveral: (values: Partial<FilterValues<N>>) => void;
  readonly clear: () => void;
}

/** The props of a filter field: `<Field {...bindFilter(filters, labels, 'q')} />`. */
export const bindFilter = <N extends string>(
  { values, set }: Filters<N>,
  labels: Readonly<Record<N, string>>,
  name: N,
) => ({
  name,
  label: labels[name],
  value: values[name],
  onChange: ({ target }: { readonly target: { readonly value: string } }) => set(name, target.value),
});

/** @param names the names of the filters, also in the URL */
export function useFilters<N extends string>(names: readonly N[]): Filters<N> {
  const [values, setValues] = useState(() => readInAddress(names));

  function change(changed: Partial<FilterValues<N>>) {
    const next = { ...values, ...changed };
    setValues(next);
    // A changed filter shows the first page.
    putInAddress({ ...next, page: '' });
  }

  return {
    values,
    set: (name, value) => change({ [name]: value } as Partial<FilterValues<N>>),
    setSeveral: change,
    clear: () => change(Object.fromEntries(names.map((name) => [name, ''])) as FilterValues<N>),
  };
}
