/** Reproducible randomness. Tests that try many random inputs print their seed, and accept it again. */

/** Numbers from 0 below 1. */
export type Random = () => number;

/** Numbers from 0 below 1, the same for the same seed (mulberry32). */
export function randomFrom(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A whole number from 0 below a limit. */
export const below = (random: Random, limit: number): number => Math.floor(random() * limit);

/**
 * Picks one item of a list, each with equal probability.
 * @throws if the list is empty
 */
export function pick<T>(random: Random, list: readonly T[]): T {
  if (list.length === 0) throw new Error('There is nothing to choose from.');
  return list[below(random, list.length)] as T;
}

export const shuffled = <T>(random: Random, list: readonly T[]): T[] =>
  list
    .map((item) => ({ item, place: random() }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ item }) => item);
