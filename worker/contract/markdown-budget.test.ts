import { expect, test } from 'vitest';
import { problemOf } from './field-problems.ts';
import { markdownProblem } from './markdown-budget.ts';
import { sections } from './sections/index.ts';

const field = sections.legalPage.fields.text;
const times = (part: string, length = 25_000) => part.repeat(length / part.length);

test.each(['1) ', '1. ', '- 1. ', '>', '> - ', '> '])(
  'A business page that repeats %j too often is rejected before it is stored',
  (part) => {
    expect(problemOf(field, times(part).trim())).toMatch(/^Text is nested too deeply/);
  },
);

test('A list with too many levels is rejected', () => {
  const list = Array.from({ length: 150 }, (_, depth) => `${'  '.repeat(depth)}- a`).join('\n');
  expect(problemOf(field, list)).toMatch(/^Text is nested too deeply/);
});

test.each(['*_', '*a_', '**a', '[', '[a](', 'a`'])(
  'A paragraph that repeats %j too often is rejected, even across lines',
  (part) => {
    expect(problemOf(field, times(part))).toMatch(/^Text has too many of the characters/);
    expect(problemOf(field, times(`${part}\n2) `, 25_000).trim())).toMatch(/^Text (has too many|is nested)/);
  },
);

test.each(['- - - - - - - - - a\n', '- - - - - - - - - a\n\n', '1. 1. 1. a\n', '>- >- >- a\n', '- a\n'])(
  'A text that repeats the line %j is rejected before its lists and quotations become too much work',
  (part) => {
    expect(problemOf(field, part.repeat(2_300).trim())).toMatch(/^Text has too many list items/);
  },
);

test('A table is rejected if its rows have few characters but many cells', () => {
  const table = (columns: number, rows: number) =>
    `|${'a|'.repeat(columns)}\n|${'-|'.repeat(columns)}\n${'|a\n'.repeat(rows)}`;
  const problem = 'Text has too much in its tables: at most 10,000 cells in total.';
  expect(problemOf(field, table(1_000, 1_000))).toBe(problem);
  expect(problemOf(field, `${table(100, 50)}\n`.repeat(3))).toBe(problem);
  expect(problemOf(field, table(100, 50).replace(/^/gm, '> '))).toBeUndefined();
  expect(problemOf(field, table(100, 150).replace(/^/gm, '> '))).toBe(problem);
  expect(problemOf(field, `|a|\n|-|\n# A heading ends the first table\n${table(1_000, 1_000)}`)).toBe(
    problem,
  );
});

test('A text with too many lines is rejected', () => {
  expect(problemOf(field, times('a\n').trim())).toBe('Text has too many lines: at most 5,000.');
});

test('A long page of common paragraphs, lists and links is accepted', () => {
  const part = `## What we keep

We keep **little**, and _never_ sell it: [ask us](/contact). ${'We mean it. '.repeat(20)}

- **Orders** as long as the law wants
  1. The brief
     > With what you wrote in it
- [Files](/files)

`;
  expect(markdownProblem(times(part, 49_000))).toBeUndefined();
  expect(markdownProblem('- **A** [link](/a) in a tight list\n'.repeat(1_400))).toBeUndefined();
  expect(
    markdownProblem(times('> > A quotation inside of a quotation, in its lines.\n', 49_000)),
  ).toBeUndefined();
  const table = `| Package | Price | Pages |\n| --- | --: | --- |\n${'| Basic | $499 | One |\n'.repeat(200)}\n`;
  expect(markdownProblem(times(table, 49_000))).toBeUndefined();
});
