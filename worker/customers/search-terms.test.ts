import { expect, test } from 'vitest';
import { fullTextQuery, isStripeId, wordsOf } from './search-terms.ts';

test('A search matches the beginnings of words, and phone numbers in any format', () => {
  expect(fullTextQuery("Zoë O'Hara")).toBe('"zoë"* "o hara"*');
  const asTyped = '"3125550199"* OR "13125550199"* OR "312 555 0199"*';
  for (const q of ['(312) 555-0199', '312.555.0199', '+1 312 555 0199', '3125550199'])
    expect(fullTextQuery(q), q).toBe(asTyped);
  expect(fullTextQuery('555-0199')).toBe('"555 0199"*');
});

test('A search uses at most the first six words of a text', () => {
  expect(fullTextQuery(`ann bea cid dan eve fay ${'x '.repeat(80)}`)).toBe(
    fullTextQuery('ann bea cid dan eve fay'),
  );
  expect(fullTextQuery('ann bea cid dan eve gus')).toContain('gus');
});

test('Messages are searched for each word, or for the digits of a phone number', () => {
  expect(wordsOf(' Offer  offer Chicago ')).toEqual(['offer', 'chicago']);
  expect(wordsOf('(312) 555-0199')).toEqual(['3125550199']);
});

test('A Stripe id is distinguished from a word', () => {
  for (const q of ['pi_3QaBc', 're_3QaBc', 'in_1QaBc']) expect(isStripeId(q), q).toBe(true);
  for (const q of ['maria', 'pi_', 'Order_1042', 'a_b_c']) expect(isStripeId(q), q).toBe(false);
});
