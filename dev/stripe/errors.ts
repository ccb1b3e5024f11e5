/** The emulator's errors, with Stripe's types, codes, statuses and messages. */
import type { ErrorBody } from './objects.ts';

/**
 * A call that Stripe would reject. Changes that the call made before remain: a declined payment leaves a
 * `last_payment_error` in its intent. Faults with `isValidation` are not stored under an idempotency key, because
 * Stripe stores a response only once the call has started to execute.
 */
export class StripeFault extends Error {
  readonly status: number;
  readonly error: ErrorBody;
  readonly isValidation: boolean;

  constructor(status: number, error: ErrorBody, { isValidation = false } = {}) {
    super(error.message);
    this.status = status;
    this.error = error.code
      ? { doc_url: `https://docs.stripe.com/error-codes/${error.code.replaceAll('_', '-')}`, ...error }
      : error;
    this.isValidation = isValidation;
  }
}

/** A 400 for a call that the object's state or Stripe's rules do not allow. */
export function refuse(message: string, details: Partial<ErrorBody> = {}): StripeFault {
  return new StripeFault(400, { type: 'invalid_request_error', message, ...details });
}

/** A 400 for invalid parameters. Nothing was executed. */
export function refuseParameter(message: string, param: string, code?: string): StripeFault {
  const error: ErrorBody = { type: 'invalid_request_error', message, param, ...(code ? { code } : {}) };
  return new StripeFault(400, error, { isValidation: true });
}

/** The 404 for an unknown id: `No such payment_intent: 'pi_1'`. */
export function missing(noun: string, id: string, param: string): StripeFault {
  const message = `No such ${noun}: '${id}'`;
  return new StripeFault(404, { type: 'invalid_request_error', code: 'resource_missing', message, param });
}

/** A call that cannot start because of its key or its URL. */
export function refuseCall(status: 401 | 403 | 404, message: string, code?: string): StripeFault {
  const error: ErrorBody = { type: 'invalid_request_error', message, ...(code ? { code } : {}) };
  return new StripeFault(status, error, { isValidation: true });
}

/** The 409 for a call whose idempotency key is in use by another call. */
export function refuseKeyInUse(key: string): StripeFault {
  const message = `There is currently another in-progress request using this Idempotent Key (that probably means you submitted twice, and the other request is still going through): ${key}. Please try again later.`;
  return new StripeFault(409, {
    type: 'invalid_request_error',
    code: 'idempotency_key_in_use',
    message,
  });
}

/** An error of Stripe itself, planned by a test. */
export function serverTrouble(status: number): StripeFault {
  const message =
    'An unknown error occurred. If the problem persists, contact us via our site at https://support.stripe.com/contact.';
  return new StripeFault(status, { type: 'api_error', message });
}
