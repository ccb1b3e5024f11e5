/** When reconciliation asks again. */
import { expect, test } from 'vitest';
import { nextCheckMs } from './reconcile.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

test.each([
  ['just begun', 0, 2 * minute],
  ['a quarter of an hour old', 15 * minute, 2 * minute],
  ['an hour old', 60 * minute, 6 * minute],
  ['three days old', 3 * day, 0.3 * day],
  ['a month old', 30 * day, day],
])('A payment that is %s is asked about soon while it is young, and once a day at least', (_, age, next) => {
  expect(nextCheckMs(age)).toBe(next);
});
