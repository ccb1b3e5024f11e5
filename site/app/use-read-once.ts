/** What is read when something opens, and not again while it is open. */
import { useId } from 'react';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { KnownCall } from '#contract/call-address.ts';
import type { ApiOptions, ApiResponse, CallData } from './call.ts';
import { responseQuery } from './query.ts';

/**
 * Makes a call each time that the component is mounted, and only then. It is for what a form starts with: a form never
 * starts with what another part of the screen read earlier, and what changes later does not replace what is typed.
 */
export function useReadOnce<K extends KnownCall>(
  name: K,
  ...options: ApiOptions<K>
): UseQueryResult<ApiResponse<CallData<K>>> {
  const { queryKey, queryFn } = responseQuery(name, ...options);
  const reader = useId();
  return useQuery({ queryKey: [...queryKey, reader], queryFn, staleTime: 'static' });
}
