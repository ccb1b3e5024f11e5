/**
 * Limits how much work a CommonMark text with tables causes for the parser. Parsing time grows faster than the text if
 * it has many lists and quotations, or if a paragraph has many characters of emphasis and links. Each table row has as
 * many cells as the header, even if the row is short. All of these are limited before a text is stored, and again
 * before it is rendered, because replacing `{name}` with the firm's name makes it longer.
 */

const most = {
  characters: 100_000,
  lines: 5_000,
  depth: 10,
  indent: 40,
  markers: 2_000,
  signs: 500,
  cells: 10_000,
} as const;

/** The markers of lists and quotations at the beginning of a line, with surrounding space. */
const opening = /^(?:[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t]|$)))*[ \t]*/;
const openers = /[>+*)-]|\d\./g;

const isBlank = (line: string): boolean => /^[ \t]*$/.test(line);

/** Whether a line ends the paragraph before it: it is blank, or a bullet that interrupts the paragraph. */
const beginsParagraph = (line: string): boolean => isBlank(line) || /^ {0,3}[-+*][ \t]+\S/.test(line);

const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

const say = (count: number): string => count.toLocaleString('en-US');

/**
 * What a text has too much of, worded as the end of a sentence that starts with the field's name; undefined if the text
 * is fine.
 */
export function markdownProblem(text: string): string | undefined {
  if (text.length > most.characters) return `is too long: at most ${say(most.characters)} characters.`;
  const lines = text.split(/\r\n|\r|\n/);
  if (lines.length > most.lines) return `has too many lines: at most ${say(most.lines)}.`;
  let [markers, signs, columns, cells] = [0, 0, 0, 0];
  for (const line of lines) {
    const [start = ''] = opening.exec(line) ?? [];
    const depth = countOf(start, openers);
    if (start.length > most.indent || depth > most.depth)
      return `is nested too deeply: at most ${most.depth} lists or quotations inside each other.`;
    markers += depth;
    if (beginsParagraph(line)) signs = 0;
    signs += countOf(line, /\*+|_+|`+|[[\]]/g);
    if (signs > most.signs)
      return `has too many of the characters * _ [ ] and \` in one paragraph: at most ${most.signs}. Put blank lines between paragraphs.`;
    // The line with the most pipes since a blank line may be the header of the lines below it.
    columns = isBlank(line) ? 0 : Math.max(columns, countOf(line, /\|/g));
    cells += columns;
  }
  if (markers > most.markers)
    return `has too many list items and lines of quotations: at most ${say(most.markers)}. One inside another counts twice.`;
  if (cells > most.cells) return `has too much in its tables: at most ${say(most.cells)} cells in total.`;
  return undefined;
}
