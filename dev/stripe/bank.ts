/**
 * Everything that happens without an API call: the payer's choice on the bank's page, the bank's decisions, and the
 * dashboard.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { findDue } from './billing.ts';
import { type Call, type Change, ownCall } from './call.ts';
import { StripeFault } from './errors.ts';
import { daySeconds } from './objects.ts';
import { finishRefund } from './refunds.ts';
import { finishPayment } from './settle.ts';
import type { State } from './state.ts';

/**
 * Opens the bank, which continues unfinished work in `state`.
 * @param processingMs how long payments and refunds wait for the bank; null leaves them to the controls
 * @param afterChange called after each change
 */
export function openBank(state: State, processingMs: number | null, afterChange: () => void) {
  const closing = new AbortController();

  /** @throws {StripeFault} the API's error */
  function change<T>(make: (call: Call) => T): T {
    try {
      return state.transact(() => make(ownCall(state, later)));
    } finally {
      afterChange();
    }
  }

  /** A decline is stored in the intent, because there is no caller to answer. */
  function settle(make: Change): void {
    try {
      change(make);
    } catch (error) {
      if (!(error instanceof StripeFault) || error.status !== 402) throw error;
    }
  }

  function later(make: Change): void {
    if (processingMs === null) return;
    pause(processingMs, undefined, { signal: closing.signal })
      .then(() => settle(make))
      .catch((error: unknown) => {
        if (!closing.signal.aborted) console.error('A change of the bank failed:', error);
      });
  }

  for (const { id } of state.list('payment_intent', { fields: { status: 'processing' } }))
    later(finishPayment(id));
  for (const { id } of state.list('refund', {})) later(finishRefund(id));

  /** Advances the clock by days. Everything that Stripe Billing does happens in order, at its own time. */
  function advance(days: number): void {
    const until = Math.floor(Date.now() / 1000) + state.secondsAhead + days * daySeconds;
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
