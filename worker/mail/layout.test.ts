import { expect, test } from 'vitest';
import { brandMail, writeMail } from './layout.ts';

test('A mail has the same content in text and in HTML, and shows typed markup literally', () => {
  const mail = writeMail({
    subject: 'Hello\r\nBcc: someone@else.test',
    paragraphs: ['Dear <b>Ann</b> & Co.'],
    facts: [
      ['Package', 'Basic'],
      ['Receipt', 'See your receipt', 'https://site.test/order/1/receipt'],
    ],
    action: { label: 'See your order', href: 'https://site.test/order/1?a=1&b=2' },
    closing: ['Thank you.', 'Or sign up (https://site.test/register?next=%2F&a=1).'],
  });
  expect(mail.text).toContain('Or sign up (https://site.test/register?next=%2F&a=1).');
  expect(mail.html).toContain('(<a class="accent" href="https://site.test/register?next=%2F&amp;a=1"');
  expect(mail.subject).toBe('Hello Bcc: someone@else.test');
  expect(mail.text).toContain('Dear <b>Ann</b> & Co.');
  expect(mail.text).toContain('See your order: https://site.test/order/1?a=1&b=2');
  expect(mail.html).toContain('Dear &lt;b&gt;Ann&lt;/b&gt; &amp; Co.');
  expect(mail.html).toContain('href="https://site.test/order/1?a=1&amp;b=2"');
  expect(mail.text).toContain('Package: Basic\nReceipt: https://site.test/order/1/receipt\n');
  expect(mail.html).toContain('href="https://site.test/order/1/receipt"');
  expect(mail.html).toContain('>See your receipt</a>');
  expect(mail.html).not.toContain('<b>');
  for (const [name, inHtml] of [
    ['Acme', 'Acme'],
    ['Ann & Co.', 'Ann &amp; Co.'],
  ] as const) {
    const branded = brandMail(mail, { name, accent: '#1a4fd6' });
    expect(branded.text.endsWith(`\n\n-- \n${name}\n`)).toBe(true);
    expect(branded.html).toContain(`>${inHtml}<`);
    const logo = { src: 'https://site.test/l.webp', width: 96, height: 48 };
    const withLogo = brandMail(mail, { name, accent: '#1a4fd6', logo });
    expect(withLogo.html).toContain(`width="96" height="48" alt="${inHtml}"`);
    expect(withLogo.html).not.toContain('class="name"');
    expect(withLogo.html).toContain('background:#1a4fd6;color:#ffffff');
    expect(withLogo.html.match(/color:#1a4fd6/g)).toHaveLength(2);
    // An unresolved placeholder is a private-use character.
    expect(branded.html + branded.text).not.toMatch(/\p{Co}/u);
    expect(withLogo.text).toBe(branded.text);
  }
});
