/**
 * Completes a save of articles. It fills in the slug and the day. If an article moves, its old path redirects to the
 * new one. If it is removed, its redirects are removed too. These redirects are regular records, so they are published,
 * shown and restored like all others.
 */
import { articlePath } from '#contract/articles.ts';
import { slugFrom } from '#contract/addresses.ts';
import { allScreens, findScreen } from '#contract/all-screens.ts';
import { displayDate } from '#contract/days.ts';
import { newId } from '#contract/ids.ts';
import { withoutSlash } from '#contract/route-pattern.ts';
import { positionAfter } from '../db/positions.ts';
import { invalid } from '../http/errors.ts';
import { applyChanges, joinChanges, type RecordChange } from './edits.ts';
import type { StoredContent, StoredRecord } from './stored.ts';

export const pathOf = ({ values: { kind = '', slug = '' } }: StoredRecord): string =>
  articlePath({ kind, slug });

/** Paths that the Worker handles itself. A redirect from them would never be looked up. */
export const ownPaths = /^\/(api|_astro|cdn-cgi|dev|media|preview|shell|revision\.json|404)(\/|\.|$)/i;

/** The first path segments, in lowercase, that the site always uses. */
const reservedNames: ReadonlySet<string> = new Set(
  allScreens.map(({ pattern }) => pattern.split('/')[1]?.toLowerCase() ?? ''),
);

/** Whether a path without an inner slash belongs to a page, a screen or a call of the site. */
export const isReserved = (path: string): boolean =>
  reservedNames.has(path.slice(1)) || ownPaths.test(path) || findScreen(path) !== undefined;

/** A free slug for a title. It may end with a number. */
function freeSlug(title: string, isFree: (slug: string) => boolean): string {
  const base = slugFrom(title) || 'article';
  for (let count = 1; ; count += 1) {
    const slug = count === 1 ? base : `${base.slice(0, 75).replace(/-$/, '')}-${count}`;
    if (isFree(slug)) return slug;
  }
}

const redirectedPaths = ({ redirect }: Pick<StoredContent, 'redirect'>): ReadonlySet<string> =>
  new Set(redirect.map(({ values }) => withoutSlash(values['from'] ?? '').toLowerCase()));

function filledIn(
  content: StoredContent,
  changes: readonly RecordChange[],
  { today, isPreview }: Today,
): RecordChange[] {
  const changedIds = new Set(changes.map(({ before, after }) => (after ?? before)?._id));
  const others = content.article.filter(({ _id }) => !changedIds.has(_id));
  const slugs = [
    ...others,
    ...changes.flatMap(({ section, after }) => (section === 'article' && after ? [after] : [])),
  ];
  const taken = new Set(slugs.map(({ values }) => values['slug'] ?? ''));
  const redirected = redirectedPaths(content);
  return changes.map((change) => {
    const { section, after } = change;
    if (section !== 'article' || !after) return change;
    const { title = '', kind = '', slug: typed = '', publishedOn: day = '' } = after.values;
    if (day > today && !isPreview)
      throw invalid({
        publishedOn: `“${title}” is dated ${displayDate(day)}, which is in the future. Schedule a release with it for that day or later.`,
      });
    const isFree = (slug: string) => {
      const path = articlePath({ kind, slug });
      return !taken.has(slug) && !redirected.has(path) && !(kind === 'page' && isReserved(path));
    };
    const slug = typed || freeSlug(title, isFree);
    taken.add(slug);
    return { ...change, after: { ...after, values: { ...after.values, slug, publishedOn: day || today } } };
  });
}

interface Move {
  readonly from: string;
  readonly to: string;
}

const movesIn = (changes: readonly RecordChange[]): Move[] =>
  changes.flatMap(({ section, before, after }) => {
    if (section !== 'article' || !before || !after) return [];
    const move = { from: pathOf(before), to: pathOf(after) };
    return move.from === move.to ? [] : [move];
  });

export const removedPathsIn = (changes: readonly RecordChange[]): string[] =>
  changes.flatMap(({ section, before, after }) =>
    section === 'article' && before && !after ? [pathOf(before)] : [],
  );

/** The changes to redirects that result from changes to articles. @param content the content without them */
function redirectChanges(
  { article, redirect }: StoredContent,
  changes: readonly RecordChange[],
): RecordChange[] {
  const moves = movesIn(changes);
  const movedTo = new Map(moves.map(({ from, to }) => [from, to]));
  const paths = article.map(pathOf);
  const gone = removedPathsIn(changes).filter((path) => !paths.includes(path));
  const changed = redirect.flatMap((before): RecordChange[] => {
    const { from = '', to = '' } = before.values;
    const target = movedTo.get(to);
    if (target === undefined && !gone.includes(to)) return [];
    // If an article returns to an old address, the redirect from there is removed.
    const after =
      target === undefined || target === from
        ? undefined
        : { ...before, version: before.version + 1, values: { ...before.values, to: target } };
    return [{ section: 'redirect', action: after ? 'updated' : 'removed', before, after }];
  });
  const inUse = new Set([...paths, ...redirectedPaths({ redirect })]);
  let position = positionAfter(redirect.map((record) => record.position));
  const added = moves
    .filter(({ from }) => !inUse.has(from))
    .map(({ from, to }): RecordChange => {
      const after = { _id: newId(), version: 1, position, values: { from, to } };
      position = positionAfter([position]);
      return { section: 'redirect', action: 'added', before: undefined, after };
    });
  return [...changed, ...added];
}

/**
 * The changes that restore the redirects of a removed article. A redirect stays removed if an article or another
 * redirect has taken its address since.
 * @param content without the article
 * @param removed the redirects, with their next versions
 */
export function restoredRedirects(
  content: StoredContent,
  article: StoredRecord,
  removed: readonly StoredRecord[],
): RecordChange[] {
  const to = pathOf(article);
  const taken = new Set([to, ...content.article.map(pathOf), ...redirectedPaths(content)]);
  return removed
    .filter(({ values }) => !taken.has(withoutSlash(values['from'] ?? '').toLowerCase()))
    .map((record) => ({
      section: 'redirect',
      action: 'restored',
      before: undefined,
      after: { ...record, values: { ...record.values, to } },
    }));
}

/** The current day, YYYY-MM-DD in the site's time zone. */
interface Today {
  readonly today: string;
  /** A preview also shows articles with a future day. */
  readonly isPreview?: boolean;
}

/**
 * The changes of a save and those that result from its changes to articles, one per record.
 * @param content before the changes
 * @throws ApiError 422 for an article with a future day
 */
export function withArticleRules(
  content: StoredContent,
  changes: readonly RecordChange[],
  day: Today,
): readonly RecordChange[] {
  const joined = joinChanges(changes);
  if (!joined.some(({ section }) => section === 'article')) return joined;
  const complete = filledIn(content, joined, day);
  return joinChanges([...complete, ...redirectChanges(applyChanges(content, complete), complete)]);
}
