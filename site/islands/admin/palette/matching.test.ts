import { expect, test } from 'vitest';
import { matching } from './matching.ts';

const options = ['Overview', 'Orders', 'New order', 'Brief questions', 'FAQ'].map((label) => ({
  href: `/${label}`,
  label,
  about: 'Screen',
}));
const labels = (typed: string) => matching(options, typed).map(({ label }) => label);

test('What is typed finds by the beginnings of words, what begins with it first', () => {
  expect(labels('ord')).toEqual(['Orders', 'New order']);
  expect(labels('  QUEST br')).toEqual(['Brief questions']);
  expect(labels('rder')).toEqual([]);
  expect(labels('')).toEqual(['Overview', 'Orders', 'New order', 'Brief questions', 'FAQ']);
});
