/** How many disputes are open, their total amount, and their orders. */
import { callQuery } from '#site/app/query.ts';

/** Each row of a list asks for it, so only a change loads it again. */
export const openDisputesQuery = { ...callQuery('GET /open-disputes'), staleTime: Infinity } as const;
