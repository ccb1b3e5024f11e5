/**
 * Limits how much work a CommonMark text is for the parser. Parsing time grows faster than the text if lists and
 * quotations are nested, or if a paragraph has many characters of emphasis and links. Both are limited before a text is
 * stored.
 */

const most = { lines: 5_000, depth: 10, indent: 40, signs: 500 } as const;

/** The markers of lists and quotations at the beginning of a line, with the space around them. */
const opening = /^(?:[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t]|$)))*[ \t]*/;
const openers = /[>+*)-]|\d\./g;

/** Whether a line ends the paragraph before it: it is blank, or a bullet that interrupts the paragraph. */
const beginsParagraph = (line: string): boolean => /^[ \t]*$|^ {0,3}[-+*][ \t]+\S/.test(line);

const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

/** What is too much in a text, as the end of a sentence that begins with the field's name; undefined if nothing is. */
export function markdownProblem(text: string): string | undefined {
  const lines = text.split(/\r\n|\r|\n/);
  if (lines.length > most.lines) return `has too many lines: at most ${most.lines.toLocaleString('en-US')}.`;
  let signs = 0;
  for (const line of lines) {
    const [start = ''] = opening.exec(line) ?? [];
    if (start.length > most.indent || countOf(start, openers) > most.depth)
      return `is nested too deeply: at most ${most.depth} lists or quotations inside each other.`;
    if (beginsParagraph(line)) signs = 0;
    signs += countOf(line, /\*+|_+|`+|[[\]]/g);
    if (signs > most.signs)
      return `has too many of the signs * _ [ ] and \` in one paragraph: at most ${most.signs}. Put blank lines between paragraphs.`;
  }
  return undefined;
}
