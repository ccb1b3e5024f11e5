/** Reads the list of what needs a person. */
import { makeCall } from '#site/islands/shared/call.ts';

export const readAttention = async (signal: AbortSignal) =>
  (await makeCall('GET /needs-attention', { signal })).data;
