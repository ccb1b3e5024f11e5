import { expect, test } from 'vitest';
import { nameOfCustomer } from './order-columns.tsx';

test('An order shows its customer, even without a name and after the customer has deleted the account', () => {
  expect(nameOfCustomer({ customerName: 'Ada Broker', customerEmail: 'ada@lopez.example' })).toBe(
    'Ada Broker',
  );
  expect(nameOfCustomer({ customerName: '', customerEmail: 'ada@lopez.example' })).toBe('');
  expect(nameOfCustomer({ customerName: '', customerEmail: '' })).toBe('Deleted account');
});
