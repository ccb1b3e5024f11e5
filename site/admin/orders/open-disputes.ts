/** The disputes that are not decided. */
import type { OpenDisputes } from '#contract/payments.calls.ts';
import { api } from '#site/app/call.ts';
import { useLoaded } from '#site/app/use-loaded.ts';
import { useWaitingChange } from '../shell/inbox-counts.ts';

/** How many there are, how much is at stake and of which orders; undefined before that is known. It is asked again whenever what waits has changed. */
export function useOpenDisputes(): OpenDisputes | undefined {
  const { data, reload } = useLoaded(
    'open-disputes',
    async (signal) => (await api('GET /open-disputes', { signal })).data,
  );
  useWaitingChange(reload);
  return data;
}
