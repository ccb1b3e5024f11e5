/**
 * The pages of articles: their paths, and what each shows. The Worker uses this module to find out which pages a save
 * changes, and the pages render its result.
 */
import { counted } from './counted.ts';
import { slugFrom, slugPattern } from './addresses.ts';
import type { RecordOf } from './sections/index.ts';
import { tagsIn } from './tags.ts';

export type Article = RecordOf<'article'>;

export const articlesPerPage = 12;
/** Search engines do not index the page of a tag with fewer articles. */
const minIndexedArticles = 3;
const relatedCount = 3;

const listPath = '/articles/';

export const articlePath = ({ kind, slug }: Pick<Article, 'kind' | 'slug'>): string =>
  kind === 'page' ? `/${slug}` : `${listPath}${slug}`;

/** Whether a path looks like the path of an article. Only the records say whether the article exists. */
export const isArticlePath = (path: string): boolean =>
  /^\/articles\/[a-z0-9-]+$/.test(path) || slugPattern.test(path.slice(1));

/**
 * Whether a path looks like the path of a page that comes from a record. Only the records say whether the page exists.
 */
export const isRecordPath = (path: string): boolean =>
  isArticlePath(path) ||
  /^\/articles\/(?:(?:kind|tag)\/[a-z0-9-]+(?:\/page\/[1-9]\d{0,3})?|page\/[1-9]\d{0,3})$/.test(path);

export const tagsOf = ({ tags }: Pick<Article, 'tags'>): readonly string[] => tagsIn(tags);

/** The path of a tag's list; undefined if the tag has no Latin letter and no digit. */
export function tagPath(tag: string): string | undefined {
  const slug = slugFrom(tag);
  return slug === '' ? undefined : `${listPath}tag/${slug}`;
}

/** The kinds that appear in lists. */
export const listedKinds = {
  guide: { path: `${listPath}kind/guides`, title: 'Guides' },
  'case study': { path: `${listPath}kind/case-studies`, title: 'Case studies' },
} as const;
export const isListed = ({ kind }: Pick<Article, 'kind'>): boolean => kind in listedKinds;

export interface ArticlePage {
  readonly type: 'article';
  readonly path: string;
  readonly article: Article;
  /** The neighbors in the list. */
  readonly newer: Article | undefined;
  readonly older: Article | undefined;
  /** Articles with a tag in common. */
  readonly related: readonly Article[];
}

export interface ListPage {
  readonly type: 'list';
  readonly path: string;
  /** The kind or tag of the list; undefined for the list of all articles. */
  readonly title: string | undefined;
  /** Counts from 1. */
  readonly number: number;
  readonly pageCount: number;
  readonly articles: readonly Article[];
  /** Whether the list is too short for search engines. */
  readonly isThin: boolean;
}

export type RecordPage = ArticlePage | ListPage;

export const listPagePath = (base: string, number: number): string =>
  number === 1 ? base : `${base.replace(/\/$/, '')}/page/${number}`;

function listPages(
  base: string,
  title: string | undefined,
  all: readonly Article[],
  fewest: number,
): ListPage[] {
  const pageCount = Math.max(1, Math.ceil(all.length / articlesPerPage));
  return Array.from({ length: pageCount }, (_, index) => ({
    type: 'list',
    path: listPagePath(base, index + 1),
    title,
    number: index + 1,
    pageCount,
    articles: all.slice(index * articlesPerPage, (index + 1) * articlesPerPage),
    isThin: all.length < fewest,
  }));
}

const knownTags = new WeakMap<Article, ReadonlyMap<string, string>>();

function taggedLists(article: Article): ReadonlyMap<string, string> {
  const known = knownTags.get(article);
  if (known) return known;
  const tags = new Map<string, string>();
  for (const tag of tagsOf(article)) {
    const path = tagPath(tag);
    if (path !== undefined && !tags.has(path)) tags.set(path, tag);
  }
  knownTags.set(article, tags);
  return tags;
}

function tagPages(listed: readonly Article[]): ListPage[] {
  const lists = new Map<string, { readonly tag: string; readonly articles: Article[] }>();
  for (const article of listed)
    for (const [path, tag] of taggedLists(article)) {
      // The oldest article comes last, and its spelling of the tag wins.
      const articles = lists.get(path)?.articles ?? [];
      articles.push(article);
      lists.set(path, { tag, articles });
    }
  return Array.from(lists, ([path, { tag, articles }]) =>
    listPages(path, tag, articles, minIndexedArticles),
  ).flat();
}

/**
 * Finds articles with a tag in common: the next older ones, then the next newer ones. A new article therefore changes
 * the pages of few others.
 * @param listed the list of all articles, newest first
 */
function findRelated(article: Article, place: number, listed: readonly Article[]): readonly Article[] {
  const paths = [...taggedLists(article).keys()];
  const related: Article[] = [];
  const addIfRelated = (other: Article | undefined) => {
    if (other && paths.some((path) => taggedLists(other).has(path))) related.push(other);
  };
  for (let at = place + 1; at < listed.length && related.length < relatedCount; at += 1)
    addIfRelated(listed[at]);
  for (let at = place - 1; at >= 0 && related.length < relatedCount; at -= 1) addIfRelated(listed[at]);
  return related;
}

function makePages(articles: readonly Article[]): ReadonlyMap<string, RecordPage> {
  const listed = articles.filter(isListed);
  const pages: RecordPage[] = [
    ...listPages(listPath, undefined, listed, 1),
    ...Object.entries(listedKinds).flatMap(([kind, { path, title }]) => {
      const all = listed.filter((article) => article.kind === kind);
      return all.length === 0 ? [] : listPages(path, title, all, 1);
    }),
    ...tagPages(listed),
    ...listed.map((article, place): ArticlePage => {
      let related: readonly Article[] | undefined;
      return {
        type: 'article',
        path: articlePath(article),
        article,
        newer: listed[place - 1],
        older: listed[place + 1],
        // Computed on demand. A rendered page needs only its own related articles, and finding them for all pages takes
        // most of the time.
        get related() {
          return (related ??= findRelated(article, place, listed));
        },
      };
    }),
    ...articles
      .filter((article) => !isListed(article))
      .map((article): ArticlePage => ({
        type: 'article',
        path: articlePath(article),
        article,
        newer: undefined,
        older: undefined,
        related: [],
      })),
  ];
  return new Map(pages.map((page) => [page.path, page]));
}

const known = new WeakMap<readonly Article[], ReadonlyMap<string, RecordPage>>();

/**
 * The pages of the articles by path. `/articles/` comes first.
 * @param articles newest first, as in the content
 */
export function recordPages(articles: readonly Article[]): ReadonlyMap<string, RecordPage> {
  const pages = known.get(articles) ?? makePages(articles);
  known.set(articles, pages);
  return pages;
}

const cards = new WeakMap<Article, string>();

/** The fields that cards and links to neighboring articles show, as one string to compare. */
function cardOf(article: Article | undefined): string {
  if (!article) return '';
  const { title, slug, kind, summary, cover, publishedOn, tags } = article;
  const card = cards.get(article) ?? JSON.stringify([title, slug, kind, summary, cover, publishedOn, tags]);
  cards.set(article, card);
  return card;
}

const haveSameCards = (some: readonly (Article | undefined)[], others: readonly (Article | undefined)[]) =>
  some.length === others.length &&
  some.every((one, index) => one === others[index] || cardOf(one) === cardOf(others[index]));

/** Whether two states of a page show the same data from the records, apart from related articles. */
function haveSameArticles(one: RecordPage | undefined, other: RecordPage | undefined): boolean {
  if (!one || !other) return one === other;
  if (one.type === 'article' && other.type === 'article')
    return one.article === other.article && haveSameCards([one.newer, one.older], [other.newer, other.older]);
  return (
    one.type === 'list' &&
    other.type === 'list' &&
    one.title === other.title &&
    one.pageCount === other.pageCount &&
    one.isThin === other.isThin &&
    haveSameCards(one.articles, other.articles)
  );
}

/** The paths of all pages that show different data from the records in two states of the articles. */
export function changedPages(before: readonly Article[], after: readonly Article[]): readonly string[] {
  const [old, now] = [recordPages(before), recordPages(after)];
  const paths = [...new Set([...old.keys(), ...now.keys()])];
  const changed = new Set(paths.filter((path) => !haveSameArticles(old.get(path), now.get(path))));
  // Related articles have a tag in common, so they stay the same while the lists of the tags do.
  const tags = new Set(Array.from(changed, (path) => path.replace(/\/page\/\d+$/, '')));
  const hasOtherRelated = (path: string) => {
    const [one, other] = [old.get(path), now.get(path)];
    return (
      one?.type === 'article' &&
      other?.type === 'article' &&
      [...taggedLists(other.article).keys()].some((tag) => tags.has(tag)) &&
      !haveSameCards(one.related, other.related)
    );
  };
  return paths.filter((path) => changed.has(path) || hasOtherRelated(path));
}

/** How many minutes a text takes to read, at 220 words a minute; at least 1. */
export const readingMinutes = (text: string): number =>
  Math.max(1, Math.round((text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0) / 220));

/** How many characters of a title and a description search engines show. */
const searchResultLengths = { title: 60, summary: 155 } as const;

/** Notes for the article's form about its search result, by field. */
export function searchNotes(values: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const lengths = Object.entries(searchResultLengths).map(([field, most]): [string, string] => {
    const length = Array.from((values[field] ?? '').trim()).length;
    const only = length > most ? ' only' : '';
    return [field, `${counted(length, 'character')}. Search results show${only} about ${most}.`];
  });
  const slug = values['slug'] || slugFrom(values['title'] ?? '');
  const path = articlePath({ kind: values['kind'] ?? '', slug });
  return {
    ...Object.fromEntries(lengths),
    ...(slugPattern.test(slug) && { slug: `The address is ${path}.` }),
  };
}
