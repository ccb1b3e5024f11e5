/** Settles `processing` payments when their time has come, as their bank would; a restart goes on with the wait. */
import { type Call } from './call.ts';
import { settleProcessing } from './settle.ts';
import { type State } from './state.ts';

/** Starts to settle what waits in `state`; `pump` tells it that there is more. */
export function openSettlements(state: State, afterChange: () => void) {
  let timer: NodeJS.Timeout | undefined;

  /** Ends the wait of one payment. */
  function settle(paymentIntentId: string, isApproved: boolean): void {
    const call: Call = {
      state,
      form: {},
      id: paymentIntentId,
      isPublishable: false,
      requestId: null,
      idempotencyKey: null,
      processingMs: null,
    };
    state.transact(() => settleProcessing(call, paymentIntentId, isApproved));
    afterChange();
  }

  function pump(): void {
    clearTimeout(timer);
    const waiting = state.list('settlement', { limit: 1000 })?.data ?? [];
    const due = waiting.flatMap(({ id, dueAt }) => (dueAt === null ? [] : [{ id, dueAt }]));
    const now = Date.now();
    for (const { id, dueAt } of due) if (dueAt <= now) settle(id, true);
    const later = due.map(({ dueAt }) => dueAt).filter((dueAt) => dueAt > now);
    if (later.length > 0) timer = setTimeout(pump, Math.min(...later) - now);
  }

  return {
    pump,
    settle,
    close: () => {
      clearTimeout(timer);
    },
  };
}
