import { expect, test } from 'vitest';
import { noPages, withPages } from './page-set.ts';

test('An isolate keeps the pages of every site, and eight million characters of the newest pages from records', () => {
  const page = (path: string, length: number) => ({
    path,
    html: 'x'.repeat(length),
    etag: '',
    csp: '',
    revision: 1,
  });
  const full = withPages(noPages, [
    page('/', 9_000_000),
    page('/articles/old', 5_000_000),
    page('/articles/new', 3_000_000),
  ]);
  expect([...full.pages.keys()]).toEqual(['/', '/articles/old', '/articles/new']);
  const { pages } = withPages(full, [page('/articles/newest', 1)]);
  expect([...pages.keys()]).toEqual(['/', '/articles/new', '/articles/newest']);
});
