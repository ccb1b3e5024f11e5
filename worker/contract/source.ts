/**
 * Where somebody came from: the first page of their visit, the site that led there and the `utm_` words of the link. The
 * tab keeps it (site/layouts/inline-scripts.ts) and sends it with a message or an order, nowhere else.
 */
import type { Shape } from './call.ts';
import type { source } from './calls/schemas.ts';

export type Source = Shape<typeof source>;

/** The key in `sessionStorage`. */
export const sourceKey = 'from';

/** What the tab has kept: the page, the referrer's host if there was one, then each `utm_` word as name and value. */
type Kept = readonly [
  page: string,
  referrer: string | null,
  ...words: (readonly [name: string, value: string])[],
];

const words = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content'] as const;

/**
 * Reads what a tab has kept; undefined where it has kept nothing.
 * @param ownHost a page of this site leads nobody here
 */
export function readSource(kept: string | null, ownHost: string): Source | undefined {
  if (kept === null) return undefined;
  try {
    const [page, referrer, ...given] = JSON.parse(kept) as Kept;
    return {
      page: page.slice(0, 300),
      referrer: referrer === null || referrer === ownHost ? '' : referrer.slice(0, 253),
      ...Object.fromEntries(
        given
          .filter(([name]) => words.some((word) => word === name))
          .map(([name, value]) => [name, value.slice(0, 100)]),
      ),
    };
  } catch {
    return undefined;
  }
}

/** The name under which a source is counted: short, in lower case, of plain letters. */
export function sourceName(source: Source | null | undefined): string {
  if (!source) return 'unknown';
  const name = (source.utm_source || source.referrer)
    .toLowerCase()
    .replace(/^www\./, '')
    .replace(/[^a-z0-9._-]+/g, '-')
    .slice(0, 60);
  return name || 'direct';
}

/** A counted name for people. */
export const displaySource = (name: string): string =>
  name === 'unknown' ? 'Not known' : name === 'direct' ? 'Directly' : name;

/** A source in one line, such as 'google, campaign spring, first page /pricing/'. */
export function describeSource(source: Source | null): string {
  if (!source) return displaySource('unknown');
  const {
    page,
    referrer,
    utm_source: sender = '',
    utm_medium: medium = '',
    utm_campaign: campaign = '',
  } = source;
  return [
    displaySource(sourceName(source)),
    ...(sender && referrer ? [`from ${referrer}`] : []),
    ...(medium ? [`by ${medium}`] : []),
    ...(campaign ? [`campaign ${campaign}`] : []),
    `first page ${page}`,
  ].join(', ');
}

type Sourced = { readonly source: Source | null };

/** Columns of an export. */
export const sourceColumns: readonly (readonly [heading: string, value: (record: Sourced) => string])[] = [
  ['Source', ({ source }) => sourceName(source)],
  ['First Page', ({ source }) => source?.page ?? ''],
  ['Referrer', ({ source }) => source?.referrer ?? ''],
  ...words.map(
    (word) =>
      [word, ({ source }: Sourced) => source?.[word] ?? ''] satisfies [string, (record: Sourced) => string],
  ),
];
