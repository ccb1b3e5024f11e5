import { expect, test } from 'vitest';
import { htmlToText } from './html-text.ts';

test('An HTML email becomes lines of text, without styles, scripts and tags', () => {
  const html = `<html><head><title>x</title><style>p { color: red }</style></head><body>
    <div dir="ltr">Yes,&nbsp;please &amp; thank you.<br>Tuesday&#39;s fine &#x263A;</div>
    <p>A list:</p><ul><li>one</li><li>two</li></ul><script>alert(1)</script><!-- hidden --></body></html>`;
  expect(htmlToText(html)).toBe("Yes, please & thank you.\nTuesday's fine ☺\n\nA list:\n\none\n\ntwo");
});

test('Lines of quoted blocks begin with `>`, so that they can be collapsed', () => {
  const html = '<p>Yes.</p><blockquote><p>When?</p><blockquote>Who?</blockquote></blockquote>Bye';
  const lines = htmlToText(html).split('\n');
  expect(lines.filter((line) => /\w/.test(line))).toEqual(['Yes.', '> When?', '>> Who?', 'Bye']);
});

test('Markup without an end stays readable, and deep quotations have at most ten `>` signs', () => {
  expect(htmlToText('<p>One<STYLE>p {}</Style >İ<script>two <!-- three < 4 <b')).toBe(
    'Oneİtwo <!-- three < 4 <b',
  );
  expect(htmlToText(`${'<blockquote>'.repeat(20)}Deep`)).toMatch(/(?<!>)>{10} Deep$/);
});

test('Escaped markup stays text, and broken entities do no harm', () => {
  expect(htmlToText('&lt;b&gt;bold&lt;/b&gt; &bogus; &#0; &#x110000; a < b')).toContain(
    '<b>bold</b> &bogus;',
  );
});
