/** The text of a mail that is HTML only. */

const named: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};

function decodeEntity(whole: string, name: string): string {
  if (!name.startsWith('#')) return named[name.toLowerCase()] ?? whole;
  const code = /^#x/i.test(name) ? parseInt(name.slice(2), 16) : parseInt(name.slice(1), 10);
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '';
}

/** The content of these elements is not text. */
const unread = /<(style|script|head|title)\b[^>]*>[\s\S]*?<\/\1\s*>|<!--[\s\S]*?-->/gi;

/**
 * Turns HTML into text: blocks become lines, quoted blocks begin with `>`. The result is only shown as text, so it need
 * not be safe as HTML.
 */
export function htmlToText(html: string): string {
  const withLines = html
    .replace(unread, '')
    .replace(/\s+/g, ' ')
    .replace(/<blockquote\b[^>]*>/gi, '\n\uE000')
    .replace(/<\/blockquote\s*>/gi, '\uE001\n')
    .replace(/<(?:br|hr)\b[^>]*>/gi, '\n')
    .replace(/<\/?(?:p|h[1-6]|ul|ol|table)\b[^>]*>/gi, '\n\n')
    .replace(/<\/?(?:div|li|tr|section|article)\b[^>]*>/gi, '\n')
    .replace(/<[^>]*>/g, '')
    .replace(/&(#x?[0-9a-f]{1,6}|[a-z]{2,8});/gi, decodeEntity);
  let depth = 0;
  const lines = withLines.split('\n').map((line) => {
    depth += line.split('\uE000').length - 1;
    const text = line.replace(/[\uE000\uE001]/g, '').trim();
    const shown = depth > 0 ? `${'>'.repeat(depth)} ${text}`.trimEnd() : text;
    depth = Math.max(0, depth - (line.split('\uE001').length - 1));
    return shown;
  });
  return lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
