/** Reads the brief of an order. */
import { makeCall } from './call.ts';

export const readBrief = async (id: string, signal: AbortSignal) =>
  (await makeCall('GET /order/:id/brief', { id, signal })).data;
