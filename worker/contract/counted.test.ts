import { expect, test } from 'vitest';
import { displayBytes, maxFileBytes } from './conversations.ts';
import { counted } from './counted.ts';

test('Counts use the singular for one and the plural for every other number', () => {
  expect([0, 1, 2, 1_398].map((count) => counted(count, 'order'))).toEqual([
    '0 orders',
    '1 order',
    '2 orders',
    '1,398 orders',
  ]);
  expect([1, 2].map((count) => counted(count, 'payment or email', 'payments or emails'))).toEqual([
    '1 payment or email',
    '2 payments or emails',
  ]);
});

test('The largest allowed file shows the same size as the limit, and a larger one shows more', () => {
  expect([900, 2_048, maxFileBytes, maxFileBytes + 1].map(displayBytes)).toEqual([
    ...['900 B', '2 KB', '25 MB', '25.1 MB'],
  ]);
});
