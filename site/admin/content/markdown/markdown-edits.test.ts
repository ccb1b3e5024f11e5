import { expect, test } from 'vitest';
import {
  insertBlock,
  insertLink,
  toggleAround,
  toggleLines,
  type Replacement,
  type Selected,
} from './markdown-edits.ts';

/** A text in which `|` marks both ends of the selection, or the cursor. */
function selected(marked: string): Selected {
  const [before = '', inside = '', after = ''] = marked.split('|');
  const isCaret = marked.split('|').length === 2;
  return {
    text: before + inside + after,
    start: before.length,
    end: before.length + (isCaret ? 0 : inside.length),
  };
}
function after(marked: string, change: (one: Selected) => Replacement): string {
  const one = selected(marked);
  const { from, to, by, start, end } = change(one);
  const text = one.text.slice(0, from) + by + one.text.slice(to);
  return `${text.slice(0, start)}|${text.slice(start, end)}|${text.slice(end)}`;
}

test('Bold is added around the selection, and removed again', () => {
  const bold = (one: Selected) => toggleAround(one, '**', 'bold text');
  expect(after('a |word| here', bold)).toBe('a **|word|** here');
  expect(after('a **|word|** here', bold)).toBe('a |word| here');
  expect(after('a | here', bold)).toBe('a **|bold text|** here');
});

test('Each selected line becomes part of a list or a heading, and turns back into plain text', () => {
  expect(after('one\nt|wo\nth|ree\nfour', (one) => toggleLines(one, 'numbers'))).toBe(
    'one\n|1. two\n2. three|\nfour',
  );
  expect(after('|1. two\n2. three|', (one) => toggleLines(one, 'numbers'))).toBe('|two\nthree|');
  expect(after('- |Title', (one) => toggleLines(one, 'heading'))).toBe('|## Title|');
});

test('A link has the selected words as its text, or the title of its target', () => {
  expect(after('see |this page|.', (one) => insertLink(one, '/contact'))).toBe(
    'see [this page](|/contact|).',
  );
  expect(after('see |.', (one) => insertLink(one, '/a', 'A [new] one'))).toBe('see [A  new  one](|/a|).');
});

test('A picture is inserted on a line of its own', () => {
  expect(after('one |two', (one) => insertBlock(one, '![](/x)'))).toBe('one \n\n![](/x)\n\n||two');
  expect(after('|', (one) => insertBlock(one, '![](/x)'))).toBe('![](/x)\n||');
});
