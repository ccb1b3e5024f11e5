/** What changed between two texts, word by word: the longest common sequence of words, as diff tools find it. */

export interface DifferencePart {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
}

/** Words with the spaces around them as parts of their own, so that joining them gives the text again. */
const wordsOf = (text: string): readonly string[] => text.match(/\s+|[^\s]+/g) ?? [];

function commonStart(a: readonly string[], b: readonly string[]): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length += 1;
  return length;
}

/** So many pairs of words may be compared; texts with more are compared line by line, and beyond that as a whole. */
const mostPairs = 25_100_000;

const linesOf = (text: string): readonly string[] => text.match(/[^\n]*\n+|[^\n]+/g) ?? [];

interface Compared {
  readonly start: readonly string[];
  readonly oldParts: readonly string[];
  readonly newParts: readonly string[];
  readonly end: readonly string[];
}

/** What two texts begin and end with alike, and the parts between, as small as a comparison of them can afford. */
function compare(before: string, after: string): Compared {
  for (const split of [wordsOf, linesOf]) {
    const [a, b] = [split(before), split(after)];
    const start = commonStart(a, b);
    const end = commonStart(a.slice(start).reverse(), b.slice(start).reverse());
    const [oldParts, newParts] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
    if (oldParts.length * newParts.length <= mostPairs)
      return { start: a.slice(0, start), oldParts, newParts, end: a.slice(a.length - end) };
  }
  return { start: [], oldParts: [before], newParts: [after], end: [] };
}

/** Lengths of the longest common sequences of all endings of `a` and `b`, row by row. */
function commonLengths(a: readonly string[], b: readonly string[]): { at: (i: number, j: number) => number } {
  const width = b.length + 1;
  const lengths = new Uint16Array((a.length + 1) * width);
  const at = (i: number, j: number) => lengths[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i -= 1)
    for (let j = b.length - 1; j >= 0; j -= 1)
      lengths[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  return { at };
}

/** Changes with nothing but spaces between them as one: what went, then what came, rather than word for word. */
function joinChanges(parts: readonly DifferencePart[]): readonly DifferencePart[] {
  const joined: DifferencePart[] = [];
  let [removed, added] = ['', ''];
  const flush = () => {
    if (removed !== '') joined.push({ kind: 'removed', text: removed });
    if (added !== '') joined.push({ kind: 'added', text: added });
    [removed, added] = ['', ''];
  };
  parts.forEach(({ kind, text }, index) => {
    const isBetween = text.trim() === '' && index > 0 && index < parts.length - 1;
    if (kind === 'same' && !isBetween) {
      flush();
      joined.push({ kind, text });
      return;
    }
    if (kind !== 'added') removed += text;
    if (kind !== 'removed') added += text;
  });
  flush();
  return joined;
}

/** The parts of both texts in reading order; neighbors of one kind are joined. */
export function wordDifference(before: string, after: string): readonly DifferencePart[] {
  const { start, oldParts, newParts, end } = compare(before, after);
  const { at } = commonLengths(oldParts, newParts);

  const parts: DifferencePart[] = [];
  const push = (kind: DifferencePart['kind'], text: string) => {
    const last = parts.at(-1);
    if (last?.kind === kind) parts[parts.length - 1] = { kind, text: last.text + text };
    else if (text !== '') parts.push({ kind, text });
  };

  push('same', start.join(''));
  let [i, j] = [0, 0];
  while (i < oldParts.length || j < newParts.length) {
    const [oldWord, newWord] = [oldParts[i], newParts[j]];
    if (oldWord !== undefined && oldWord === newWord) {
      push('same', oldWord);
      i += 1;
      j += 1;
    } else if (oldWord !== undefined && (newWord === undefined || at(i + 1, j) >= at(i, j + 1))) {
      push('removed', oldWord);
      i += 1;
    } else {
      push('added', newWord ?? '');
      j += 1;
    }
  }
  push('same', end.join(''));
  return joinChanges(parts);
}
