/** The disputes that are not decided. */
import { useQuery } from '@tanstack/react-query';
import type { OpenDisputes } from '#contract/payments.calls.ts';
import { callQuery } from '#site/app/query.ts';

/** How many there are, how much is at stake and of which orders; undefined before that is known. It is asked again whenever what waits has changed. */
export function useOpenDisputes(): OpenDisputes | undefined {
  const { data } = useQuery(callQuery('GET /open-disputes'));
  return data;
}
