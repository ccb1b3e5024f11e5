/** One page of a list that grows, how many pages there are, and where the address keeps which one is shown. */
import { useState } from 'react';
import { maxPage, pageCount, totalCountHeader } from '#contract/paging.ts';
import type { ApiResponse } from './call.ts';
import { putInAddress } from './in-address.ts';
import { useLoaded, type Loaded } from './use-loaded.ts';

export interface Page<T> {
  readonly rows: readonly T[];
  /** Records over all pages. */
  readonly total: number;
}

export interface PagedList<T> extends Loaded<Page<T>> {
  /** From 1. */
  readonly page: number;
  readonly pageCount: number;
  readonly pageSize: number;
  readonly setPage: (page: number) => void;
}

/** Rows that have a sequence number instead of an id: the sequence becomes their id. */
export const bySequence = <T extends { readonly sequence: number }>({
  data,
  headers,
}: ApiResponse<readonly T[]>) => ({
  headers,
  data: data.map((row) => ({ ...row, _id: String(row.sequence) })),
});

/** Where the page of a list is kept, so that the back button and a reload lead to the same one. */
export interface PageAddress {
  readonly read: () => number;
  readonly write: (page: number) => void;
}

/** The page that the query names; 1 when it names none that there can be. */
export function pageInAddress(search: string, name = 'page'): number {
  const page = Number(new URLSearchParams(search).get(name) ?? '1');
  return Number.isInteger(page) && page >= 1 && page <= maxPage ? page : 1;
}

/** @param name of the page in the query, for one of a screen's several lists */
export const pageNamed = (name: string): PageAddress => ({
  read: () => pageInAddress(location.search, name),
  write: (page) => putInAddress({ [name]: page === 1 ? '' : String(page) }),
});

/** For a screen with one list. */
export const pageAddress = pageNamed('page');

/**
 * Loads a page. If it lies beyond the end, after a removal or with a narrower search, the last page is loaded instead.
 * @param query what is searched for besides the page
 * @param readPage makes the call
 * @param address where the page is kept, so that the back button and a reload restore it
 */
export function usePage<T, Q extends object>(
  pageSize: number,
  query: Q,
  readPage: (
    query: Q & { readonly page: number; readonly pageSize: number },
    signal: AbortSignal,
  ) => Promise<ApiResponse<readonly T[]>>,
  address?: PageAddress,
): PagedList<T> {
  const filter = JSON.stringify(query);
  const [chosen, setChosen] = useState(() => ({ page: address?.read() ?? 1, filter }));
  // Another search begins at its first page, and so does the one before when it is chosen again.
  if (chosen.filter !== filter) setChosen({ page: 1, filter });
  const page = chosen.filter === filter ? chosen.page : 1;
  const setPage = (next: number) => {
    address?.write(next);
    setChosen({ page: next, filter });
  };
  const loaded = useLoaded<Page<T>>(`${page} ${pageSize} ${filter}`, async (signal) => {
    const read = async (wanted: number) => {
      const { data, headers } = await readPage({ ...query, page: wanted, pageSize }, signal);
      return { rows: data, total: Number(headers.get(totalCountHeader) ?? data.length) };
    };
    const found = await read(page);
    if (found.rows.length > 0 || found.total === 0) return found;
    const last = pageCount(found.total, pageSize);
    if (!signal.aborted) setPage(last);
    return read(last);
  });
  return {
    ...loaded,
    page,
    pageSize,
    pageCount: pageCount(loaded.data?.total ?? 0, pageSize),
    setPage,
  };
}
