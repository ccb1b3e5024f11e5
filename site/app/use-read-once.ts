/** Data that is loaded when a component mounts, and not again while it is mounted. */
import { useId } from 'react';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { KnownCall } from '#contract/call-address.ts';
import type { ApiOptions, ApiResponse, CallData } from './call.ts';
import { responseQuery } from './query.ts';

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
