/** The format of all API errors: problem details (RFC 9457), `application/problem+json`. */
import type { z } from 'zod';

/** The extension that is true if the caller must confirm their identity first (`POST /auth/confirm`). */
export const confirmExtension = 'confirm';

/** The extension that is true if a passkey belongs to no account, so that the device can delete it. */
export const unknownPasskey = 'unknownPasskey';

/** Errors by field name. Each is a sentence that a person can act on. */
export type FieldErrors = Readonly<Record<string, string>>;

/** The first error of each invalid field; empty if all fields are valid. */
export function fieldErrorsOf({ error }: z.ZodSafeParseResult<unknown>): FieldErrors {
  // A map, because a field may be named `__proto__`.
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
  /** Extension members, such as `current` (the current record) after a stale save. */
  readonly [extension: string]: unknown;
}

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
