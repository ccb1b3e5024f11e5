/** What happens to payments without a call of the API: the payer's choice in the bank's page, and the bank's own decision. */
import { setTimeout as pause } from 'node:timers/promises';
import { type Call, ownCall } from './call.ts';
import { StripeFault } from './errors.ts';
import { finishChallenge, settleProcessing } from './settle.ts';
import type { State } from './state.ts';

/**
 * Opens the bank, which goes on with the payments that were `processing` in `state`.
 * @param processingMs how long a payment stays `processing`; null leaves it to `settle`
 * @param afterChange called whenever a payment has changed
 */
export function openBank(state: State, processingMs: number | null, afterChange: () => void) {
  const closing = new AbortController();

  /** A decline is in the intent, not in an answer. */
  function change(make: (call: Call) => void): void {
    try {
      state.transact(() => make(ownCall(state, settleLater)));
    } catch (error) {
      if (!(error instanceof StripeFault) || error.status !== 402) throw error;
    } finally {
      afterChange();
    }
  }

  const settle = (intentId: string, isApproved: boolean) =>
    change((call) => settleProcessing(call, intentId, isApproved));

  /** Approves a `processing` payment when its time has come. */
  function settleLater(intentId: string): void {
    if (processingMs === null) return;
    const approve = () => {
      if (state.get('payment_intent', intentId)?.status === 'processing') settle(intentId, true);
    };
    // It rejects at `close` alone.
    void pause(processingMs, undefined, { signal: closing.signal }).then(approve, () => undefined);
  }

  for (const { id } of state.list('payment_intent', { fields: { status: 'processing' } })) settleLater(id);

  return {
    settle,
    settleLater,
    finishChallenge: (challenge: string, isPassed: boolean) =>
      change((call) => finishChallenge(call, challenge, isPassed)),
    close: () => closing.abort(),
  };
}
