/**
 * The filters and the sort order of a list. They are in the URL, so the list can be shared, bookmarked and reloaded.
 */
import { useState } from 'react';
import { putInAddress, readInAddress } from '#site/app/in-address.ts';

/** The values of the form fields; empty if nothing is selected. */
export type FilterValues<N extends string> = Readonly<Record<N, string>>;

export type Filters<N extends string> = ReturnType<typeof useFilters<N>>;

/** @param labels the filters' labels by name; the URL uses the same names */
export function useFilters<N extends string>(labels: Readonly<Record<N, string>>) {
  const names = Object.keys(labels) as N[];
  const [values, setValues] = useState(() => readInAddress(names));

  function setSeveral(changed: Partial<FilterValues<N>>) {
    const next = { ...values, ...changed };
    setValues(next);
    // Changing a filter returns to the first page.
    putInAddress({ ...next, page: '' });
  }
  const set = (name: N, value: string) => setSeveral({ [name]: value } as Partial<FilterValues<N>>);

  return {
    values,
    set,
    setSeveral,
    clear: () => setSeveral(Object.fromEntries(names.map((name) => [name, ''])) as FilterValues<N>),
    /** The props of a filter's field: `<Field {...filters.bind('q')} />`. */
    bind: (name: N) => ({
      name,
      label: labels[name],
      value: values[name],
      onChange: ({ target }: { readonly target: { readonly value: string } }) => set(name, target.value),
    }),
    /** The active filters, each with a text such as 'Payment status: Paid'. */
    applied: names
      .filter((name) => values[name] !== '')
      .map((name) => ({ name, text: `${labels[name]}: ${values[name]}`, remove: () => set(name, '') })),
  };
}
