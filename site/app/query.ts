/**
 * The data of signed-in screens: TanStack Query over the calls of the API. The key of a query is its call with
 * its options. Public pages do not import this file, because it would load the library.
 */
import { useId } from 'react';
import { QueryClient, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { api, type ApiOptions, type ApiResponse, type CallData, type CallError } from './call.ts';
import type { KnownCall } from '#contract/call-address.ts';

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: CallError;
  }
}

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // The user decides when to try again.
      retry: false,
      // Without a connection, a call fails immediately. By default, it would wait for the connection.
      networkMode: 'always',
      // Screens that need it call `useRefetchOnFocus`.
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      // Reopening a screen loads its data again, so that a form never starts with an outdated record.
      gcTime: 0,
      // Each response is a new object, so that an effect can detect that it arrived.
      structuralSharing: false,
    },
    mutations: { networkMode: 'always' },
  },
});

/** Reloads all data on the screen after a change. Mutations call it automatically. */
export const refetchScreen = (): Promise<void> => queryClient.invalidateQueries();

const dataOf = <T>({ data }: ApiResponse<T>): T => data;

/** The query of a call. Its data is the whole response, for callers that need the headers. */
export const responseQuery = <K extends KnownCall>(name: K, ...[options]: ApiOptions<K>) => ({
  queryKey: [name, { ...options }] as const,
  queryFn: ({ signal }: { readonly signal: AbortSignal }): Promise<ApiResponse<CallData<K>>> =>
    api(name, ...([{ ...options, signal }] as unknown as ApiOptions<K>)),
});

/** The query of a call, to pass to `useQuery` with more options. */
export const callQuery = <K extends KnownCall>(name: K, ...options: ApiOptions<K>) => ({
  ...responseQuery(name, ...options),
  select: dataOf<CallData<K>>,
});

/** Reads with a call: `useCall('GET /order/:id', { id })`. */
export const useCall = <K extends KnownCall>(name: K, ...options: ApiOptions<K>) =>
  useQuery(callQuery(name, ...options));

/**
 * Makes a call once each time the component mounts, for the initial values of a form. The form never starts with
 * data that another part of the screen loaded earlier, and later changes never replace typed text.
 */
export function useReadOnce<K extends KnownCall>(
  name: K,
  ...options: ApiOptions<K>
): UseQueryResult<ApiResponse<CallData<K>>> {
  const { queryKey, queryFn } = responseQuery(name, ...options);
  const reader = useId();
  return useQuery({ queryKey: [...queryKey, reader], queryFn, staleTime: 'static' });
}

/** The part of `useQuery`'s result that screens need. */
export type QueryState<T> = Pick<UseQueryResult<T>, 'data' | 'error' | 'errorUpdatedAt' | 'isFetching'> & {
  readonly refetch: () => unknown;
};

type JoinedData<Q> = { readonly [N in keyof Q]: Q[N] extends QueryState<infer T> ? T : never };

/** Joins several queries. The result has data once all of them do, and the error of the first one that failed. */
export function joinQueries<Q extends Readonly<Record<string, QueryState<unknown>>>>(
  queries: Q,
): QueryState<JoinedData<Q>> {
  const entries = Object.entries(queries);
  const all = Object.values(queries);
  const isComplete = all.every(({ data }) => data !== undefined);
  const data = Object.fromEntries(entries.map(([name, query]) => [name, query.data]));
  return {
    data: isComplete ? (data as JoinedData<Q>) : undefined,
    error: all.find(({ error }) => error)?.error ?? null,
    errorUpdatedAt: Math.max(...all.map(({ errorUpdatedAt }) => errorUpdatedAt)),
    isFetching: all.some(({ isFetching }) => isFetching),
    refetch: () => Promise.all(all.map(({ refetch }) => refetch())),
  };
}
