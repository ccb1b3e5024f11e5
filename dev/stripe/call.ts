/** What a call of the API is to the code that answers it, and the event that tells of what it did. */
import { type Form } from './form.ts';
import { apiVersion, newId, nowSeconds, type StripeEvent } from './objects.ts';
import { type State } from './state.ts';

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
  /** How long a payment stays `processing`, in milliseconds; null until a test settles it. */
  processingMs: number | null;
}

/** Records an event with a snapshot of `object`, and its webhook delivery, in the transaction under way. */
export function recordEvent(call: Call, type: string, object: unknown): void {
  const event: StripeEvent = {
    id: newId('evt'),
    object: 'event',
    api_version: apiVersion,
    created: nowSeconds(),
    data: { object },
    livemode: false,
    pending_webhooks: 1,
    request: { id: call.requestId, idempotency_key: call.idempotencyKey },
    type,
  };
  call.state.put('event', event);
  call.state.database
    .prepare("INSERT INTO deliveries (event_id, type, due_at, status) VALUES (?, ?, ?, 'pending')")
    .run(event.id, type, Date.now());
}
