/**
 * How much waits for the staff: asked for every half a minute while somebody looks, at once when they come back, and
 * never in the background. Whatever shows it shares one question.
 */
import { useEffect, useRef } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { InboxCounts } from '#contract/customers.calls.ts';
import { callQuery, queryClient } from '#site/app/query.ts';
import { useRefetchOnFocus } from '#site/app/use-refetch-on-focus.ts';
import { offers } from './role.ts';

const everyMs = 30_000;

/** For a screen that shows the counts among other data. */
export const inboxCountsQuery = {
  ...callQuery('GET /waiting'),
  enabled: offers('staff'),
  // Whatever shows the counts uses those that are known; `useInboxPolling` reads them again.
  staleTime: Infinity,
  // Counts that are the same stay the same object.
  structuralSharing: true,
} as const;

/** The counts; undefined before they are known, and for who is not of the staff. */
export const useInboxCounts = (): InboxCounts | undefined => useQuery(inboxCountsQuery).data;

/**
 * Keeps the counts current, for the frame of all screens.
 * @returns whether the session has ended meanwhile: what is shown grows old until somebody logs in again
 */
export function useInboxPolling(): boolean {
  const { error, refetch } = useQuery({ ...inboxCountsQuery, refetchInterval: everyMs });
  useRefetchOnFocus(() => {
    if (offers('staff')) void refetch();
  });
  return error?.status === 401;
}

/** Reads the counts again, after a change of which the screen shows nothing else. */
export const refetchInboxCounts = (): void =>
  void queryClient.invalidateQueries({ queryKey: [inboxCountsQuery.queryKey[0]] });

/** Reads again what a screen shows whenever the counts have changed since they were first known. */
export function useRefetchOnInboxChange(): void {
  const counts = useInboxCounts();
  const seen = useRef(counts);
  useEffect(() => {
    if (seen.current !== undefined && seen.current !== counts) void refetchAllElse();
    seen.current = counts;
  }, [counts]);
}

/** All but the counts, which are current. */
const refetchAllElse = () =>
  queryClient.invalidateQueries({
    predicate: ({ queryKey }) => queryKey[0] !== inboxCountsQuery.queryKey[0],
  });
