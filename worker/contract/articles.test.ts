import { expect, test } from 'vitest';
import { slugFrom } from './addresses.ts';
import {
  articlesPerPage,
  changedPages,
  isRecordPath,
  recordPages,
  tagsOf,
  type Article,
  type ArticlePage,
} from './articles.ts';

const articleOf = (number: number, change: Partial<Article> = {}): Article => ({
  _id: `id-${String(number)}`,
  title: `Article ${String(number)}`,
  slug: `article-${String(number)}`,
  kind: 'guide',
  summary: 'A summary.',
  cover: '',
  text: 'A text.',
  author: '',
  publishedOn: '2026-03-09',
  revisedOn: '',
  tags: '',
  ...change,
});
/** Newest first, as in the content. */
const listOf = (count: number, changeOf: (number: number) => Partial<Article> = () => ({})): Article[] =>
  Array.from({ length: count }, (_, index) => articleOf(count - index, changeOf(count - index)));
const changedPaths = (before: readonly Article[], after: readonly Article[]): string[] =>
  changedPages(before, after).toSorted();

test('A title becomes a slug of Latin letters, digits and single hyphens', () => {
  expect(slugFrom('  What’s new? 5 “Crème” loans & more! ')).toBe('whats-new-5-creme-loans-more');
  expect(slugFrom('مرحبا')).toBe('');
  expect(slugFrom('long '.repeat(40))).toMatch(/^(long-)+long?$|^(long-)+lo?n?$/);
});

test('The path of a record has one spelling, and never looks like the path of a file or of the feed', () => {
  for (const path of ['/about-us', '/articles/one', '/articles/page/2', '/articles/tag/a-b/page/12'])
    expect(isRecordPath(path), path).toBe(true);
  for (const path of [
    '/',
    '/articles/',
    '/articles/feed.xml',
    '/About',
    '/a/',
    '/a--b',
    '/articles/page/0',
    '/a.txt',
  ])
    expect(isRecordPath(path), path).toBe(false);
});

test('Tags are trimmed, duplicates in another case or spacing are dropped, and the first spelling is shown', () => {
  expect(tagsOf({ tags: ' Loan  pages, , SEO,loan pages,seo ' })).toEqual(['Loan pages', 'SEO']);
  const articles = listOf(3, (number) => ({ tags: number === 1 ? 'Home loans' : 'HOME loans' }));
  expect(recordPages(articles).get('/articles/tag/home-loans')).toMatchObject({ title: 'Home loans' });
});

test('Lists by kind and by tag show twelve articles per page, and no list contains separate pages', () => {
  const articles = [
    ...listOf(25, (number) => ({
      kind: number % 2 === 0 ? 'case study' : 'guide',
      tags: number > 23 ? 'Rare' : 'Often',
    })),
    articleOf(99, { kind: 'page', slug: 'about-us' }),
  ];
  const pages = recordPages(articles);
  const listAt = (path: string) => {
    const page = pages.get(path);
    return page?.type === 'list' ? [page.articles.length, page.pageCount, page.isThin] : undefined;
  };
  expect(listAt('/articles/')).toEqual([articlesPerPage, 3, false]);
  expect(listAt('/articles/page/3')).toEqual([1, 3, false]);
  expect(listAt('/articles/page/4')).toBeUndefined();
  expect(listAt('/articles/kind/case-studies')).toEqual([12, 1, false]);
  expect(listAt('/articles/tag/often/page/2')).toEqual([11, 2, false]);
  expect(listAt('/articles/tag/rare')).toEqual([2, 1, true]);
  expect(pages.get('/about-us')).toMatchObject({ newer: undefined, older: undefined });
  expect(pages.has('/articles/about-us')).toBe(false);
});

test('An article links to its neighbors, and to others on its topic, older ones first', () => {
  const articles = listOf(6, (number) => ({ tags: number === 3 ? 'Other' : 'Same' }));
  const page = recordPages(articles).get('/articles/article-4') as ArticlePage;
  expect([page.newer?.slug, page.older?.slug]).toEqual(['article-5', 'article-3']);
  expect(page.related.map(({ slug }) => slug)).toEqual(['article-2', 'article-1', 'article-5']);
});

test('A new article among two thousand changes only its neighbor and the lists', () => {
  const before = listOf(2_000, (number) => ({ tags: `Topic ${String(number % 20)}` }));
  const added = articleOf(2_001, { tags: 'Topic 1' });
  const changed = changedPaths(before, [added, ...before]);
  expect(changed.filter((path) => /^\/articles\/article-/.test(path))).toEqual([
    '/articles/article-2000',
    '/articles/article-2001',
  ]);
  const lists = changed.filter((path) => !/^\/articles\/article-/.test(path));
  for (const path of lists) expect(path).toMatch(/^\/articles\/($|page\/|kind\/guides|tag\/topic-1($|\/))/);
});

test('A change that affects only the text changes only the page of the article', () => {
  const before = listOf(30, () => ({ tags: 'Topic' }));
  const after = before.map((article) =>
    article._id === 'id-7' ? { ...article, text: 'Another text.' } : article,
  );
  expect(changedPaths(before, after)).toEqual(['/articles/article-7']);
});

test('A new title changes the lists, the neighbors and the articles that link to it as related', () => {
  const before = listOf(12, (number) => ({ tags: number % 2 === 0 ? 'Even' : 'Odd' }));
  const after = before.map((article) =>
    article._id === 'id-6' ? { ...article, title: 'Another' } : article,
  );
  const articles = changedPaths(before, after).filter((path) => /^\/articles\/article-/.test(path));
  // 5 and 7 are neighbors. 8, 10 and 12 link to the next older ones. 2 and 4 have too few older ones, so they link to
  // newer ones.
  expect(articles).toEqual([10, 12, 2, 4, 5, 6, 7, 8].map((number) => `/articles/article-${String(number)}`));
});
