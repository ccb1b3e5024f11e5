/**
 * What signed-in screens read: TanStack Query over the calls of the API. The key of a query is its call with what the
 * call is given. Public pages do not import this file, because they would load the library.
 */
import { QueryClient, type UseQueryResult } from '@tanstack/react-query';
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
      // A person says when to try again.
      retry: false,
      // Without a connection a call fails at once and says so; the default would wait for the connection.
      networkMode: 'always',
      // Screens that do this call `useRefetchOnFocus`.
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      // What is opened again is read again: a form never starts with an old record.
      gcTime: 0,
      // Each answer is a new object, so an effect can tell that it arrived.
      structuralSharing: false,
    },
    mutations: { networkMode: 'always' },
  },
});

/** Reads again all that the screen shows, because something has changed. A mutation does so by itself. */
export const refetchScreen = (): Promise<void> => queryClient.invalidateQueries();

const dataOf = <T>({ data }: ApiResponse<T>): T => data;

/** The query of a call that keeps the headers of the answer. */
export const responseQuery = <K extends KnownCall>(name: K, ...[options]: ApiOptions<K>) => ({
  queryKey: [name, { ...options }] as const,
  queryFn: ({ signal }: { readonly signal: AbortSignal }): Promise<ApiResponse<CallData<K>>> =>
    api(name, ...([{ ...options, signal }] as unknown as ApiOptions<K>)),
});

/** The query of a call: `useQuery(callQuery('GET /order/:id', { id }))`. */
export const callQuery = <K extends KnownCall>(name: K, ...options: ApiOptions<K>) => ({
  ...responseQuery(name, ...options),
  select: dataOf<CallData<K>>,
});

/** What a screen needs of the result of `useQuery`. */
export type QueryState<T> = Pick<UseQueryResult<T>, 'data' | 'error' | 'errorUpdatedAt' | 'isFetching'> & {
  readonly refetch: () => unknown;
};

/** The data of each of several queries. */
type JoinedData<Q> = { readonly [N in keyof Q]: Q[N] extends QueryState<infer T> ? T : never };

/** Several queries as one. It has data once all of them have, and the error of the first that failed. */
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
