import { expect, test } from 'vitest';
import { withTypedSince } from './with-typed-since.ts';

test('Text that a person types during a save stays, and other fields show the saved values', () => {
  const sent = { name: ' Ann ', website: 'ann.example', phone: '' };
  const now = { ...sent, website: 'ann.example/loans' };
  const saved = { name: 'Ann', website: 'https://ann.example', phone: '' };
  expect(withTypedSince(sent, now, saved)).toEqual({
    name: 'Ann',
    website: 'ann.example/loans',
    phone: '',
  });
});
