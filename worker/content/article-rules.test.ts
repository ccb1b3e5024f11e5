/** The slugs, days and redirects that saving articles adds. */
import { expect, test } from 'vitest';
import { sectionNames } from '#contract/sections/index.ts';
import { withArticleRules } from './article-rules.ts';
import { addRecord, applyChanges, removeRecord, updateRecord } from './edits.ts';
import type { StoredContent } from './stored.ts';

const empty = Object.fromEntries(sectionNames.map((name) => [name, []])) as unknown as StoredContent;
const today = '2026-11-25';
const values = (change: Readonly<Record<string, string>> = {}) => ({
  title: 'One Loan, Two Towns',
  slug: '',
  kind: 'guide',
  summary: 'A summary.',
  cover: '',
  text: 'A text.',
  author: '',
  publishedOn: '',
  revisedOn: '',
  tags: '',
  ...change,
});
const add = (content: StoredContent, change?: Readonly<Record<string, string>>, id?: string) =>
  withArticleRules(content, addRecord('article', values(change), id).changesTo(content), { today });
const rename = (content: StoredContent, id: string, slug: string) =>
  withArticleRules(content, updateRecord('article', id, { slug }).changesTo(content), { today });
const redirectsOf = ({ redirect }: StoredContent) =>
  redirect.map(({ values: { from, to } }) => `${from ?? ''} ${to ?? ''}`);

test('An article without an address and a day gets both, and a second one with the same title gets another address', () => {
  const [first] = add(empty);
  expect(first?.after?.values).toMatchObject({ slug: 'one-loan-two-towns', publishedOn: today });
  const content = applyChanges(empty, add(empty));
  expect(add(content)[0]?.after?.values['slug']).toBe('one-loan-two-towns-2');
  expect(add(content, { title: '???' })[0]?.after?.values['slug']).toBe('article');
  expect(add(content, { slug: 'mine', publishedOn: '2025-01-31' })[0]?.after?.values).toMatchObject({
    slug: 'mine',
    publishedOn: '2025-01-31',
  });
});

test('A numbered address of a long title has only single hyphens, so its form accepts it again', () => {
  const title = `${'a'.repeat(74)} and more`;
  const content = applyChanges(empty, add(empty, { title }));
  expect(add(content, { title })[0]?.after?.values['slug']).toBe(`${'a'.repeat(74)}-2`);
});

test('A page titled like a page of the site gets a numbered address, and so does an article at an old address', () => {
  expect(add(empty, { title: 'Contact', kind: 'page' })[0]?.after?.values['slug']).toBe('contact-2');
  expect(add(empty, { title: 'Contact' })[0]?.after?.values['slug']).toBe('contact');
  const redirect = addRecord('redirect', { from: '/articles/rates/', to: '/pricing/' });
  const content = applyChanges(empty, redirect.changesTo(empty));
  expect(add(content, { title: 'Rates' })[0]?.after?.values['slug']).toBe('rates-2');
});

test('An article with a future day is refused, except in a preview', () => {
  const edit = addRecord('article', values({ publishedOn: '2026-11-26' }));
  expect(() => withArticleRules(empty, edit.changesTo(empty), { today })).toThrow(/release/);
  expect(withArticleRules(empty, edit.changesTo(empty), { today, isPreview: true })).toHaveLength(1);
});

test('Each old address of an article redirects to it, and a redirect is removed when an article takes back its address', () => {
  let content = applyChanges(empty, add(empty, { slug: 'a' }, 'id'));
  content = applyChanges(content, rename(content, 'id', 'b'));
  expect(redirectsOf(content)).toEqual(['/articles/a /articles/b']);
  content = applyChanges(content, rename(content, 'id', 'c'));
  expect(redirectsOf(content)).toEqual(['/articles/a /articles/c', '/articles/b /articles/c']);
  content = applyChanges(content, rename(content, 'id', 'a'));
  expect(redirectsOf(content)).toEqual(['/articles/b /articles/a', '/articles/c /articles/a']);
  const page = withArticleRules(content, updateRecord('article', 'id', { kind: 'page' }).changesTo(content), {
    today,
  });
  expect(redirectsOf(applyChanges(content, page))).toContain('/articles/a /a');
});

test('The redirects to a removed article are removed too, unless another article takes its address', () => {
  let content = applyChanges(empty, add(empty, { slug: 'a' }, 'id'));
  content = applyChanges(content, add(content, { slug: 'other' }, 'other'));
  for (const slug of ['b', 'c']) content = applyChanges(content, rename(content, 'id', slug));
  content = applyChanges(content, rename(content, 'other', 'another'));
  const remove = removeRecord('article', 'id').changesTo(content);
  const left = applyChanges(content, withArticleRules(content, remove, { today }));
  expect(redirectsOf(left)).toEqual(['/articles/other /articles/another']);

  const replaced = [
    ...remove,
    ...addRecord('article', values({ slug: 'c' })).changesTo(applyChanges(content, remove)),
  ];
  const kept = applyChanges(content, withArticleRules(content, replaced, { today }));
  expect(redirectsOf(kept)).toEqual(redirectsOf(content));
});

test('A redirect that is changed together with its article is changed once', () => {
  let content = applyChanges(empty, add(empty, { slug: 'a' }, 'id'));
  const redirect = { from: '/old', to: '/articles/a' };
  content = applyChanges(content, addRecord('redirect', redirect, 'redirect').changesTo(content));
  for (const [from, after] of [
    ['/older', { version: 2, values: { from: '/older', to: '/articles/b' } }],
    ['/articles/b', undefined],
  ] as const) {
    const both = [
      ...updateRecord('redirect', 'redirect', { from }).changesTo(content),
      ...updateRecord('article', 'id', { slug: 'b' }).changesTo(content),
    ];
    const changes = withArticleRules(content, both, { today });
    const ofRedirect = changes.filter(({ before }) => before?._id === 'redirect');
    expect(ofRedirect).toMatchObject([
      { action: after ? 'updated' : 'removed', before: { version: 1 }, after },
    ]);
  }
  const useless = [
    ...addRecord('redirect', { from: '/articles/b', to: '/articles/a' }, 'useless').changesTo(content),
    ...updateRecord('article', 'id', { slug: 'b' }).changesTo(content),
  ];
  expect(withArticleRules(content, useless, { today }).every(({ before, after }) => before ?? after)).toBe(
    true,
  );
});

test('A save that does not move an article changes no redirect', () => {
  const content = applyChanges(empty, add(empty, { slug: 'a' }, 'id'));
  const changes = withArticleRules(
    content,
    updateRecord('article', 'id', { title: 'New' }).changesTo(content),
    { today },
  );
  expect(changes.map(({ section }) => section)).toEqual(['article']);
});
