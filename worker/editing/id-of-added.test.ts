/** Which id a record gets that is added with a key. */
import { expect, test } from 'vitest';
import { isId, newId, timeOfId } from '#contract/ids.ts';
import { idOfAdded } from './id-of-added.ts';

test('What is sent again under one key has one id, and any other key, person or text another', () => {
  const key = newId();
  const id = idOfAdded(key, ['ann', 'faqItem', { question: 'Why?' }]);
  expect(idOfAdded(key, ['ann', 'faqItem', { question: 'Why?' }])).toBe(id);
  const others = [
    idOfAdded(newId(), ['ann', 'faqItem', { question: 'Why?' }]),
    idOfAdded(key, ['ben', 'faqItem', { question: 'Why?' }]),
    idOfAdded(key, ['ann', 'faqItem', { question: 'Why not?' }]),
    idOfAdded(undefined, ['ann', 'faqItem', { question: 'Why?' }]),
  ];
  expect(new Set([id, ...others]).size).toBe(5);
});

test('An id sorts by the time of its key, where that tells one', () => {
  const id = idOfAdded(newId(1_800_000_000_000), []);
  expect([isId(id), id[14], timeOfId(id)]).toEqual([true, '7', 1_800_000_000_000]);
  const other = idOfAdded('any text', []);
  expect([isId(other), other[14]]).toEqual([true, '8']);
});
