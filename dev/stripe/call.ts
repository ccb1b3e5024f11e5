/** What a call of the API is to the code that answers it, and the event that tells of what it did. */
import type { Form } from './form.ts';
import { newEvent } from './objects.ts';
import type { State } from './state.ts';

/** What changes without a call of the API. */
export type Change = (call: Call) => void;

export interface Call {
  state: State;
  /** The decoded body, or the decoded query of a GET. */
  form: Form;
  /** The id in the path, empty where the path has none. */
  id: string;
  /** Whether a browser asks, with the publishable key: it sees and may do less. */
  isPublishable: boolean;
  /** Whether it asks with the key of another account. */
  isForeign: boolean;
  /** Null where no request caused the change: a payment that settled by itself. */
  requestId: string | null;
  idempotencyKey: string | null;
  /** Leaves a change to the bank, which makes it after a while, in a transaction of its own. */
  later: (change: Change) => void;
}

/** A change that no call of the API caused: the payer's in the bank's page, the bank's own, or a merchant's in the dashboard. */
export function ownCall(state: State, later: Call['later']): Call {
  return {
    state,
    form: {},
    id: '',
    isPublishable: false,
    isForeign: false,
    requestId: null,
    idempotencyKey: null,
    later,
  };
}

/** Records an event with a snapshot of `object`, to be delivered, in the transaction under way. */
export function recordEvent(call: Call, type: string, object: unknown): void {
  const request = { id: call.requestId, idempotency_key: call.idempotencyKey };
  call.state.put('event', { ...newEvent(type, object), request });
}
