/** The one shape of every error that the API answers: problem details (RFC 9457), `application/problem+json`. */
import type { z } from 'zod';

/** What a problem says, by this extension set to true, whose caller must confirm that they are there (`POST /auth/confirm`). */
export const confirmExtension = 'confirm';

/** A field's name to a sentence that a person can act on. */
export type FieldErrors = Readonly<Record<string, string>>;

/** First sentence for each field that does not hold; empty when all hold. */
export function fieldErrorsOf({ error }: z.ZodSafeParseResult<unknown>): FieldErrors {
  const errors: Record<string, string> = {};
  for (const issue of error?.issues ?? []) {
    const keys = issue.code === 'unrecognized_keys' ? issue.keys : [String(issue.path[0] ?? 'body')];
    for (const key of keys)
      errors[key] ??= issue.code === 'unrecognized_keys' ? 'There is no such field.' : issue.message;
  }
  return errors;
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
