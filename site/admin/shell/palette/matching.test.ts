import { expect, test } from 'vitest';
import { matching } from './matching.ts';

const options = [
  ...['Overview', 'Orders', 'New order', 'Brief questions', 'FAQ'].map((label) => ({ label })),
  { label: 'Ledger', words: 'money refunds' },
  { label: 'Refunds page' },
].map((option) => ({ href: `/${option.label}`, about: 'Screen', ...option }));
const labels = (typed: string) => matching(options, typed).map(({ label }) => label);

test('A search finds the beginnings of words, and names that begin with it come first', () => {
  expect(labels('ord')).toEqual(['Orders', 'New order']);
  expect(labels('  QUEST br')).toEqual(['Brief questions']);
  expect(labels('rder')).toEqual([]);
  expect(labels('')).toHaveLength(7);
});

test('A search finds entries by synonyms, after entries with the word in their name', () => {
  expect(labels('refund')).toEqual(['Refunds page', 'Ledger']);
  expect(labels('ledger money')).toEqual(['Ledger']);
});

test('Punctuation is not a word', () => {
  expect(labels('#')).toEqual([]);
});
