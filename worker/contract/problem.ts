/** The one shape of every error that the API answers: problem details (RFC 9457), `application/problem+json`. */

/** What a problem says, by this extension set to true, whose caller must confirm that they are there (`POST /auth/confirm`). */
export const confirmExtension = 'confirm';

/** A field's name to a sentence that a person can act on. */
export type FieldErrors = Readonly<Record<string, string>>;

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
