import { expect, test } from 'vitest';
import { pageWindow } from './paging.ts';

function readPage(list: readonly number[], page: number, pageSize: number): number[] {
  const window = pageWindow(list.length, { page, pageSize });
  if (!window) return [];
  const ordered = window.isFromEnd ? list.toReversed() : list;
  const rows = ordered.slice(window.offset, window.offset + window.limit);
  return window.isFromEnd ? rows.toReversed() : rows;
}

test('All pages together are the whole list, whichever end each page is read from', () => {
  for (const total of [0, 1, 4, 5, 6, 23]) {
    for (const pageSize of [1, 3, 5, 100]) {
      const list = Array.from({ length: total }, (_, index) => index);
      const pages = Array.from({ length: total + 2 }, (_, index) => readPage(list, index + 1, pageSize));
      expect(pages.flat()).toEqual(list);
    }
  }
});

test('No page skips more than half of the list', () => {
  for (let page = 1; page <= 100; page += 1)
    expect(pageWindow(1_000, { page, pageSize: 10 })?.offset).toBeLessThanOrEqual(500);
});
