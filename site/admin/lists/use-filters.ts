/** What a list is narrowed and sorted by. The address keeps it, so that it can be shared, bookmarked and reloaded. */
import { useState } from 'react';
import { putInAddress, readInAddress } from '#site/app/in-address.ts';

/** Values as they stand in the form; empty where nothing is chosen. */
export type FilterValues<N extends string> = Readonly<Record<N, string>>;

export interface Filters<N extends string> {
  readonly values: FilterValues<N>;
  readonly set: (name: N, value: string) => void;
  /** Sets several at once; the others stay. */
  readonly setSeveral: (values: Partial<FilterValues<N>>) => void;
  readonly clear: () => void;
}

/** The props of a filter's field: `<Field {...bindFilter(filters, labels, 'q')} />`. */
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

/** @param names of the filters, which are those of the address too */
export function useFilters<N extends string>(names: readonly N[]): Filters<N> {
  const [values, setValues] = useState(() => readInAddress(names));

  function change(changed: Partial<FilterValues<N>>) {
    const next = { ...values, ...changed };
    setValues(next);
    // Other filters have other pages.
    putInAddress({ ...next, page: '' });
  }

  return {
    values,
    set: (name, value) => change({ [name]: value } as Partial<FilterValues<N>>),
    setSeveral: change,
    clear: () => change(Object.fromEntries(names.map((name) => [name, ''])) as FilterValues<N>),
  };
}
