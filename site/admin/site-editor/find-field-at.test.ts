import { expect, test } from 'vitest';
import { findFieldAt } from './find-field-at.ts';

const content = {
  faqText: [{ _id: 't', faqHeading: 'Questions', faqText: 'What owners ask us.' }],
  faqItem: [
    { _id: 'a', accodingTitle: 'How long does it take?', accodingText: 'A month, at most.' },
    { _id: 'b', accodingTitle: 'How much is it?', accodingText: 'See **pricing**.' },
  ],
  logo: [{ _id: 'l', logo: '/images/logo.svg' }],
};
const faq = ['faqText', 'faqItem'] as const;

test.each([
  ['a text', ['A month,\n at most.'], { section: 'faqItem', id: 'a', field: 'accodingText' }],
  [
    'a part of a text',
    ['pricing', 'See pricing .', 'How much is it? See pricing .'],
    { id: 'b', field: 'accodingTitle' },
  ],
  [
    'the space beside the texts of one record',
    ['', 'How long does it take? A month, at most.'],
    { id: 'a', field: 'accodingTitle' },
  ],
  ['a decoration of a text', ['+', '+ How much is it?'], { id: 'b', field: 'accodingTitle' }],
  [
    'the space between all records',
    ['', 'Questions How long does it take? How much is it?'],
    { section: 'faqText', id: 't' },
  ],
])('A click on %s opens its record', (_what, texts, meant) => {
  expect(findFieldAt(texts, content, faq)).toMatchObject(meant);
});

test('A click on a picture opens the field with its address', () => {
  expect(findFieldAt(['/images/logo.svg'], content, ['logo'])).toEqual({
    section: 'logo',
    id: 'l',
    field: 'logo',
  });
});

test('A click on an empty list opens the section', () => {
  expect(findFieldAt([''], { faqItem: [] }, ['faqItem'])).toEqual({ section: 'faqItem' });
});

test('A click on a heading that is not content opens nothing', () => {
  expect(findFieldAt(['Services'], content, [])).toBeUndefined();
});
