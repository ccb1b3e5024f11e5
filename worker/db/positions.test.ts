import { describe, expect, test } from 'vitest';
import { positionAfter, positionsInOrder } from './positions.ts';

const moved = (current: readonly number[]) => {
  const positions = positionsInOrder(current);
  return positions.filter((position, index) => position !== current[index]).length;
};
const spaced = Array.from({ length: 500 }, (_, index) => index * 1_024);
const withMoved = (from: number, to: number) => spaced.toSpliced(from, 1).toSpliced(to, 0, spaced[from] ?? 0);

describe('New positions', () => {
  test.each([
    [499, 0],
    [0, 499],
    [250, 10],
    [10, 11],
  ])('rewrite one record of 500 when it moves from %i to %i', (from, to) => {
    expect(moved(withMoved(from, to))).toBe(1);
  });

  test('rewrite nothing when the order is the same', () => {
    expect(moved(spaced)).toBe(0);
    expect(positionsInOrder([])).toEqual([]);
  });

  test('increase no matter how often and where records move, even if neighbors leave no room', () => {
    let seed = 11;
    const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
    for (const start of [spaced.slice(0, 12), [0, 1, 2, 3, 4, 5], [3, 3, 3, 1]]) {
      let positions: readonly number[] = start;
      for (let round = 0; round < 500; round += 1) {
        const from = random(positions.length);
        const to = random(positions.length);
        positions = positionsInOrder(positions.toSpliced(from, 1).toSpliced(to, 0, positions[from] ?? 0));
        for (const [index, position] of positions.entries())
          expect(position).toBeGreaterThan(positions[index - 1] ?? -Infinity);
      }
    }
  });
});

test('A new record comes after all others', () => {
  expect(positionAfter([])).toBe(0);
  expect(positionAfter([5, -3])).toBeGreaterThan(5);
});
