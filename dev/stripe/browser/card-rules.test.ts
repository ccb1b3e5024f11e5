import { describe, expect, test } from 'vitest';
import { brandOf, checkCvc, checkExpiry, checkNumber, formatExpiry, formatNumber } from './card-rules.ts';

test('A number is grouped as its brand prints it', () => {
  expect(formatNumber('4242424242424242999')).toBe('4242 4242 4242 4242');
  expect(formatNumber('378282246310005')).toBe('3782 822463 10005');
  expect(formatNumber('42 42a4')).toBe('4242 4');
});

test('A brand is known by its first digits', () => {
  expect(['4', '55', '2221', '37', '6011', '9'].map(brandOf)).toEqual([
    'visa',
    'mastercard',
    'mastercard',
    'amex',
    'discover',
    'unknown',
  ]);
});

test('A date is typed without its slash', () => {
  expect(formatExpiry('1')).toBe('1');
  expect(formatExpiry('4')).toBe('04 / ');
  expect(formatExpiry('1234')).toBe('12 / 34');
  expect(formatExpiry('12 /', true)).toBe('12');
});

describe('What is wrong with a card is said in the words of Stripe', () => {
  const today = new Date(2026, 10, 21);
  test.each([
    ['4242', checkNumber('4242'), 'Your card number is incomplete.'],
    ['4242 4242 4242 4241', checkNumber('4242 4242 4242 4241'), 'Your card number is invalid.'],
    ['12 /', checkExpiry('12 / ', today), "Your card's expiration date is incomplete."],
    ['10 / 26', checkExpiry('10 / 26', today), "Your card's expiration date is in the past."],
    ['12 / 25', checkExpiry('12 / 25', today), "Your card's expiration year is in the past."],
    ['12 / 90', checkExpiry('12 / 90', today), "Your card's expiration year is invalid."],
    ['12', checkCvc('12', '4242'), "Your card's security code is incomplete."],
    ['123 for amex', checkCvc('123', '3782'), "Your card's security code is incomplete."],
  ])('%s', (_, error, message) => {
    expect(error?.message).toBe(message);
  });

  test('A card is good through its last month', () => {
    expect(checkExpiry('11 / 26', today)).toBeUndefined();
    expect(checkNumber('4242 4242 4242 4242')).toBeUndefined();
    expect(checkCvc('1234', '3782')).toBeUndefined();
  });
});
