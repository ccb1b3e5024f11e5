/**
 * The fields of a form as something else has them, with what was typed since.
 * @param before as they stood when that was asked for
 * @param now as they stand
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
