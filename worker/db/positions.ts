/**
 * Positions of records in the display order. There are gaps between neighbors, so that moving one record of a long list
 * usually rewrites that record alone.
 */

/** How far a record at an end stands from its neighbor. */
const gap = 1_024;

/** The position after all of these. */
export const positionAfter = (positions: readonly number[]): number =>
  positions.length === 0 ? 0 : Math.max(...positions) + gap;

/** Indices of a longest rising sequence, found by patience sorting: the records that can stay where they are. */
function longestRise(numbers: readonly number[]): ReadonlySet<number> {
  /** At each length less one: the index at which the lowest rise of that length ends. */
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
  const rise = new Set<number>();
  for (let index = ends.at(-1); index !== undefined; index = previous[index]) rise.add(index);
  return rise;
}

/** A whole number between two neighbors; right after the first when there is no room. */
function between(before: number | undefined, after: number | undefined): number {
  if (before === undefined) return after === undefined ? 0 : after - gap;
  return after === undefined ? before + gap : Math.max(before + 1, Math.floor((before + after) / 2));
}

/**
 * Rising positions for records in a wanted order.
 * @param current the positions that the records have now, in the wanted order
 */
export function positionsInOrder(current: readonly number[]): readonly number[] {
  const stays = longestRise(current);
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
