import { expect, test } from 'vitest';
import { replyHref } from './reply.ts';

const from = { name: 'Ann & Co', email: 'a&b@lender.example', subject: 'Two offices?' };

test('A reply goes to the sender, with the subject and the quoted message', () => {
  const { pathname, searchParams } = new URL(replyHref({ ...from, message: 'First line\nSecond line' }));
  expect(decodeURIComponent(pathname)).toBe('a&b@lender.example');
  expect(searchParams.get('subject')).toBe('Re: Two offices?');
  expect(searchParams.get('body')).toBe('\r\n\r\nAnn & Co wrote:\r\n> First line\r\n> Second line');
});

test('A long quoted message is cut off, even in the middle of a character', () => {
  const { searchParams } = new URL(replyHref({ ...from, message: `${'x'.repeat(499)}😀 end` }));
  expect(searchParams.get('body')).toMatch(/x\uFFFD …$/);
});
