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

/** The parts of both texts in reading order; neighbours of one kind are joined. */
export function wordDifference(before: string, after: string): readonly DifferencePart[] {
  const [a, b] = [wordsOf(before), wordsOf(after)];
  const start = commonStart(a, b);
  const end = commonStart(a.slice(start).toReversed(), b.slice(start).toReversed());
  const [oldWords, newWords] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  const { at } = commonLengths(oldWords, newWords);

  const parts: DifferencePart[] = [];
  const push = (kind: DifferencePart['kind'], text: string) => {
    const last = parts.at(-1);
    if (last?.kind === kind) parts[parts.length - 1] = { kind, text: last.text + text };
    else if (text !== '') parts.push({ kind, text });
  };

  push('same', a.slice(0, start).join(''));
  let [i, j] = [0, 0];
  while (i < oldWords.length || j < newWords.length) {
    const [oldWord, newWord] = [oldWords[i], newWords[j]];
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
  push('same', a.slice(a.length - end).join(''));
  return joinChanges(parts);
}
