/** The open disputes. */
import { useQuery } from '@tanstack/react-query';
import type { OpenDisputes } from '#contract/payments.calls.ts';
import { callQuery } from '#site/app/query.ts';

/**
 * Returns how many disputes are open, the total amount, and their orders; undefined until loaded. It reloads
 * when the inbox counts change.
 */
export function useOpenDisputes(): OpenDisputes | undefined {
  const { data } = useQuery(callQuery('GET /open-disputes'));
  return data;
}
