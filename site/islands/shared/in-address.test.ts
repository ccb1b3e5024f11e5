import { expect, test } from 'vitest';
import { queryWith } from './in-address.ts';

test('A value is set, another is taken out, and what else the query names stays', () => {
  expect(queryWith('?q=Ann&page=3&sort=oldest', { page: '', q: 'Maria Lopez' })).toBe(
    '?q=Maria+Lopez&sort=oldest',
  );
  expect(queryWith('?page=3', { page: '' })).toBe('');
});
