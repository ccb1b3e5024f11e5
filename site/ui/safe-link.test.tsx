import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { Picture } from '../sections/picture.tsx';
import { ContactLine, contactHref, SafeLink } from './safe-link.tsx';

describe('An address from the content', () => {
  test('is a link or a picture if it is safe, and otherwise leaves the text without a link', () => {
    const link = (href: string) => renderToStaticMarkup(<SafeLink href={href}>Read on</SafeLink>);
    const picture = (src: string) =>
      renderToStaticMarkup(<Picture src={src} media={[]} sizes="100vw" className="x" />);
    expect(link(' /pricing/')).toBe('<a href="/pricing/">Read on</a>');
    expect(link('javascript:alert(1)')).toBe('Read on');
    expect(picture('/images/x.svg')).toContain('src="/images/x.svg"');
    expect(picture('http://a.example/x.png')).toBe('');
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
