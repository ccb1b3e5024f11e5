/** Reads the figures of all orders. */
import { makeCall } from '#site/islands/shared/call.ts';

export const readTotals = async (signal: AbortSignal) =>
  (await makeCall('GET /order-totals', { signal })).data;
