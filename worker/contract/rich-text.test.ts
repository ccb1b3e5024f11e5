import { expect, test } from 'vitest';
import { isRich, markdownFrom, type RichNode } from './rich-text.ts';

type Attributes = Readonly<Record<string, string>>;
const text = (words: string): RichNode => ({ nodeName: '#text', textContent: words, childNodes: [] });
function el(name: string, attributes: Attributes, ...children: readonly (RichNode | string)[]): RichNode {
  const childNodes = children.map((child) => (typeof child === 'string' ? text(child) : child));
  return {
    nodeName: name.toUpperCase(),
    childNodes,
    textContent: childNodes.map(({ textContent }) => textContent).join(''),
    getAttribute: (attribute) => attributes[attribute] ?? null,
  };
}
const p = (...children: readonly (RichNode | string)[]) => el('p', {}, ...children);

test('Text from Google Docs keeps its headings, emphasis, links and lists', () => {
  const span = (style: string, words: string) => el('span', { style }, words);
  const body = el(
    'body',
    {},
    el(
      'b',
      { style: 'font-weight:normal', id: 'docs-internal-guid' },
      el('h1', {}, span('font-weight:400', 'A title')),
      p(
        span('font-weight:400', 'Some '),
        span('font-weight:700', 'bold '),
        span('font-style:italic', 'words'),
      ),
      p(el('a', { href: 'https://www.google.com/url?q=https://a.example/x&sa=D' }, 'A link')),
      el('ul', {}, el('li', {}, p('One')), el('ul', {}, el('li', {}, p('Inner'))), el('li', {}, p('Two'))),
    ),
  );
  expect(markdownFrom(body)).toBe(
    '## A title\n\nSome **bold** *words*\n\n[A link](https://a.example/x)\n\n- One\n  - Inner\n- Two',
  );
});

test('Text from Word keeps its lists, which Word writes as paragraphs', () => {
  const item = (level: number, mark: string, words: string) =>
    el(
      'p',
      { style: `mso-list:l0 level${String(level)} lfo1` },
      el('span', { style: 'mso-list:Ignore' }, mark),
      words,
    );
  const body = el(
    'body',
    {},
    el('h2', {}, 'Heading'),
    item(1, '·', 'First'),
    item(2, 'o', 'Below'),
    item(1, '1.', 'Counted'),
    p('Then a\n  paragraph'),
  );
  expect(markdownFrom(body)).toBe('## Heading\n\n- First\n  - Below\n1. Counted\n\nThen a paragraph');
});

test('A table becomes a Markdown table, code stays as typed, and Markdown characters are escaped', () => {
  const row = (name: string, ...cells: readonly string[]) =>
    el('tr', {}, ...cells.map((cell) => el(name, {}, cell)));
  const body = el(
    'body',
    {},
    el('table', {}, el('tbody', {}, row('th', 'A', 'B|C'), row('td', '1'))),
    el('pre', {}, 'x = *1*\n'),
    p('2 * 3 = [six]'),
    el('script', {}, 'alert(1)'),
  );
  expect(markdownFrom(body)).toBe(
    '| A | B\\|C |\n| --- | --- |\n| 1 |  |\n\n```\nx = *1*\n```\n\n2 \\* 3 = \\[six\\]',
  );
});

test('A paragraph that begins like a heading, a list, a line or code stays a paragraph', () => {
  const lines = ['# 1 in town', '#', '1. May', '12) May', '- 5 dollars', '+ tax', '---', '===', '~~~ x'];
  const escaped = lines.map((line) => line.replace(/^\d*/, '$&\\'));
  expect(lines.map((line) => markdownFrom(el('body', {}, p(line))))).toEqual(escaped);
  expect(markdownFrom(el('body', {}, p('Rates', el('br', {}), '- low', el('br', {}), '---')))).toBe(
    'Rates\n\\- low\n\\---',
  );
  expect(markdownFrom(el('body', {}, el('ul', {}, el('li', {}, '1. May'))))).toBe('- 1\\. May');
  for (const words of ['#1 in town', '1.5 percent', '-5 percent', '2026 was', '== x', '-- x'])
    expect(markdownFrom(p(words))).toBe(words);
});

test('A Google redirect link with a malformed percent sign stays readable', () => {
  const google = (to: string) =>
    markdownFrom(p(el('a', { href: `https://www.google.com/url?sa=D&q=${to}` }, 'x')));
  expect(google('https://a.example/100%-off')).toBe('[x](https://a.example/100%-off)');
  expect(google('https://a.example/x%20y&usg=2')).toBe('[x](https://a.example/x%20y)');
});

test('A javascript: link becomes plain text', () => {
  expect(markdownFrom(p(el('a', { href: 'javascript:alert(1)' }, 'x')))).toBe('x');
});

test('Plain words from a web page are pasted as they are', () => {
  expect(isRich('<meta charset="utf-8"><span style="color:red">words</span>')).toBe(false);
  expect(isRich('<p>one <b>two</b></p>')).toBe(true);
  expect(isRich('<p class="x"># 1 in town</p>')).toBe(true);
});
