/**
 * The numbers of open items for staff. They refresh every 30 seconds while the page is visible, and when the
 * user returns to it. All components share one query.
 */
import { useEffect, useRef } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { InboxCounts } from '#contract/customers.calls.ts';
import type { CallError } from '#site/app/call.ts';
import { callQuery, queryClient } from '#site/app/query.ts';
import { useRefetchOnFocus } from '#site/app/use-refetch-on-focus.ts';
import { offers } from './role.ts';

const everyMs = 30_000;

/** For a screen that shows the counts among other data. */
export const inboxCountsQuery = {
  ...callQuery('GET /waiting'),
  enabled: offers('staff'),
  // Components use the cached counts. `useInboxPolling` refreshes them.
  staleTime: Infinity,
  // Equal counts stay the same object.
  structuralSharing: true,
} as const;

/** The counts; undefined until loaded, and for users who are not staff. */
export const useInboxCounts = (): InboxCounts | undefined => useQuery(inboxCountsQuery).data;

/**
 * Keeps the counts current. The screen stays open when the session ends (401) or the user loses their role (403).
 * @returns the error of the last request
 */
export function useInboxPolling(): CallError | null {
  const { error, refetch } = useQuery({ ...inboxCountsQuery, refetchInterval: everyMs });
  useRefetchOnFocus(() => {
    if (offers('staff')) void refetch();
  });
  return error;
}

/** Refreshes the counts after a change that affects nothing else on the screen. */
export const refetchInboxCounts = (): void =>
  void queryClient.invalidateQueries({ queryKey: [inboxCountsQuery.queryKey[0]] });

/** Reloads the data of a screen whenever the counts change. */
export function useRefetchOnInboxChange(): void {
  const counts = useInboxCounts();
  const seen = useRef(counts);
  useEffect(() => {
    if (seen.current !== undefined && seen.current !== counts) void refetchAllElse();
    seen.current = counts;
  }, [counts]);
}

/** Everything except the counts, which are current. */
const refetchAllElse = () =>
  queryClient.invalidateQueries({
    predicate: ({ queryKey }) => queryKey[0] !== inboxCountsQuery.queryKey[0],
  });
