/** The difference between two texts, word by word. */
// The package's index also contains its other comparisons, 2 kB compressed.
import { diffArrays } from 'diff/lib/diff/array.js';

interface DifferencePart {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
}

/** Splits a text into words and spaces. Joined, they give the text again. */
const wordsOf = (text: string): string[] => text.match(/\s+|[^\s]+/g) ?? [];

const linesOf = (text: string): string[] => text.match(/[^\n]*\n+|[^\n]+/g) ?? [];

/**
 * The maximum number of different parts. The time grows with its square, and 2,000 take a slow phone about a
 * second. Texts with more different words are compared line by line, and texts with more different lines as a
 * whole.
 */
const maxEditLength = 2_000;

function compare(before: string, after: string): readonly DifferencePart[] {
  for (const split of [wordsOf, linesOf]) {
    const changes = diffArrays(split(before), split(after), { maxEditLength });
    if (changes)
      return changes.map(({ removed, added, value }) => ({
        kind: removed ? 'removed' : added ? 'added' : 'same',
        text: value.join(''),
      }));
  }
  return [
    { kind: 'removed', text: before },
    { kind: 'added', text: after },
  ];
}

/** The spaces that both texts end with. */
function commonSpaces(a: string, b: string): string {
  const [end = ''] = /\s*$/.exec(a) ?? [];
  return b.endsWith(end) ? end : '';
}

/** The parts of both texts. Changes with only spaces between them are merged: removed words first, then new ones. */
export function wordDifference(before: string, after: string): readonly DifferencePart[] {
  const joined: DifferencePart[] = [];
  const push = (kind: DifferencePart['kind'], text: string) => {
    if (text !== '') joined.push({ kind, text });
  };
  let [removed, added] = ['', ''];
  /** @param next the text after the changes, which is in both texts */
  const endChanges = (next: string) => {
    const spaces = commonSpaces(removed, added);
    push('removed', removed.slice(0, removed.length - spaces.length));
    push('added', added.slice(0, added.length - spaces.length));
    push('same', spaces + next);
    [removed, added] = ['', ''];
  };
  compare(before, after).forEach(({ kind, text }, index, parts) => {
    const isBetween = text.trim() === '' && index > 0 && index < parts.length - 1;
    if (kind === 'same' && !isBetween) {
      endChanges(text);
      return;
    }
    if (kind !== 'added') removed += text;
    if (kind !== 'removed') added += text;
  });
  endChanges('');
  return joined;
}
