/** When reconciliation asks about a payment again. */
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
])(
  'Reconciliation asks again about a payment that is %s, after a tenth of its age and at least once a day',
  (_, age, next) => {
    expect(nextCheckMs(age)).toBe(next);
  },
);
