/** The one shape of every error that the API answers: problem details (RFC 9457), `application/problem+json`. */
import type { z } from 'zod';

/** The extension that is true on a problem whose caller must first confirm their identity (`POST /auth/confirm`). */
export const confirmExtension = 'confirm';

/** The extension that is true on the refusal of a passkey that opens no account, so that its device may forget it. */
export const unknownPasskey = 'unknownPasskey';

/** Errors by field name, each a sentence that a person can act on. */
export type FieldErrors = Readonly<Record<string, string>>;

/** The first error of each invalid field; empty when all are valid. */
export function fieldErrorsOf({ error }: z.ZodSafeParseResult<unknown>): FieldErrors {
  // A field may be called `__proto__`.
  const errors = new Map<string, string>();
  for (const issue of error?.issues ?? []) {
    const keys = issue.code === 'unrecognized_keys' ? issue.keys : [String(issue.path[0] ?? 'body')];
    for (const key of keys)
      if (!errors.has(key))
        errors.set(key, issue.code === 'unrecognized_keys' ? 'There is no such field.' : issue.message);
  }
  return Object.fromEntries(errors);
}

export interface Problem {
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly errors?: FieldErrors;
  /** Further members, such as `current` (the record as it is now) on a stale save. */
  readonly [extension: string]: unknown;
}

/** Whether a parsed JSON value is a problem. */
export function isProblem(value: unknown): value is Problem {
  return (
    typeof value === 'object' &&
    value !== null &&
    'title' in value &&
    typeof value.title === 'string' &&
    'status' in value &&
    typeof value.status === 'number' &&
    'detail' in value &&
    typeof value.detail === 'string'
  );
}
