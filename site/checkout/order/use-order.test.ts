import { expect, test } from 'vitest';
import { newPriceIn } from './use-order.ts';

test('Only a conflict with a price shows the customer a new price', () => {
  const problem = { title: 'Conflict', detail: 'The price has changed.' };
  expect(newPriceIn({ ...problem, status: 409, currentPrice: '599' })).toBe('599');
  expect(newPriceIn({ ...problem, status: 409 })).toBeUndefined();
  expect(newPriceIn({ ...problem, status: 422, currentPrice: '599' })).toBeUndefined();
});
