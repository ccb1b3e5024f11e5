import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import { priceQuestion } from './order-questions.tsx';
import type { Package } from './use-order.ts';

test('The question about a new price names what the customer pays with their coupon', () => {
  vi.stubGlobal('document', { querySelector: () => null });
  const chosen = { packageName: 'Basic', displayName: '', billing: 'once' } as Package;
  const change = { chosen, price: '549.50', formerPrice: '499' };
  const coupon = {
    code: 'WELCOME10',
    listPrice: '549.50',
    discount: '54.95',
    price: '494.55',
    months: null,
  };
  const { text, confirm } = priceQuestion({ ...change, coupon });
  expect(renderToStaticMarkup(text)).toContain('WELCOME10 takes $54.95 off the price. Nothing has been');
  expect(confirm).toBe('Order for $494.55');
  expect(priceQuestion({ ...change, coupon: undefined }).confirm).toBe('Order for $549.50');
  vi.unstubAllGlobals();
});
