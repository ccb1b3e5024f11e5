/** One page of a growing list, the number of pages, and where the URL stores the current page. */
import { useEffect, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { KnownCall } from '#contract/call-address.ts';
import { maxPage, pageCount, totalCountHeader } from '#contract/paging.ts';
import type { ApiOptions, ApiResponse, CallData, CallOptions } from './call.ts';
import { putInAddress } from './in-address.ts';
import { responseQuery, type QueryState } from './query.ts';

interface Page<T> {
  readonly rows: readonly T[];
  /** The number of records on all pages. */
  readonly total: number;
}

export interface PagedList<T> extends QueryState<Page<T>> {
  /** Whether the rows are those of another page or filter, because the requested ones are still loading. */
  readonly isPlaceholderData: boolean;
  /** Counts from 1. */
  readonly page: number;
  readonly pageCount: number;
  readonly pageSize: number;
  readonly setPage: (page: number) => void;
}

/** Returns the page number in a query; 1 if it is missing or invalid. */
export function pageInAddress(search: string, name = 'page'): number {
  const page = Number(new URLSearchParams(search).get(name) ?? '1');
  return Number.isInteger(page) && page >= 1 && page <= maxPage ? page : 1;
}

type RowOf<K extends KnownCall> = CallData<K> extends readonly (infer T)[] ? T : never;

type PageOptions<K extends KnownCall> = Omit<CallOptions<K>, 'signal' | 'keepalive'> & {
  readonly pageSize: number;
  /** The name of the page number in the URL's query, so that the back button and a reload restore it. */
  readonly inAddress?: string;
};

type Answer<K extends KnownCall> = ApiResponse<readonly RowOf<K>[]>;

const totalIn = <T>({ data, headers }: ApiResponse<readonly T[]>): number =>
  Number(headers.get(totalCountHeader) ?? data.length);

const pageOf = <T>(answer: ApiResponse<readonly T[]>): Page<T> => ({
  rows: answer.data,
  total: totalIn(answer),
});

/** A page beyond the end of a list has no rows, although the list has some. */
const isBeyondEnd = ({ rows, total }: Page<unknown>) => rows.length === 0 && total > 0;

/**
 * Keeps the previous page until the next one is loaded. The library compares this function with that of the last
 * render. A new function on each render would rerender the list repeatedly until the response arrives.
 */
const unlessBeyondEnd = <T>(
  before: ApiResponse<readonly T[]> | undefined,
): ApiResponse<readonly T[]> | undefined => (before && !isBeyondEnd(pageOf(before)) ? before : undefined);

/** The page of a list that the user selected. Other options select another list, which starts at its first page. */
function useChosenPage(list: string, name: string | undefined) {
  const read = () => (name === undefined ? 1 : pageInAddress(location.search, name));
  const [chosen, setChosen] = useState(() => ({ page: read(), list }));
  if (chosen.list !== list) setChosen({ page: 1, list });
  const page = chosen.list === list ? chosen.page : 1;
  useEffect(() => {
    if (name !== undefined && pageInAddress(location.search, name) !== page)
      putInAddress({ [name]: page === 1 ? '' : String(page) });
  }, [name, page]);
  return [page, (next: number) => setChosen({ page: next, list })] as const;
}

/**
 * Loads a page of the list that a call returns. The previous page stays until the next one is loaded. If the page
 * is beyond the end, after a removal or a narrower search, it loads the last page instead.
 * @param options the options of the call without the page, and the number of rows per page
 */
export function usePage<K extends KnownCall>(
  name: K,
  { pageSize, inAddress, ...options }: PageOptions<K>,
): PagedList<RowOf<K>> {
  const [page, setPage] = useChosenPage(JSON.stringify(options), inAddress);
  const { query: wanted } = options as { readonly query?: object };
  const call = { ...options, query: { ...wanted, page, pageSize } };
  const { queryKey, queryFn } = responseQuery(name, ...([call] as unknown as ApiOptions<K>));
  const query = useQuery({
    queryKey,
    queryFn: async (context) => (await queryFn(context)) as unknown as Answer<K>,
    select: pageOf<RowOf<K>>,
    placeholderData: unlessBeyondEnd<RowOf<K>>,
  });
  const { data } = query;
  const isBeyond = data !== undefined && isBeyondEnd(data);
  if (isBeyond && page > pageCount(data.total, pageSize)) setPage(pageCount(data.total, pageSize));
  return {
    ...query,
    data: isBeyond ? undefined : data,
    page,
    pageSize,
    pageCount: pageCount(data?.total ?? 0, pageSize),
    setPage,
  };
}

/** Uses the sequence number of each row as its id, for rows without an id. */
export const bySequence = <T extends { readonly sequence: number }>({ data, ...list }: PagedList<T>) => ({
  ...list,
  data: data && { ...data, rows: data.rows.map((row) => ({ ...row, _id: String(row.sequence) })) },
});
