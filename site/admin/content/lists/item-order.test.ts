import { describe, expect, test } from 'vitest';
import { moveItem, placeForKey, putBack } from './item-order.ts';

describe('An item moves', () => {
  test.each([
    [0, 2, 'bcad'],
    [3, 0, 'dabc'],
    [1, 1, 'abcd'],
    [1, -5, 'bacd'],
    [1, 99, 'acdb'],
    [9, 0, 'abcd'],
  ])('from %i to %i', (from, to, expected) => {
    expect(moveItem(['a', 'b', 'c', 'd'], from, to).join('')).toBe(expected);
  });

  test.each([
    ['ArrowUp', 0, 0],
    ['ArrowUp', 2, 1],
    ['ArrowDown', 2, 3],
    ['ArrowDown', 3, 3],
    ['Home', 3, 0],
    ['End', 0, 3],
    ['Enter', 1, undefined],
    ['constructor', 1, undefined],
  ])('by %s from %i to %j', (key, index, expected) => {
    expect(placeForKey(key, index, 4)).toBe(expected);
  });
});

describe('A restored item', () => {
  test('returns to its position', () => {
    expect(putBack(['a', 'b', 'c'], 'b', ['a', 'c', 'b'])).toEqual(['a', 'b', 'c']);
    expect(putBack(['a', 'b', 'c'], 'a', ['b', 'c', 'a'])).toEqual(['a', 'b', 'c']);
  });

  test('returns behind the items that were before it, even if others were added or moved in the meantime', () => {
    expect(putBack(['a', 'b', 'c'], 'c', ['x', 'b', 'a', 'y', 'c'])).toEqual(['x', 'b', 'a', 'c', 'y']);
  });
});
