/** Which addresses the content may name: one rule, asked when a record is saved and again when it is shown. */

/** Browsers drop tabs and line breaks and read a backslash as a slash, so an address with any of them is refused whole. */
const unclear = /[\s\\\p{Cc}]/u;

/** Whether a text is a path on this site and nothing more. */
export const isPath = (text: string): boolean =>
  isSafeAddress(text, 'link') && text.startsWith('/') && !/[?#]/.test(text);

/**
 * Whether an address may stand in a link or an image: `https:` or a path beginning with one slash, and for links also
 * `http:`, `mailto:`, `tel:` or a fragment. An allow-list: everything else, `javascript:` above all, is refused.
 */
export function isSafeAddress(address: string, kind: 'link' | 'image'): boolean {
  if (unclear.test(address)) return false;
  if (address.startsWith('/')) return !address.startsWith('//');
  if (kind === 'link' && (address.startsWith('#') || /^(mailto|tel):./i.test(address))) return true;
  const web = kind === 'link' ? /^https?:\/\//i : /^https:\/\//i;
  return web.test(address) && URL.canParse(address);
}
