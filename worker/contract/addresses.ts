/** The addresses that content may contain. The same rule applies when a record is saved and when it is displayed. */
import { parseUrl } from './parse-url.ts';

/**
 * Browsers drop tabs and line breaks and treat a backslash as a slash, so an address that contains any of them is
 * rejected.
 */
const forbidden = /[\s\\\p{Cc}]/u;

/**
 * Resolves a path of this site as a browser does, with its query and fragment. Addresses such as `//other.example`,
 * `/\other.example` and `/.//other.example` would lead to another site.
 * @returns undefined if the text is not a path of this site
 */
export function resolvePath(text: string): string | undefined {
  if (!text.startsWith('/')) return undefined;
  const base = 'https://this.invalid';
  const url = parseUrl(text, base);
  if (url?.origin !== base || url.pathname.startsWith('//')) return undefined;
  return `${url.pathname}${url.search}${url.hash}`;
}

/** Decodes the percent-encoded characters of a text. Returns a text with a malformed one (`100%`, `%ff`) unchanged. */
export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Whether a query contains only `utm_` parameters. */
export const isCampaign = (search: string): boolean =>
  Array.from(new URLSearchParams(search).keys()).every((name) => name.startsWith('utm_'));

/** Whether a text is a path on this site without a fragment. */
export const isPath = (text: string): boolean =>
  isSafeAddress(text, 'link') && text.startsWith('/') && !text.includes('#');

/**
 * Whether an address is allowed in a link or an image: `https:` or a path that begins with one slash, and for links
 * also `http:`, `mailto:`, `tel:` or a fragment. Everything else is rejected, especially `javascript:`.
 */
export function isSafeAddress(address: string, kind: 'link' | 'image'): boolean {
  if (forbidden.test(address)) return false;
  if (address.startsWith('/')) return resolvePath(address) !== undefined;
  if (kind === 'link' && (address.startsWith('#') || /^(mailto|tel):./i.test(address))) return true;
  const web = kind === 'link' ? /^https?:\/\//i : /^https:\/\//i;
  return web.test(address) && parseUrl(address) !== undefined;
}

/** A slug, the last part of an address: letters, digits and single hyphens, so that each slug has only one spelling. */
export const slugPattern = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** The slug of a text, at most 80 characters long; empty if the text has no Latin letter and no digit. */
export const slugFrom = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[\p{M}'’]/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 80)
    .replace(/^-+|-+$/g, '');
