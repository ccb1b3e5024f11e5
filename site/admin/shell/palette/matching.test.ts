import { expect, test } from 'vitest';
import { matching } from './matching.ts';

const options = ['Overview', 'Orders', 'New order', 'Brief questions', 'FAQ'].map((label) => ({
  href: `/${label}`,
  label,
  about: 'Screen',
}));
const labels = (typed: string) => matching(options, typed).map(({ label }) => label);

test('A search finds the beginnings of words, and names that begin with it come first', () => {
  expect(labels('ord')).toEqual(['Orders', 'New order']);
  expect(labels('  QUEST br')).toEqual(['Brief questions']);
  expect(labels('rder')).toEqual([]);
  expect(labels('')).toEqual(['Overview', 'Orders', 'New order', 'Brief questions', 'FAQ']);
});
