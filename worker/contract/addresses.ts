/** Which addresses the content may name: one rule, asked when a record is saved and again when it is shown. */
import { parseUrl } from './parse-url.ts';

/** Browsers drop tabs and line breaks and read a backslash as a slash, so an address with any of them is refused whole. */
const unclear = /[\s\\\p{Cc}]/u;

/**
 * A path on this site, with its query and fragment, as a browser resolves it; undefined for anything else. Addresses such
 * as `//other.example`, `/\other.example` and `/.//other.example` would lead a browser away.
 */
export function resolvePath(text: string): string | undefined {
  if (!text.startsWith('/')) return undefined;
  const base = 'https://this.invalid';
  const url = parseUrl(text, base);
  if (url?.origin !== base || url.pathname.startsWith('//')) return undefined;
  return `${url.pathname}${url.search}${url.hash}`;
}

/** Whether a query names nothing but the campaign of a visit. */
export const isCampaign = (search: string): boolean =>
  Array.from(new URLSearchParams(search).keys()).every((name) => name.startsWith('utm_'));

/** Whether a text is a path on this site without a fragment. */
export const isPath = (text: string): boolean =>
  isSafeAddress(text, 'link') && text.startsWith('/') && !text.includes('#');

/**
 * Whether an address may stand in a link or an image: `https:` or a path beginning with one slash, and for links also
 * `http:`, `mailto:`, `tel:` or a fragment. An allow-list: everything else, `javascript:` above all, is refused.
 */
export function isSafeAddress(address: string, kind: 'link' | 'image'): boolean {
  if (unclear.test(address)) return false;
  if (address.startsWith('/')) return resolvePath(address) !== undefined;
  if (kind === 'link' && (address.startsWith('#') || /^(mailto|tel):./i.test(address))) return true;
  const web = kind === 'link' ? /^https?:\/\//i : /^https:\/\//i;
  return web.test(address) && parseUrl(address) !== undefined;
}
