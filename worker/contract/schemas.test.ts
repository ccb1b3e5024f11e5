import { expect, test } from 'vitest';
import { line, text } from './schemas.ts';

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
