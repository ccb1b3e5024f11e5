import { expect, test } from 'vitest';
import { withTypedSince } from './with-typed-since.ts';

test('What was typed while a form was sent stays; what was not touched is as it was saved', () => {
  const sent = { name: ' Ann ', website: 'ann.example', phone: '' };
  const now = { ...sent, website: 'ann.example/loans' };
  const saved = { name: 'Ann', website: 'https://ann.example', phone: '' };
  expect(withTypedSince(sent, now, saved)).toEqual({
    name: 'Ann',
    website: 'ann.example/loans',
    phone: '',
  });
});
