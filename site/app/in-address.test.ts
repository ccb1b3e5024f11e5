import { expect, test } from 'vitest';
import { queryWith } from './in-address.ts';

test('A filter changes its own part of the URL and keeps the rest', () => {
  expect(queryWith('?q=Ann&page=3&sort=oldest', { page: '', q: 'Maria Lopez' })).toBe(
    '?q=Maria+Lopez&sort=oldest',
  );
  expect(queryWith('?page=3', { page: '' })).toBe('');
});
