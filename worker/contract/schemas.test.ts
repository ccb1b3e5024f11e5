import { expect, test } from 'vitest';
import { line } from './schemas.ts';

test('A line of text loses characters that reverse what follows, and keeps right-to-left letters', () => {
  const name = line('Please enter your name', 200);
  expect(name.parse('Ann\u202egnp.exe\u2066')).toBe('Anngnp.exe');
  expect(name.parse('شركة \u200fאב')).toBe('شركة \u200fאב');
});
