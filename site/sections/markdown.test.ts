import { expect, test } from 'vitest';
import { withFirmName } from '#contract/brand.ts';
import { beginsWith, descriptionOf, renderMarkdown, unsafeLinkIn } from './markdown.ts';

test('Visitors see headings, lists, emphasis and links in a long text, below the main heading of the page', () => {
  const html = renderMarkdown(
    '# What we keep\n\n## Why\n\n- **Orders**\n- [Call us](tel:+13125550142), [write](/contact)',
  );
  expect(html).not.toContain('<h1');
  for (const part of [
    '<h2 id="what-we-keep">What we keep</h2>',
    '<h2 id="why">Why</h2>',
    '<strong>Orders</strong>',
    '<a href="tel:+13125550142">Call us</a>',
    '<a href="/contact">write</a>',
  ])
    expect(html).toContain(part);
});

test('A link can point to each heading of a long text, even to one of two with the same words', () => {
  const html = renderMarkdown('## Café & *more*\n\n## Cafe more\n\n### Main\n\n## "???"');
  const ids = Array.from(html.matchAll(/<h\d id="([^"]*)">/g), ([, id]) => id);
  expect(ids).toEqual(['cafe-more', 'cafe-more-2', 'main-2', 'section']);
});

test('A zero-width character that was pasted into a link is removed from its address', () => {
  expect(renderMarkdown('[x](https://a\u200b.example/\u2060b\ufeff)')).toContain(
    'href="https://a.example/b"',
  );
});

test.each([
  '<script>alert(1)</script>',
  'a <img src=x onerror=alert(1)> b',
  '<div onclick="alert(1)">\n\nx\n\n</div>',
  '![x](https://evil.example/x.png "onerror=alert(1)")',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '`</code><script>alert(1)</script>`',
])('HTML and images in a long text are shown as typed: %s', (text) => {
  const tags = renderMarkdown(text).match(/<\/?[a-z][^>]*>/g) ?? [];
  expect(tags.filter((tag) => !/^<\/?(p|code|a)( href="https:[^"]*")?( title="[^"]*")?>$/.test(tag))).toEqual(
    [],
  );
});

test.each([
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'java&#10;script:alert(1)',
  'data:text/html,x',
  'vbscript:x',
  '//evil.example',
  'irc://chat.example',
  'no-address',
])('A link to %s in a long text is found, and is shown without its address', (address) => {
  for (const text of [`[x](${address})`, `[x](<${address}> "t")`, `[x]\n\n[x]: ${address}`]) {
    expect(unsafeLinkIn(`[a](/pricing/) ${text}`)).toBe(address.replace('&#10;', '%0A'));
    expect(renderMarkdown(text)).not.toContain('href');
  }
  expect(renderMarkdown(`<${address}>`)).not.toContain('href');
});

test('Allowed links, code and pictures of a long text are not reported as unsafe links', () => {
  const links = ['https://a.example/?b=1&c=2', '/pricing/', '#top', 'mailto:a@b.example', 'tel:+1'];
  const text = links.map((address) => `[x](${address})`).join(' ');
  expect(unsafeLinkIn(`${text} \`[x](javascript:y)\` ![x](javascript:y) javascript:y`)).toBeUndefined();
});

test('The description of a page is the first paragraph as plain text, cut between words', () => {
  expect(descriptionOf('> A note.\n\n## Why\n\nWe keep **little**; [ask us](/contact).\n\nMore.')).toBe(
    'We keep little; ask us.',
  );
  const long = descriptionOf('word '.repeat(100));
  expect(long.length).toBeLessThanOrEqual(160);
  expect(long).toMatch(/word …$/);
});

test.each([
  ['Privacy\n=====\n\nWe keep little.', 'We keep little.'],
  ['**We** keep *little*.\n\nMore.', 'We keep little.'],
  ['30 days is how long we keep it.\n\nMore.', '30 days is how long we keep it.'],
  ['`order_id` & <b> stand in a file_name.', 'order_id & <b> stand in a file_name.'],
  ['1. One\n\n   > Two\n\n2. Three\n\nWe keep\nlittle.', 'We keep little.'],
  ['    Some code\n\nWe keep little.', 'We keep little.'],
  ['# Nothing yet', ''],
])('The description of %j is the text of its first paragraph', (text, description) => {
  expect(descriptionOf(text)).toBe(description);
});

test('A text that exceeds the parser’s budget is shown as typed', () => {
  expect(renderMarkdown(`${'1) '.repeat(5_000)}<b>`)).toMatch(/^<p>1\) 1\) .*&lt;b&gt;<\/p>$/);
});

test("A table that the firm's name makes too large is shown as typed", () => {
  const { legalPage } = withFirmName({
    brand: [{ name: 'a|'.repeat(30) }],
    legalPage: [{ text: `{name}\n${'-|'.repeat(30)}\n${'|\n'.repeat(400)}` }],
  });
  expect(renderMarkdown(legalPage[0]?.text ?? '')).toMatch(/^<p>a\|a\|/);
});

test("A text that the firm's name makes too long is shown as typed", () => {
  const { legalPage } = withFirmName({
    brand: [{ name: 'A firm whose name has sixty characters, as many as there may be' }],
    legalPage: [{ text: '*{name}*\n\n'.repeat(2_400) }],
  });
  expect(renderMarkdown(legalPage[0]?.text ?? '')).toMatch(/^<p>\*A firm/);
});

test('A text that begins with its summary, whole or cut, is found despite its markup', () => {
  const html = renderMarkdown('We *lend* to “AT&T” and\n[others](/x). More.\n\n## Part');
  expect(beginsWith(html, 'We lend to “AT&T” and others.')).toBe(true);
  expect(beginsWith(html, 'We lend to “AT&T” …')).toBe(true);
  expect(beginsWith(html, 'What counts.')).toBe(false);
});
