/**
 * Positions of records in the display order. Neighbors have gaps between them, so moving a record usually rewrites only
 * that record.
 */

/** The distance between a record at either end and its neighbor. */
const gap = 1_024;

export const positionAfter = (positions: readonly number[]): number =>
  positions.length === 0 ? 0 : Math.max(...positions) + gap;

/** Indices of a longest increasing subsequence, by patience sorting. These records can keep their positions. */
function longestIncreasingSubsequence(numbers: readonly number[]): ReadonlySet<number> {
  /** At `length - 1`: the index of the smallest number that ends a subsequence of that length. */
  const ends: number[] = [];
  const previous = numbers.map((number, index) => {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if ((numbers[ends[middle] ?? 0] ?? 0) < number) low = middle + 1;
      else high = middle;
    }
    ends[low] = index;
    return ends[low - 1];
  });
  const sequence = new Set<number>();
  for (let index = ends.at(-1); index !== undefined; index = previous[index]) sequence.add(index);
  return sequence;
}

/** A whole number between two neighbors; if there is no room, the number right after `before`. */
function between(before: number | undefined, after: number | undefined): number {
  if (before === undefined) return after === undefined ? 0 : after - gap;
  return after === undefined ? before + gap : Math.max(before + 1, Math.floor((before + after) / 2));
}

/**
 * Increasing positions for records in a new order.
 * @param current the current positions of the records, in the new order
 */
export function positionsInOrder(current: readonly number[]): readonly number[] {
  const stays = longestIncreasingSubsequence(current);
  const nextStaying = new Array<number | undefined>(current.length);
  for (let index = current.length - 2; index >= 0; index -= 1)
    nextStaying[index] = stays.has(index + 1) ? current[index + 1] : nextStaying[index + 1];
  const positions: number[] = [];
  current.forEach((position, index) => {
    const before = positions.at(-1);
    const canStay = stays.has(index) && (before === undefined || position > before);
    positions.push(canStay ? position : between(before, nextStaying[index]));
  });
  return positions;
}
