/**
 * Merges newer values of a form's fields with text that was typed since they were requested.
 * @param before the fields when the values were requested
 * @param now the fields now
 */
export const withTypedSince = <T extends Readonly<Record<string, string>>>(
  before: T,
  now: T,
  next: T,
): T => ({
  ...now,
  ...Object.fromEntries(
    Object.keys(now)
      .filter((field) => now[field] === before[field])
      .map((field) => [field, next[field] ?? '']),
  ),
});
