import { describe, expect, test } from 'vitest';
import { email, emailTexts, safeNext } from './accounts.ts';

describe('An email', () => {
  test.each(['someone@example.com', 'a1@lender.co', ' padded@example.com ', 'ÉTÉ.abc@example.com'])(
    '%j is taken',
    (text) => {
      expect(email.parse(text)).toBe(text.trim());
    },
  );

  test.each([
    'abc',
    'a1@b2.cd',
    'abc@example',
    'abc@@example.com',
    'a b c@example.com',
    `${'a'.repeat(65)}@example.com`,
  ])('%j is refused', (text) => {
    expect(email.safeParse(text).error?.issues[0]?.message).toBe(emailTexts.invalid);
  });

  test('that is missing is asked for', () => {
    expect(email.safeParse(' ').error?.issues[0]?.message).toBe(emailTexts.required);
  });
});

describe('The way on after signing in', () => {
  test.each(['/', '/dashboard', '/order-now/1?x=2#y', '/my-order?next=//other.example'])(
    'may be %s',
    (path) => {
      expect(safeNext(path)).toBe(path);
    },
  );

  test.each([
    undefined,
    '',
    'dashboard',
    'https://other.example/',
    '//other.example',
    '/\\other.example',
    '\\\\other.example',
    '/\t/other.example',
    '/.//other.example',
    '/a/..//other.example',
    'javascript:alert(1)',
  ])('is never %j', (path) => {
    expect(safeNext(path)).toBeUndefined();
  });
});
