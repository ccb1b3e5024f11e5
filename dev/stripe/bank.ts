/** What happens without a call of the API: the payer's choice in the bank's page, the bank's own decisions, and the dashboard. */
import { setTimeout as pause } from 'node:timers/promises';
import { findDue } from './billing.ts';
import { type Call, type Change, ownCall } from './call.ts';
import { StripeFault } from './errors.ts';
import { finishRefund } from './refunds.ts';
import { finishPayment } from './settle.ts';
import type { State } from './state.ts';

/** Whether nothing could be written down, which may be otherwise the next time. */
const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && error.errcode === 13;

/**
 * Opens the bank, which goes on with what it had not finished in `state`.
 * @param processingMs how long payments and refunds wait for it; null leaves them to the controls
 * @param afterChange called whenever something has changed
 */
export function openBank(state: State, processingMs: number | null, afterChange: () => void) {
  const closing = new AbortController();

  /** Makes a change in one transaction. @throws {StripeFault} what the API would refuse it with */
  function change<T>(make: (call: Call) => T): T {
    try {
      return state.transact(() => make(ownCall(state, later)));
    } finally {
      afterChange();
    }
  }

  /** A decline is in the intent, not in an answer. */
  function settle(make: Change): void {
    try {
      change(make);
    } catch (error) {
      if (!(error instanceof StripeFault) || error.status !== 402) throw error;
    }
  }

  function later(make: Change): void {
    if (processingMs === null) return;
    // The pause rejects at `close` alone.
    void pause(processingMs, undefined, { signal: closing.signal }).then(
      () => {
        try {
          settle(make);
        } catch (error) {
          if (!isDiskFull(error)) throw error;
          later(make);
        }
      },
      () => undefined,
    );
  }

  for (const { id } of state.list('payment_intent', { fields: { status: 'processing' } }))
    later(finishPayment(id));
  for (const { id } of state.list('refund', {})) later(finishRefund(id));

  /** Lets days pass: what Stripe Billing does by itself happens in its order, each at its time. */
  function advance(days: number): void {
    const until = Math.floor(Date.now() / 1000) + state.secondsAhead + days * 86_400;
    const aheadAt = (at: number) => at - Math.floor(Date.now() / 1000);
    for (;;) {
      const due = change((call) => findDue(call, until));
      if (!due) break;
      state.setAhead(aheadAt(due.at));
      settle((call) => findDue(call, until)?.happen(call));
    }
    state.setAhead(aheadAt(until));
  }

  return { change, settle, later, advance, close: () => closing.abort() };
}
export type Bank = ReturnType<typeof openBank>;
