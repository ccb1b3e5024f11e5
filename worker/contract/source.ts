/**
 * Where a visitor came from: the first page of their visit, the referring site, and the `utm_` parameters of the
 * link. The tab stores both addresses (site/layouts/inline-scripts.ts) and sends these parts only with a message or
 * an order.
 */
import { idPattern } from './ids.ts';
import { parseUrl } from './parse-url.ts';
import type { Source } from './schemas.ts';

/** The key in `sessionStorage`. */
export const sourceKey = 'from';

const utmParameters = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content'] as const;

/** Sources contain no ids, because anyone who has an order's id may pay for it. */
const ids = new RegExp(idPattern, 'g');

/** The address that a visitor asked for before the site sent them to the login page. */
function requestedAddress(address: URL): URL {
  const next = address.searchParams.get('next');
  return (next?.startsWith('/') && parseUrl(address.origin + next)) || address;
}

/**
 * The source of a visit, from the first address and the referrer that a tab stored.
 * @param stored the address and the referrer, separated by a space
 * @param ownHost the host of this site, which does not count as a referrer
 * @returns undefined if the tab stored nothing
 */
export function readSource(stored: string | null, ownHost: string): Source | undefined {
  const [landing, referrer] = (stored ?? '').split(' ').map((address) => parseUrl(address));
  if (!landing) return undefined;
  const first = requestedAddress(landing);
  return {
    page: first.pathname.replaceAll(ids, ':id').slice(0, 300),
    referrer: !referrer || referrer.host === ownHost ? '' : referrer.host.slice(0, 253),
    ...Object.fromEntries(
      utmParameters.flatMap((name) => {
        const value = first.searchParams.get(name) ?? landing.searchParams.get(name);
        return value ? [[name, value.slice(0, 100)]] : [];
      }),
    ),
  };
}

/**
 * The coupon code of a visit, from the first of these addresses that has `?coupon=`.
 * @param addresses the current address, the page before it, and the first address of the visit
 */
export function couponOfVisit(addresses: readonly string[]): string {
  for (const address of addresses) {
    const found = parseUrl(address);
    const code =
      found && (requestedAddress(found).searchParams.get('coupon') ?? found.searchParams.get('coupon'));
    if (code) return code.slice(0, 100);
  }
  return '';
}

/** The name under which a source is counted: short, lowercase, plain characters only. */
export function sourceName(source: Source | null | undefined): string {
  if (!source) return 'unknown';
  const name = (source.utm_source || source.referrer)
    .toLowerCase()
    .replace(/^www\./, '')
    .replace(/[^a-z0-9._-]+/g, '-')
    .slice(0, 60);
  return name || 'direct';
}

export const displaySource = (name: string): string =>
  name === 'unknown' ? 'Unknown' : name === 'direct' ? 'Direct' : name;

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
    `first page ${page.replaceAll('/:id', '')}`,
  ].join(', ');
}

type Sourced = { readonly source: Source | null };

type SourceColumn = readonly [heading: string, value: (record: Sourced) => string];

/** The columns about the source in CSV exports. */
export const sourceColumns: readonly SourceColumn[] = [
  ['Source', ({ source }) => sourceName(source)],
  ['First Page', ({ source }) => source?.page ?? ''],
  ['Referrer', ({ source }) => source?.referrer ?? ''],
  ...utmParameters.map((name): SourceColumn => [name, ({ source }) => source?.[name] ?? '']),
];
