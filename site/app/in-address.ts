/** State in the query of a screen's URL, so that a reload, the back button and a shared link restore it. */

/** The values in the query. Missing ones are empty. */
export function readInAddress<N extends string>(names: readonly N[]): Readonly<Record<N, string>> {
  const search = new URLSearchParams(location.search);
  return Object.fromEntries(names.map((name) => [name, search.get(name) ?? ''])) as Record<N, string>;
}

/** Writes values into the query without a new history entry. It removes empty ones and keeps all others. */
export function putInAddress(values: Readonly<Record<string, string>>): void {
  history.replaceState(history.state, '', location.pathname + queryWith(location.search, values));
}

/** Returns a query with some values changed, including its `?`; empty if nothing is left. */
export function queryWith(query: string, values: Readonly<Record<string, string>>): string {
  const search = new URLSearchParams(query);
  for (const [name, value] of Object.entries(values))
    if (value === '') search.delete(name);
    else search.set(name, value);
  return search.size > 0 ? `?${search.toString()}` : '';
}
