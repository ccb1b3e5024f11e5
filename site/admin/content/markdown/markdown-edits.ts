/** What the buttons and keys of the Markdown field do to a text: pure functions on the text and what is selected in it. */

/** A text with a selection, as offsets into it. */
export interface Selected {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** A part of the text that is replaced, and what is selected afterwards. */
export interface Replacement {
  readonly from: number;
  readonly to: number;
  readonly by: string;
  readonly start: number;
  readonly end: number;
}

/** Wraps the selection in a sign, or unwraps it. Without a selection, it inserts a placeholder word. */
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

/** What a line of a kind begins with. A numbered list counts. */
const marks = {
  heading: () => '## ',
  subheading: () => '### ',
  bullets: () => '- ',
  numbers: (index: number) => `${String(index + 1)}. `,
  quote: () => '> ',
} as const;
export type LineKind = keyof typeof marks;

const anyMark = /^(?:#{1,6} |[-*+] |\d{1,9}[.)] |> )/;

/** Makes each selected line one of a kind, or a plain one if all of them are of that kind already. */
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

/** Text in the place of a link's brackets: without those that would end it. */
const inBrackets = (text: string) => text.replace(/[[\]\n]/g, ' ').trim();

/** Makes the selection a link, and selects its address, or puts a link with a text where nothing is selected. */
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

/** Inserts a block, such as a picture or a table, on its own lines. */
export function insertBlock({ text, start, end }: Selected, block: string): Replacement {
  const before = text.slice(0, start).replace(/\n+$/, '');
  const after = text.slice(end).replace(/^\n+/, '');
  const by = `${before === '' ? '' : '\n\n'}${block}${after === '' ? '\n' : '\n\n'}`;
  const at = before.length + by.length;
  return { from: before.length, to: text.length - after.length, by, start: at, end: at };
}

/** A table to fill in. */
export const emptyTable = '| Heading | Heading |\n| --- | --- |\n| Text | Text |';
