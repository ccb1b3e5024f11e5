import { beforeEach, expect, test } from 'vitest';
import { markCancellation, takeCancellationMark } from './cancel-mark.ts';

let storage: Storage;

beforeEach(() => {
  const items = new Map<string, string>();
  storage = {
    get length() {
      return items.size;
    },
    key: (index) => [...items.keys()][index] ?? null,
    getItem: (name) => items.get(name) ?? null,
    setItem: (name, value) => void items.set(name, value),
    removeItem: (name) => void items.delete(name),
    clear: () => items.clear(),
  };
});

test('The cancel link of an order cancels it once', () => {
  markCancellation('order-1', storage);
  expect(takeCancellationMark('order-1', storage)).toBe(true);
  expect(takeCancellationMark('order-1', storage)).toBe(false);
});

test('The cancel link of one order does not cancel another', () => {
  markCancellation('order-1', storage);
  expect(takeCancellationMark('order-2', storage)).toBe(false);
});
