import { expect, test } from 'vitest';
import type { Article } from '#contract/articles.ts';
import { exampleContent } from '../sections/example-content.ts';
import { feedOf } from './feed.ts';

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Element[];
  text: string;
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** @throws Error for a `<` or an entity that XML 1.0 does not define, and for characters that it forbids */
function decode(text: string): string {
  if (/[<\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/.test(text))
    throw new Error(`Not text: ${JSON.stringify(text)}`);
  return text.replace(/&([^;]*;?)/g, (_, entity: string) => {
    const known = entity.endsWith(';') ? entities[entity.slice(0, -1)] : undefined;
    if (known === undefined) throw new Error(`Not an entity: &${entity}`);
    return known;
  });
}

/** Parses XML as strictly as feed readers may. @throws Error unless it is well-formed */
function parseXml(xml: string): Element {
  const root: Element = { name: '', attributes: {}, children: [], text: '' };
  const open = [root];
  let at = 0;
  for (const match of xml.matchAll(/<(\/?)([\w:]+)((?:\s+[\w:]+="[^"<]*")*)\s*(\/?)>/g)) {
    const [tag, end = '', name = '', attributes = '', empty = ''] = match;
    const current = open.at(-1) ?? root;
    current.text += decode(xml.slice(at, match.index));
    at = match.index + tag.length;
    if (end !== '') {
      if (open.pop()?.name !== name) throw new Error(`</${name}> closes nothing.`);
      continue;
    }
    const pairs = [...attributes.matchAll(/([\w:]+)="([^"]*)"/g)].map(([, key = '', value = '']) => [
      key,
      decode(value),
    ]);
    if (new Set(pairs.map(([key]) => key)).size < pairs.length) throw new Error(`An attribute twice: ${tag}`);
    const element = {
      name,
      attributes: Object.fromEntries(pairs) as Element['attributes'],
      children: [],
      text: '',
    };
    current.children.push(element);
    if (empty === '') open.push(element);
  }
  const [only, ...more] = root.children;
  if (!only || more.length > 0 || open.length > 1 || decode(xml.slice(at)) !== '')
    throw new Error('There must be one root, which is closed.');
  return only;
}

const all = ({ children }: Element, name: string) => children.filter((child) => child.name === name);
const one = (element: Element, name: string): Element => {
  const [found, ...more] = all(element, name);
  if (!found || more.length > 0) throw new Error(`${element.name} needs one ${name}.`);
  return found;
};

const siteUrl = 'https://firm.example';
const article = (change: Partial<Article>): Article => ({
  _id: '019b76da-a800-7001-8000-000000000001',
  title: 'A guide',
  slug: 'a-guide',
  kind: 'guide',
  summary: 'In short.',
  cover: '',
  text: '',
  author: '',
  publishedOn: '2026-01-05',
  revisedOn: '',
  tags: '',
  ...change,
});
const feed = (...articles: Article[]) => feedOf({ ...exampleContent(), article: articles }, siteUrl);

/** https://www.rssboard.org/rss-specification and https://www.rssboard.org/rss-profile */
test('The feed is RSS 2.0, with the required elements, RFC 822 dates, absolute links and escaped texts', () => {
  const hostile = 'Rates < 5% & "more" ]]> <b>\u0007';
  const rss = parseXml(
    feed(article({}), article({ _id: 'two', slug: 'two', title: hostile, tags: 'A & B, C' })),
  );
  expect(rss).toMatchObject({ name: 'rss', attributes: { version: '2.0' } });
  const channel = one(rss, 'channel');
  for (const required of ['title', 'link', 'description'])
    expect(one(channel, required).text, required).not.toBe('');
  expect(one(channel, 'link').text).toBe(`${siteUrl}/articles/`);
  expect(one(channel, 'atom:link').attributes).toEqual({
    href: `${siteUrl}/articles/feed.xml`,
    rel: 'self',
    type: 'application/rss+xml',
  });
  const items = all(channel, 'item');
  expect(items).toHaveLength(2);
  for (const item of items) {
    expect(one(item, 'link').text).toMatch(/^https:\/\/firm\.example\/articles\/[\w-]+$/);
    expect(one(item, 'guid')).toMatchObject({ attributes: { isPermaLink: 'false' } });
    expect(one(item, 'pubDate').text).toMatch(
      /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d\d:\d\d:\d\d GMT$/,
    );
  }
  expect(new Set(items.map((item) => one(item, 'guid').text)).size).toBe(2);
  const second = items[1];
  expect(second && one(second, 'title').text).toBe('Rates < 5% & "more" ]]> <b>');
  expect(second && all(second, 'category').map(({ text }) => text)).toEqual(['A & B', 'C']);
});

test('The feed contains the newest 30 articles, and no separate pages', () => {
  const many = Array.from({ length: 31 }, (_, index) => article({ _id: `n${index}`, slug: `n-${index}` }));
  const items = all(one(parseXml(feed(article({ kind: 'page' }), ...many)), 'channel'), 'item');
  expect(items.map((item) => one(item, 'guid').text)).toEqual(many.slice(0, 30).map(({ _id }) => _id));
});
