/** What a call of the API is to the code that answers it, and the event that tells of what it did. */
import type { Form } from './form.ts';
import { apiVersion, newId, nowSeconds } from './objects.ts';
import type { State } from './state.ts';

export interface Call {
  state: State;
  /** The decoded body, or the decoded query of a GET. */
  form: Form;
  /** The id in the path, empty where the path has none. */
  id: string;
  /** Whether a browser asks, with the publishable key: it sees and may do less. */
  isPublishable: boolean;
  /** Null where no request caused the change: a payment that settled by itself. */
  requestId: string | null;
  idempotencyKey: string | null;
  /** Told of each payment that waits for its bank. */
  onProcessing: (intentId: string) => void;
}

/** A change that no call of the API caused: the payer's in the bank's page, or the bank's own. */
export function ownCall(state: State, onProcessing: Call['onProcessing']): Call {
  return {
    state,
    form: {},
    id: '',
    isPublishable: false,
    requestId: null,
    idempotencyKey: null,
    onProcessing,
  };
}

/** Records an event with a snapshot of `object`, to be delivered, in the transaction under way. */
export function recordEvent(call: Call, type: string, object: unknown): void {
  call.state.put('event', {
    id: newId('evt'),
    object: 'event',
    api_version: apiVersion,
    created: nowSeconds(),
    data: { object },
    livemode: false,
    pending_webhooks: 1,
    request: { id: call.requestId, idempotency_key: call.idempotencyKey },
    type,
  });
}
