import { expect, test } from 'vitest';
import { isId, newId, timeOfId } from '#contract/ids.ts';
import { idOfAdded } from './id-of-added.ts';

test('The same key, person and section give the same id, and any other combination gives another id', () => {
  const key = newId();
  const id = idOfAdded(key, ['ann', 'faqItem']);
  expect(idOfAdded(key, ['ann', 'faqItem'])).toBe(id);
  const others = [
    idOfAdded(newId(), ['ann', 'faqItem']),
    idOfAdded(key, ['ben', 'faqItem']),
    idOfAdded(key, ['ann', 'service']),
    idOfAdded(undefined, ['ann', 'faqItem']),
  ];
  expect(new Set([id, ...others]).size).toBe(5);
});

test('An id sorts by the time of its key if the key contains a time', () => {
  const id = idOfAdded(newId(1_800_000_000_000), []);
  expect([isId(id), id[14], timeOfId(id)]).toEqual([true, '7', 1_800_000_000_000]);
  const other = idOfAdded('any text', []);
  expect([isId(other), other[14]]).toEqual([true, '8']);
});
