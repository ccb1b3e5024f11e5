import { describe, expect, test } from 'vitest';
import { displayPrice, displayPriceText, formatCents, parsePriceCents, readTypedPrice } from './money.ts';

describe('A price', () => {
  test.each([
    ['499', 49_900],
    ['499.5', 49_950],
    ['499.50', 49_950],
    ['0.01', 1],
    ['999999.99', 99_999_999],
  ])('%s is %i cents', (price, cents) => {
    expect(parsePriceCents(price)).toBe(cents);
  });

  test.each([
    '0',
    '0.00',
    '-1',
    '+1',
    '1e3',
    '99.999',
    '1000000',
    ' 5',
    '5 ',
    '01',
    '٣',
    '1,000',
    '.5',
    '5.',
    '',
    '-0',
    'NaN',
    '0x10',
  ])('%j is refused', (price) => {
    expect(parsePriceCents(price)).toBeUndefined();
  });

  test('comes back as it was, for every cent up to a thousand dollars', () => {
    for (let cents = 1; cents <= 100_000; cents += 1) expect(parsePriceCents(formatCents(cents))).toBe(cents);
  });

  test.each([
    ['$599', '599'],
    ['1,200', '1200'],
    [' $ 1,234,567.50 ', '1234567.50'],
    ['499.5', '499.5'],
  ])('typed as %j means %j', (typed, price) => expect(readTypedPrice(typed)).toBe(price));

  test.each(['1,20', '12,00', ',5', '$', '1.200,00', '€5', '-$5', '5 for all'])(
    'that means nothing, %j, stays as it was typed',
    (typed) => expect(readTypedPrice(typed)).toBe(typed),
  );

  test('is read by people with a grouped whole and cents only where there are some', () => {
    expect(displayPrice(149_900)).toBe('$1,499');
    expect(displayPrice(149_950)).toBe('$1,499.50');
    expect(displayPrice(99_999_999)).toBe('$999,999.99');
    expect(displayPrice(-149_950)).toBe('-$1,499.50');
    expect(displayPrice(1_358_600, { withCents: true })).toBe('$13,586.00');
    expect(displayPriceText('1499.5')).toBe('$1,499.50');
    expect(displayPriceText('on request')).toBe('on request');
  });
});
