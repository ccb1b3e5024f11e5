import { expect, test } from 'vitest';
import { newRefund } from './refunds.calls.ts';
import { line, source, text } from './schemas.ts';

test('A line of text loses characters that reverse what follows, and keeps right-to-left letters', () => {
  const name = line('Please enter your name', 200);
  expect(name.parse('Ann\u202egnp.exe\u2066')).toBe('Anngnp.exe');
  expect(name.parse('شركة \u200fאב')).toBe('شركة \u200fאב');
});

test('Line breaks in a line of text become spaces, but longer text keeps them', () => {
  const typed = ' Ann\r\nEmail: someone@example.com\u000b ';
  expect(line('Please enter your name', 200).parse(typed)).toBe('Ann Email: someone@example.com');
  expect(text('Please enter your message', 200).parse(typed)).toBe('Ann\nEmail: someone@example.com');
});

test('The note of a refund loses hidden characters, and not the text after them', () => {
  expect(newRefund.parse({ note: ' Sorry\u0000 for\u202e the\ud800 delay. ' }).note).toBe(
    'Sorry for the\ufffd delay.',
  );
});

test('A source loses hidden characters, which a link to the site can contain', () => {
  const sent = { page: '/\u0000', referrer: '\u202ewww.google.com', utm_source: 'mail\ud800\n' };
  expect(source.parse(sent)).toEqual({ page: '/', referrer: 'www.google.com', utm_source: 'mail\ufffd ' });
});
