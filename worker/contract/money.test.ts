import { expect, test } from 'vitest';
import { displayPrice, displayPriceText, formatCents, parsePriceCents, readTypedPrice } from './money.ts';

test('A price is parsed as cents, and other texts are rejected', () => {
  for (const [price, cents] of [
    ['499', 49_900],
    ['499.5', 49_950],
    ['0.01', 1],
    ['999999.99', 99_999_999],
  ] as const)
    expect(parsePriceCents(price), price).toBe(cents);
  for (const text of [
    '0',
    '0.00',
    '-1',
    '+1',
    '1e3',
    '99.999',
    '1000000',
    ' 5',
    '01',
    '٣',
    '1,000',
    '.5',
    '5.',
    '',
  ])
    expect(parsePriceCents(text), text).toBeUndefined();
});

test('Formatting and parsing return the same price, for every cent up to a thousand dollars', () => {
  const wrong = Array.from({ length: 100_000 }, (_, cents) => cents + 1).filter(
    (cents) => parsePriceCents(formatCents(cents)) !== cents,
  );
  expect(wrong).toEqual([]);
});

test('A typed price loses its dollar sign, and its commas if they are in the right places', () => {
  for (const [typed, price] of [
    ['$599', '599'],
    [' $ 1,234,567.50 ', '1234567.50'],
    ['499.5', '499.5'],
  ] as const)
    expect(readTypedPrice(typed)).toBe(price);
  for (const typed of ['1,20', '12,00', ',5', '$', '1.200,00', '€5', '-$5', '5 for all'])
    expect(readTypedPrice(typed)).toBe(typed);
});

test('A price is shown with thousands separators, and with cents only if it has any', () => {
  expect(displayPrice(149_900)).toBe('$1,499');
  expect(displayPrice(149_950)).toBe('$1,499.50');
  expect(displayPrice(-149_950)).toBe('-$1,499.50');
  expect(displayPrice(1_358_600, { withCents: true })).toBe('$13,586.00');
  expect(displayPriceText('1499.5')).toBe('$1,499.50');
  expect(displayPriceText('on request')).toBe('on request');
});
