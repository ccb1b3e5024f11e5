/** Pure functions for the buttons and keys of the Markdown field. They take a text with a selection. */

/** A text with a selection, as offsets into it. */
export interface Selected {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** A replacement for part of the text, and the selection after it. */
export interface Replacement {
  readonly from: number;
  readonly to: number;
  readonly by: string;
  readonly start: number;
  readonly end: number;
}

/** Wraps the selection in a Markdown marker, or unwraps it. Without a selection, inserts a placeholder word. */
export function toggleAround({ text, start, end }: Selected, sign: string, word: string): Replacement {
  const has = text.slice(start - sign.length, start) === sign && text.slice(end, end + sign.length) === sign;
  if (has) {
    const from = start - sign.length;
    const by = text.slice(start, end);
    return { from, to: end + sign.length, by, start: from, end: from + by.length };
  }
  const inside = text.slice(start, end) || word;
  const at = start + sign.length;
  return { from: start, to: end, by: sign + inside + sign, start: at, end: at + inside.length };
}

/** The prefix of a line by its kind. The items of a numbered list are counted. */
const marks = {
  heading: () => '## ',
  subheading: () => '### ',
  bullets: () => '- ',
  numbers: (index: number) => `${String(index + 1)}. `,
  quote: () => '> ',
} as const;
type LineKind = keyof typeof marks;

const anyMark = /^(?:#{1,6} |[-*+] |\d{1,9}[.)] |> )/;

/** Adds the prefix to each selected line, or removes it if all of them have it. */
export function toggleLines({ text, start, end }: Selected, kind: LineKind): Replacement {
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const next = text.indexOf('\n', end);
  const to = next === -1 ? text.length : next;
  const lines = text.slice(from, to).split('\n');
  const isAll = lines.every((line, index) => line.startsWith(marks[kind](index)));
  const by = lines
    .map((line, index) => (isAll ? '' : marks[kind](index)) + line.replace(anyMark, ''))
    .join('\n');
  return { from, to, by, start: from, end: from + by.length };
}

/** A text inside a link's brackets, without characters that would end it. */
const inBrackets = (text: string) => text.replace(/[[\]\n]/g, ' ').trim();

/** Makes the selection, or a placeholder text, a link, and selects its URL. */
export function insertLink(
  { text, start, end }: Selected,
  address: string,
  title = 'link text',
): Replacement {
  const words = inBrackets(text.slice(start, end)) || inBrackets(title);
  const by = `[${words}](${address})`;
  const at = start + words.length + 3;
  return { from: start, to: end, by, start: at, end: at + address.length };
}

/** Inserts a block, such as a picture or a table, on separate lines. */
export function insertBlock({ text, start, end }: Selected, block: string): Replacement {
  const before = text.slice(0, start).replace(/\n+$/, '');
  const after = text.slice(end).replace(/^\n+/, '');
  const by = `${before === '' ? '' : '\n\n'}${block}${after === '' ? '\n' : '\n\n'}`;
  const at = before.length + by.length;
  return { from: before.length, to: text.length - after.length, by, start: at, end: at };
}

export const emptyTable = '| Heading | Heading |\n| --- | --- |\n| Text | Text |';
