import { expect, test } from 'vitest';
import { pageInAddress } from './use-page.ts';

test.each([
  ['', 1],
  ['?page=3', 3],
  ['?page=0', 1],
  ['?page=-2', 1],
  ['?page=1.5', 1],
  ['?page=two', 1],
  ['?other=4', 1],
])('The query %j opens page %i', (search, page) => {
  expect(pageInAddress(search)).toBe(page);
});
