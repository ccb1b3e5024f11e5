/** Reads the list of what needs a person. */
import { calls } from '../../../../worker/contract/calls.ts';
import type { AttentionItem } from '../../../../worker/contract/payments.ts';
import { makeCall } from '../../shared/call.ts';

export const readAttention = async (signal: AbortSignal) =>
  (await makeCall<readonly AttentionItem[]>(calls.needsAttention, { signal })).data;
