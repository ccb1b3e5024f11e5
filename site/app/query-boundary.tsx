/** Shows the data of a query, a placeholder until it is loaded, and an error with a button to try again. */
import { useState, type ReactNode } from 'react';
import { Skeleton } from '#site/ui/loading.tsx';
import type { CallError } from './call.ts';
import { Failure } from './failure.tsx';
import type { QueryState } from './query.ts';

/** The error of a query. It stays until a retry has ended, although a query without data clears it before. */
export function useLastError<T>({
  data,
  error,
  errorUpdatedAt,
  isFetching,
}: Omit<QueryState<T>, 'refetch'>): CallError | null {
  const [last, setLast] = useState({ error, errorUpdatedAt });
  const isNew = error !== last.error || errorUpdatedAt !== last.errorUpdatedAt;
  if (error && isNew) setLast({ error, errorUpdatedAt });
  const isRetry = data === undefined && isFetching && errorUpdatedAt === last.errorUpdatedAt;
  return error ?? (isRetry ? last.error : null);
}

/** Shows the error of a query with a button to try again; nothing without an error. */
export function QueryFailure<T>({ query }: { readonly query: QueryState<T> }) {
  const error = useLastError(query);
  const { isFetching, refetch } = query;
  return <Failure error={error} onRetry={() => void refetch()} isRetrying={isFetching} />;
}

export interface QueryBoundaryProps<T> {
  readonly query: QueryState<T>;
  readonly lines?: number;
  readonly children: (data: T) => ReactNode;
}

export function QueryBoundary<T>({ query, lines = 5, children }: QueryBoundaryProps<T>) {
  const { data } = query;
  const error = useLastError(query);
  return (
    <>
      <QueryFailure query={query} />
      {data !== undefined ? children(data) : !error && <Skeleton lines={lines} />}
    </>
  );
}
