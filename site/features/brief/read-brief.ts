/** Reads the brief of an order. */
import { api } from '#site/app/call.ts';

export const readBrief = async (id: string, signal: AbortSignal) =>
  (await api('GET /order/:id/brief', { id, signal })).data;
