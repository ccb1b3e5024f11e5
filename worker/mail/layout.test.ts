import { expect, test } from 'vitest';
import { oneLine, renderMail, type MailContent } from './layout.ts';

test('An email has the same content in text and in HTML, and shows typed markup literally', () => {
  const mail: MailContent = {
    subject: 'Hello\r\nBcc: someone@else.test',
    paragraphs: ['Dear <b>Ann</b> & Co.'],
    facts: [
      ['Package', 'Basic'],
      ['Receipt', 'See your receipt', 'https://site.test/order/1/receipt'],
    ],
    action: { label: 'See your order', href: 'https://site.test/order/1?a=1&b=2' },
    closing: ['Thank you.', 'Or sign up (https://site.test/register?next=%2F&a=1).'],
  };
  const brand = { name: 'Acme', accent: '#1a4fd6' };
  const { text, html } = renderMail(mail, brand);
  expect(text).toContain('Or sign up (https://site.test/register?next=%2F&a=1).');
  expect(html).toContain('(<a class="accent" href="https://site.test/register?next=%2F&amp;a=1"');
  expect(oneLine(mail.subject)).toBe('Hello Bcc: someone@else.test');
  expect(text).toContain('Dear <b>Ann</b> & Co.');
  expect(text).toContain('See your order: https://site.test/order/1?a=1&b=2');
  expect(html).toContain('Dear &lt;b&gt;Ann&lt;/b&gt; &amp; Co.');
  expect(html).toContain('href="https://site.test/order/1?a=1&amp;b=2"');
  expect(text).toContain('Package: Basic\nReceipt: https://site.test/order/1/receipt\n');
  expect(html).toContain('href="https://site.test/order/1/receipt"');
  expect(html).toContain('>See your receipt</a>');
  expect(html).not.toContain('<b>');
  expect(html).toContain('background:#1a4fd6;color:#ffffff');
  expect(html.match(/color:#1a4fd6/g)).toHaveLength(2);
  for (const [name, inHtml] of [
    ['Acme', 'Acme'],
    ['Ann & Co.', 'Ann &amp; Co.'],
  ] as const) {
    const named = renderMail(mail, { ...brand, name });
    expect(named.text.endsWith(`\n\n-- \n${name}\n`)).toBe(true);
    expect(named.html).toContain(`>${inHtml}<`);
    const logo = { src: 'https://site.test/l.webp', width: 96, height: 48 };
    const withLogo = renderMail(mail, { ...brand, name, logo });
    expect(withLogo.html).toContain(`width="96" height="48" alt="${inHtml}"`);
    expect(withLogo.html).not.toContain('class="name"');
    expect(withLogo.text).toBe(named.text);
  }
});
