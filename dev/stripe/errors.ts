/** How the emulator refuses a call: Stripe's error types, codes, statuses and sentences, in one place. */
import { type ErrorBody } from './objects.ts';

/**
 * A call refused in Stripe's way. What the call changed before stays changed: a declined payment leaves its intent
 * with a `last_payment_error`. Only a fault with `isValidation` is not remembered under an idempotency key, because
 * Stripe remembers an answer once the call has begun to execute.
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

/** A 400 for a call that its object's state or Stripe's rules do not allow. */
export function refuse(message: string, details: Partial<ErrorBody> = {}): StripeFault {
  return new StripeFault(400, { type: 'invalid_request_error', message, ...details });
}

/** A 400 for parameters that do not hold; nothing has been executed. */
export function refuseParameter(message: string, param: string, code?: string): StripeFault {
  const error: ErrorBody = { type: 'invalid_request_error', message, param, ...(code ? { code } : {}) };
  return new StripeFault(400, error, { isValidation: true });
}

/** The 404 for an id that names nothing: `No such payment_intent: 'pi_1'`. */
export function missing(noun: string, id: string, param: string): StripeFault {
  const message = `No such ${noun}: '${id}'`;
  return new StripeFault(404, { type: 'invalid_request_error', code: 'resource_missing', message, param });
}

/** The 404 for an address that is no call of the API. */
export function unknownCall(method: string, path: string): StripeFault {
  const help = 'Please see https://stripe.com/docs or we can help at https://support.stripe.com/.';
  const message = `Unrecognized request URL (${method}: ${path}). ${help}`;
  return new StripeFault(404, { type: 'invalid_request_error', message }, { isValidation: true });
}

/** The 401 for a call without a key, or with one that is neither of the account's two. */
export function unauthenticated(key: string | undefined): StripeFault {
  const message = key
    ? `Invalid API Key provided: ${key.slice(0, 8)}${'*'.repeat(8)}${key.slice(-4)}`
    : "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY'). See https://stripe.com/docs/api#authentication for details, or we can help at https://support.stripe.com/.";
  return new StripeFault(401, { type: 'invalid_request_error', message }, { isValidation: true });
}

/** The 403 for a publishable key on a call that needs the secret one. */
export function secretKeyRequired(): StripeFault {
  const message =
    'This API call cannot be made with a publishable API key. Please use a secret API key. You can find a list of your API keys at https://dashboard.stripe.com/account/apikeys.';
  return new StripeFault(
    403,
    { type: 'invalid_request_error', code: 'secret_key_required', message },
    { isValidation: true },
  );
}

/** Stripe's own trouble, which a test asks for. */
export function serverTrouble(status: number): StripeFault {
  const message =
    'An unknown error occurred. If the problem persists, contact us via our site at https://support.stripe.com/contact.';
  return new StripeFault(status, { type: 'api_error', message });
}
