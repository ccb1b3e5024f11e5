import { expect, test } from 'vitest';
import { dailyLimit, refusalOf, verifiedDomain, type Message } from './rules.ts';

const message: Message = {
  to: 'ada@customer.example',
  from: { email: `hello@${verifiedDomain}`, name: 'Acme' },
  subject: 'Your order',
  text: 'We have it.',
  html: '<p>We have it.</p>',
};

test('The mailbox accepts emails only from the verified domain, until the daily quota is used up', () => {
  expect(refusalOf(message, dailyLimit - 1)).toBeUndefined();
  for (const [change, code] of [
    [{ from: 'hello@elsewhere.example' }, 'E_SENDER_NOT_VERIFIED'],
    [{ from: `hello@mail.${verifiedDomain}` }, 'E_SENDER_NOT_VERIFIED'],
    [{ to: 'ada' }, 'E_VALIDATION_ERROR'],
    [{ headers: { From: 'x' } }, 'E_HEADER_NOT_ALLOWED'],
    [{ subject: '' }, 'E_FIELD_MISSING'],
  ] as const)
    expect(refusalOf({ ...message, ...change }, 0)?.code, code).toBe(code);
  expect(refusalOf(message, dailyLimit)?.code).toBe('E_DAILY_LIMIT_EXCEEDED');
});
