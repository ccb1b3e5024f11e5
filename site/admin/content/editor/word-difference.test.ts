import { describe, expect, test } from 'vitest';
import { wordDifference } from './word-difference.ts';

const spelled = (before: string, after: string) =>
  wordDifference(before, after)
    .map(({ kind, text }) => (kind === 'same' ? text : kind === 'removed' ? `[-${text}]` : `[+${text}]`))
    .join('');

describe('A difference', () => {
  test.each([
    ['', '', ''],
    ['as it was', 'as it was', 'as it was'],
    ['', 'new text', '[+new text]'],
    ['old text', '', '[-old text]'],
    ['We rank agencies', 'We rank loan agencies', 'We rank [+loan ]agencies'],
    ['We rank loan agencies', 'We rank agencies', 'We rank [-loan ]agencies'],
    ['one two three', 'one 2 three', 'one [-two][+2] three'],
    ['a a a', 'a a', 'a a[- a]'],
    ['They say so much', 'We are told so much', '[-They say][+We are told] so much'],
  ])('from %j to %j reads %j', (before, after, expected) => {
    expect(spelled(before, after)).toBe(expected);
  });

  test('contains both texts in full', () => {
    let seed = 7;
    const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
    const text = () => Array.from({ length: random(12) }, () => 'ab \n'[random(4)] ?? '').join('');
    for (let round = 0; round < 2_000; round += 1) {
      const [before, after] = [text(), text()];
      const parts = wordDifference(before, after);
      const joined = (left: string) =>
        parts
          .filter(({ kind }) => kind !== left)
          .map((part) => part.text)
          .join('');
      expect(joined('added')).toBe(before);
      expect(joined('removed')).toBe(after);
    }
  });

  test('of two texts of 5,000 characters with nothing in common is found', () => {
    const [before, after] = ['a b '.repeat(1_250), 'c d '.repeat(1_250)];
    expect(spelled(before, after)).toBe(`[-${before.trimEnd()}][+${after.trimEnd()}] `);
  });

  const page = (word: string, lines: number) =>
    Array.from({ length: lines }, () => `${word} has ${word} is ${word}\n`);
  const sameIn = (before: readonly string[], after: readonly string[]) =>
    wordDifference(before.join(''), after.join(''))
      .filter(({ kind }) => kind === 'same')
      .map(({ text }) => text)
      .join('');

  test('of two long texts is found line by line', () => {
    const [before, after] = [page('old', 700), page('new', 700)];
    before[350] = after[350] = 'the same line\n';
    expect(sameIn(before, after).trim()).toBe('the same line');
  });

  test('of two even longer texts removes one whole text and adds the other', () => {
    const [before, after] = [page('old', 1_400), page('new', 1_400)];
    before[350] = after[350] = 'the same line\n';
    expect(sameIn(before, after).trim()).toBe('');
  });
});
