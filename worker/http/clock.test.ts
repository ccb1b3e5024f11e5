/** What is left of a span when the clock is set right on the way. */
import { expect, test } from 'vitest';
import { remainingMs } from './clock.ts';

test.each([
  ['has begun now', 0, 10],
  ['is half over', -5, 5],
  ['is over', -10, 0],
  ['was over long ago', -1_000, 0],
  ['began a little ahead, where clocks differ', 4, 10],
  ['began far ahead, before the clock was set back', 10, 0],
])('Of a span of ten that %s', (_, since, left) => {
  expect(remainingMs(100 + since, 10, 100)).toBe(left);
});
