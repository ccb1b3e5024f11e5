import { describe, expect, test } from 'vitest';
import { deliverableEmail, email, emailTexts, safeNext } from './accounts.ts';

describe('An email', () => {
  test.each([
    ['someone@example.com', 'someone@example.com'],
    ['a1@lender.co', 'a1@lender.co'],
    [' Padded@Example.com\n', 'padded@example.com'],
    ['ÉTÉ.abc@example.com', 'été.abc@example.com'],
  ])('%j is taken as %j', (text, taken) => {
    expect(email.parse(text)).toBe(taken);
  });

  test.each([
    ['a NUL', 'abc\0d@example.com'],
    ['another control character', 'abc\u0085d@example.com'],
    ['a zero-width space', 'ab\u200bc@example.com'],
    ['a zero-width joiner', 'abc@exam\u200dple.com'],
    ['a byte order mark in front', '\ufeffabc@example.com'],
    ['a soft hyphen', 'abc\u00add@example.com'],
    ['a right-to-left override', 'abc\u202ed@example.com'],
    ['a variation selector', 'abc\ufe0f@example.com'],
    ['a Hangul filler', 'abc\u3164@example.com'],
    ['a lone surrogate', 'abc\ud800d@example.com'],
    ['a no-break space around it', '\u00a0abc@example.com'],
    ['letters in full width', 'ａdmin@example.com'],
    ['a Kelvin sign', 'mar\u212a@example.com'],
    ['a ligature', 'oﬃce@example.com'],
    ['an accent apart from its letter', 'abe\u0301@example.com'],
    ['a Cyrillic а', '\u0430dmin@example.com'],
    ['a Greek omicron in the domain', 'admin@g\u03bfogle.com'],
    ['a name in another script than its domain', '\u0440\u043e\u0440@example.com'],
    ['a hyphen that is none', 'anna\u2010b@example.com'],
  ])('with %s is refused, of an account and of a person who writes', (_, text) => {
    expect(email.safeParse(text).error?.issues[0]?.message).toBe(emailTexts.invalid);
    expect(deliverableEmail.safeParse(text).error?.issues[0]?.message).toBe(emailTexts.invalid);
  });

  test.each(['jo@hp.io', 'a1@b2.cd', 'иван@пример.рф', '山田@例え.テスト'])(
    '%s reaches its owner, and is no account’s',
    (text) => {
      expect(deliverableEmail.parse(text)).toBe(text);
      expect(email.safeParse(text).success).toBe(false);
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

  test('of spaces is looked at as soon as any other', () => {
    const spaces = ' '.repeat(1_000_000);
    expect(email.safeParse(`a${spaces}b`).success).toBe(false);
    expect(email.parse(`${spaces}someone@example.com\n`)).toBe('someone@example.com');
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
