/** An API call as handlers see it, and the event that records its effect. */
import type { Form } from './form.ts';
import { newEvent } from './objects.ts';
import type { Kind, Kinds, State } from './state.ts';

export type Change = (call: Call) => void;

export interface Call {
  state: State;
  /** The decoded body, or the decoded query of a GET. */
  form: Form;
  /** The id in the path; empty if the path has none. */
  id: string;
  /** Whether a browser calls with the publishable key, which may see and do less. */
  isPublishable: boolean;
  /** Whether the key belongs to another account. */
  isForeign: boolean;
  /** Leaves a change to the bank. The bank makes it after a delay in its own transaction. */
  later: (change: Change) => void;
}

/** A change without an API call: by the payer on the bank's page, by the bank, or by the merchant in the dashboard. */
export function ownCall(state: State, later: Call['later']): Call {
  return {
    state,
    form: {},
    id: '',
    isPublishable: false,
    isForeign: false,
    later,
  };
}

/** Records an event with a snapshot of `object` in the current transaction, for delivery. Returns the object. */
export function recordEvent<T>(call: Call, type: string, object: T): T {
  call.state.put('event', newEvent(type, object));
  return object;
}

/** Stores a new or changed object and records the event about it. */
export const save = <K extends Kind>(call: Call, event: string, kind: K, object: Kinds[K]): Kinds[K] =>
  recordEvent(call, event, call.state.put(kind, object));
