import { expect, test } from 'vitest';
import { emailTexts, safeNext } from './account-rules.ts';
import { deliverableEmail, email, newEmail } from './accounts.ts';

const refusalOf = (schema: typeof email, text: string) => schema.safeParse(text).error?.issues[0]?.message;

test('An email is trimmed and converted to lower case', () => {
  expect(email.parse(' Padded@Example.com\n')).toBe('padded@example.com');
  expect(email.parse('\u200bpasted@example.com\u2060\ufeff')).toBe('pasted@example.com');
  expect(email.parse('ÉTÉ.abc@example.com')).toBe('été.abc@example.com');
  expect(refusalOf(email, ' ')).toBe(emailTexts.required);
});

test('Neither an account nor a sender can have an email that looks like another one', () => {
  for (const [what, text] of [
    ['a NUL', 'abc\0d@example.com'],
    ['another control character', 'abc\u0085d@example.com'],
    ['a zero-width space', 'ab\u200bc@example.com'],
    ['a soft hyphen', 'abc\u00add@example.com'],
    ['a right-to-left override', 'abc\u202ed@example.com'],
    ['a variation selector', 'abc\ufe0f@example.com'],
    ['a Hangul filler', 'abc\u3164@example.com'],
    ['a lone surrogate', 'abc\ud800d@example.com'],
    ['a no-break space around it', '\u00a0abc@example.com'],
    ['letters in full width', 'ａdmin@example.com'],
    ['a Kelvin sign', 'mar\u212a@example.com'],
    ['a combining accent', 'abe\u0301@example.com'],
    ['a Cyrillic а', '\u0430dmin@example.com'],
    ['a Greek omicron in the domain', 'admin@g\u03bfogle.com'],
    ['a name in another script than its domain', '\u0440\u043e\u0440@example.com'],
    ['a character that looks like a hyphen', 'anna\u2010b@example.com'],
  ] as const)
    for (const schema of [email, deliverableEmail])
      expect(refusalOf(schema, text), what).toBe(emailTexts.invalid);
});

test('An account accepts ordinary emails only; a sender can have any deliverable email', () => {
  for (const [text, stored] of [
    ['jo@hp.io', 'jo@hp.io'],
    ['jo@bü.de', 'jo@xn--b-eha.de'],
  ] as const) {
    expect(deliverableEmail.parse(text)).toBe(stored);
    expect(refusalOf(email, text)).toBe(emailTexts.invalid);
  }
  for (const text of [
    'abc',
    'abc@example',
    'abc@@example.com',
    'a b c@example.com',
    `${'a'.repeat(65)}@example.com`,
  ])
    expect(refusalOf(email, text), text).toBe(emailTexts.invalid);
});

test.each([
  ...['jo@bücher.example', 'jo@xn--bcher-kva.example', 'JO@BÜCHER.Example', 'jo@XN--BCHER-KVA.example'],
  ...[' jo@bücher.example\n', '\u200bJo@Bücher.EXAMPLE'],
])('%j is the same mailbox, however its domain is spelled', (text) => {
  for (const schema of [email, newEmail, deliverableEmail])
    expect(schema.parse(text)).toBe('jo@xn--bcher-kva.example');
});

test.each([
  ...['joe..x@example.com', '.joe@example.com', 'joe.@example.com', '..joe@example.com', '@example.com'],
  ...['joe@example..com', 'joe@.example.com', 'joe@example.com.', 'joe@-example.com', 'joe@example-.com'],
  ...[
    'joe@exa$mple.com',
    'joe@exa_mple.com',
    'joe@192.0.2.1',
    'joe@example.123',
    `joe@${'a'.repeat(64)}.com`,
  ],
  ...['jo@bücher。example', 'jo@bücher．example', 'jo@bücher｡example', 'joe@bü/cher.com', 'joe@bü_cher.com'],
])('No email can reach %j, so no account can have that address', (text) => {
  for (const schema of [email, deliverableEmail]) expect(refusalOf(schema, text)).toBe(emailTexts.invalid);
});

test.each([
  "o'brien+tag@example.com",
  'a.b.c@sub.example.co',
  '1joe@example.com',
  'joe_x@4chan-news.org',
  'joe@münchen.de',
])('%j is deliverable', (text) => {
  const { success } = deliverableEmail.safeParse(text);
  expect(success).toBe(true);
});

test('A new email with non-ASCII letters before the @ is rejected with the reason', () => {
  for (const schema of [newEmail, deliverableEmail])
    expect(refusalOf(schema, 'été.abc@example.com')).toMatch(/cannot deliver to letters such as é/);
});

test('An email of a million spaces is checked as fast as any other', () => {
  const spaces = ' '.repeat(1_000_000);
  expect(email.safeParse(`a${spaces}b`).success).toBe(false);
  expect(email.parse(`${spaces}someone@example.com\n`)).toBe('someone@example.com');
});

test('A sign-in redirects only to a path on this site', () => {
  for (const path of ['/', '/order-now/1?x=2#y', '/my-order?next=//other.example'])
    expect(safeNext(path)).toBe(path);
  for (const address of [
    ...[undefined, '', 'dashboard', 'https://other.example/', '//other.example', '/\\other.example'],
    ...['\\\\other.example', '/\t/other.example', '/.//other.example', '/a/..//other.example'],
    'javascript:alert(1)',
  ])
    expect(safeNext(address), address).toBeUndefined();
});
