import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { Picture } from '../sections/picture.tsx';
import { ContactLine, contactHref, SafeLink, safeHref, safeSrc } from './safe-link.tsx';

const refused = [
  'javascript:alert(1)',
  'JavaScript:alert(1)',
  'java\tscript:alert(1)',
  ' \u0001javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:x',
  'blob:https://a.example/x',
  '//evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  'https:evil.example',
  'relative/path',
  '',
  '   ',
];

describe('An address from the content', () => {
  test.each(refused)('is not a link: %j', (address) => {
    expect(safeHref(address)).toBeUndefined();
    expect(safeSrc(address)).toBeUndefined();
  });

  test.each([
    'https://a.example/x?y=1#z',
    'http://a.example',
    'mailto:a@b.example',
    'tel:+13125550142',
    '/pricing/',
    '/',
    '#faq',
  ])('is a link: %j', (address) => {
    expect(safeHref(address)).toBe(address);
  });

  test('loads an image only over HTTPS or from this site', () => {
    expect(safeSrc('https://a.example/x.png')).toBe('https://a.example/x.png');
    expect(safeSrc('/images/x.svg')).toBe('/images/x.svg');
    for (const address of ['http://a.example/x.png', 'mailto:a@b.example', '#x', 'data:image/png;base64,AA'])
      expect(safeSrc(address)).toBeUndefined();
  });

  test('leaves the text without a link if it is unsafe', () => {
    expect(renderToStaticMarkup(<SafeLink href="javascript:alert(1)">Read on</SafeLink>)).toBe('Read on');
    const picture = <Picture src="javascript:alert(1)" media={[]} sizes="100vw" className="x" />;
    expect(renderToStaticMarkup(picture)).toBe('');
  });
});

describe('A line of contact text', () => {
  test('is a link if it is only a phone number or an email address', () => {
    expect(contactHref('+1 (312) 555-0142')).toBe('tel:+13125550142');
    expect(contactHref('hello@agency.example')).toBe('mailto:hello@agency.example');
    expect(contactHref('a?bcc=x@b.example')).toBe('mailto:a%3Fbcc%3Dx@b.example');
    expect(contactHref('218 Ledger Street')).toBeUndefined();
    expect(contactHref('Call 555 or write a@b.example')).toBeUndefined();
    expect(contactHref('-- -- --')).toBeUndefined();
  });

  test('shows markup as typed', () => {
    expect(renderToStaticMarkup(<ContactLine text="<b>Us</b>" />)).toBe('&lt;b&gt;Us&lt;/b&gt;');
  });
});
