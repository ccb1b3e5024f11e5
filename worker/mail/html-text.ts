/** Converts an email that has only HTML to text. */

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

const textOf = (html: string): string =>
  html.replace(/\s+/g, ' ').replace(/&(#x?[0-9a-f]{1,6}|[a-z]{2,8});/gi, decodeEntity);

const unread = ['style', 'script', 'title'];

/** These characters mark the beginning and the end of a quoted block until the text is split into lines. */
const [quoteBegins, quoteEnds] = ['\uE000', '\uE001'];

function linesFor(name: string, isEnd: boolean): string {
  if (name === 'blockquote') return isEnd ? `${quoteEnds}\n` : `\n${quoteBegins}`;
  if (/^(?:p|h[1-6]|ul|ol|table)$/.test(name)) return '\n\n';
  return /^(?:br|hr|div|li|tr|section|article)$/.test(name) ? '\n' : '';
}

/**
 * Replaces tags with line breaks, and removes comments and the content of `unread` elements. Takes one pass, and
 * searches only once for a missing end.
 */
function withoutTags(html: string): string {
  // `toLowerCase` on the whole text would change the length of some letters.
  const lowerCase = html.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  const missing = new Set<string>();
  /** The index after the next occurrence of a text; undefined if there is none. */
  const endOf = (wanted: string, from: number): number | undefined => {
    if (missing.has(wanted)) return undefined;
    const index = lowerCase.indexOf(wanted, from);
    if (index >= 0) return index + wanted.length;
    missing.add(wanted);
    return undefined;
  };
  /** The index after the comment or tag that begins at the given index; undefined if none begins there. */
  const endOfMarkup = (at: number): number | undefined => {
    if (html.startsWith('<!--', at)) return endOf('-->', at + 4);
    return /^<(?:\/?[a-z]|[!?])/.test(lowerCase.slice(at, at + 3)) ? endOf('>', at) : undefined;
  };
  const parts: string[] = [];
  let from = 0;
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', Math.max(at + 1, from))) {
    const end = endOfMarkup(at);
    if (end === undefined) continue;
    const [, slash = '', name = ''] = /^<(\/?)([a-z][a-z0-9]*)/.exec(lowerCase.slice(at, at + 20)) ?? [];
    parts.push(textOf(html.slice(from, at)), linesFor(name, slash !== ''));
    const contentEnd = slash === '' && unread.includes(name) ? endOf(`</${name}`, end) : undefined;
    from = contentEnd === undefined ? end : (endOf('>', contentEnd) ?? html.length);
  }
  parts.push(textOf(html.slice(from)));
  return parts.join('');
}

/** The maximum number of `>` signs in a line. Without a limit, nested quotations could fill the memory. */
const maxDepth = 10;

/**
 * Converts HTML to text: blocks become lines, and lines of quoted blocks begin with `>`. The time is proportional to
 * the length. The result is only shown as text, so it does not have to be safe as HTML.
 */
export function htmlToText(html: string): string {
  let depth = 0;
  const lines = withoutTags(html)
    .split('\n')
    .map((line) => {
      depth += line.split(quoteBegins).length - 1;
      const text = line.replace(/[\uE000\uE001]/g, '').trim();
      const shown = depth > 0 ? `${'>'.repeat(Math.min(depth, maxDepth))} ${text}`.trimEnd() : text;
      depth = Math.max(0, depth - (line.split(quoteEnds).length - 1));
      return shown;
    });
  return lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
