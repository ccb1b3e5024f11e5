/** Reads how far the work on an order has got. */
import { makeCall } from './call.ts';

export const readOrderWork = async (id: string, signal: AbortSignal) =>
  (await makeCall('GET /order/:id/work', { id, signal })).data;
