/** Conditional requests. https://www.rfc-editor.org/rfc/rfc9110#name-if-none-match */

/** Whether the browser has these bytes already, by its `If-None-Match` (weak comparison). */
export const isKnown = (ifNoneMatch: string | null, etag: string): boolean =>
  ifNoneMatch !== null &&
  ifNoneMatch.split(',').some((known) => known.trim() === '*' || known.trim().replace(/^W\//, '') === etag);
