import { expect, test } from 'vitest';
import type { Order } from '#contract/orders.calls.ts';
import { billedAs } from './billing-fields.tsx';

test.each([
  ['United States', '120 Main Street\nJoliet, IL 60432', { country: 'US', postal_code: '60432' }],
  ['United States', '12345 Long Road, Joliet', { country: 'US', postal_code: '' }],
  ['Canada', '1 Main St\nOttawa ON K1A 0B1', { country: 'CA', postal_code: 'K1A 0B1' }],
  ['Germany', 'Hauptstr. 5, 10115 Berlin', { country: 'DE', postal_code: '' }],
  ['Nowhere', '1 Main Street', { country: '', postal_code: '' }],
])(
  'The form of an order from %s to %j is prefilled with its country and postal code',
  (customerCountry, customerAddress, billed) => {
    expect(billedAs({ customerCountry, customerAddress } as Order)).toEqual(billed);
  },
);
