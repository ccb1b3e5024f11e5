/** The disputes that are not decided. */
import type { OpenDisputes } from '#contract/payments.calls.ts';
import { makeCall } from '#site/islands/shared/call.ts';
import { useLoaded } from '#site/islands/shared/use-loaded.ts';
import { useWaitingChange } from '../inbox-counts.ts';

/** How many there are, how much is at stake and of which orders; undefined before that is known. It is asked again whenever what waits has changed. */
export function useOpenDisputes(): OpenDisputes | undefined {
  const { data, reload } = useLoaded(
    'open-disputes',
    async (signal) => (await makeCall('GET /open-disputes', { signal })).data,
  );
  useWaitingChange(reload);
  return data;
}
