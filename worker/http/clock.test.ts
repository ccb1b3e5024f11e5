import { expect, test } from 'vitest';
import { remainingMs } from './clock.ts';

test.each([
  ['begins now', 0, 10],
  ['is half over', -5, 5],
  ['is over', -10, 0],
  ['was over long ago', -1_000, 0],
  ['begins slightly in the future because clocks differ', 4, 10],
  ['begins far in the future because the clock was set back', 10, 0],
])('The remaining part of a span of ten that %s', (_, since, left) => {
  expect(remainingMs(100 + since, 10, 100)).toBe(left);
});
