/** Reads how far the work on an order has got. */
import { api } from '#site/app/call.ts';

export const readOrderWork = async (id: string, signal: AbortSignal) =>
  (await api('GET /order/:id/work', { id, signal })).data;
