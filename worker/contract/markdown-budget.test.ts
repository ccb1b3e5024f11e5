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

test('A list that is nested too deeply is rejected', () => {
  const list = Array.from({ length: 150 }, (_, depth) => `${'  '.repeat(depth)}- a`).join('\n');
  expect(problemOf(field, list)).toMatch(/^Text is nested too deeply/);
});

test.each(['*_', '*a_', '**a', '[', '[a](', 'a`'])(
  'A paragraph that repeats %j too often is rejected, even across lines',
  (part) => {
    expect(problemOf(field, times(part))).toMatch(/^Text has too many of the signs/);
    expect(problemOf(field, times(`${part}\n2) `, 25_000).trim())).toMatch(/^Text (has too many|is nested)/);
  },
);

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
});
