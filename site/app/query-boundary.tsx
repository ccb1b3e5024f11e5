/** Shows what a query has read, a placeholder until then, and a failure with the way to try again. */
import { useState, type ReactNode } from 'react';
import { Skeleton } from '#site/ui/loading.tsx';
import type { CallError } from './call.ts';
import { Failure } from './failure.tsx';
import type { QueryState } from './query.ts';

/**
 * Why a query failed. A query that has no data forgets its error when it tries again; the error stays here until the
 * new try has ended.
 */
export function useLastError<T>({
  data,
  error,
  errorUpdatedAt,
  isFetching,
}: Omit<QueryState<T>, 'refetch'>): CallError | null {
  const [last, setLast] = useState({ error, errorUpdatedAt });
  if (error && error !== last.error) setLast({ error, errorUpdatedAt });
  const isRetry = data === undefined && isFetching && errorUpdatedAt === last.errorUpdatedAt;
  return error ?? (isRetry ? last.error : null);
}

/** Why a query failed, with the way to try again; nothing while it has not. */
export function QueryFailure<T>({ query }: { readonly query: QueryState<T> }) {
  const error = useLastError(query);
  const { isFetching, refetch } = query;
  return error && <Failure error={error} onRetry={() => void refetch()} isRetrying={isFetching} />;
}

export interface QueryBoundaryProps<T> {
  readonly query: QueryState<T>;
  /** Lines of the placeholder. */
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
