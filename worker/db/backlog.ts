/**
 * Things of one kind that wait for a person: how many there are, and those that come first. Both are asked of the same rows, so
 * that a count never differs from its list.
 */
import type { asc } from 'drizzle-orm';

/** Which of them are read. */
export interface Reach {
  /** By since when they wait: `asc`, the longest waiting first, or `desc`. */
  readonly order: typeof asc;
  /** At most so many. */
  readonly limit: number;
}
