/** Open and lost disputes: their total amounts and their orders. */
import { callQuery } from '#site/app/query.ts';

/** Every row of a list uses this query, so it is loaded again only after a change. */
export const openDisputesQuery = { ...callQuery('GET /open-disputes'), staleTime: Infinity } as const;
