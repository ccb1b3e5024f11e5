/** What the tables of orders say about the customer. */
import { expect, test } from 'vitest';
import { nameOfCustomer } from './order-columns.tsx';

test('An order says whose it is, also without a name and after its customer has deleted the account', () => {
  expect(nameOfCustomer({ customerName: 'Ada Broker', customerEmail: 'ada@lopez.example' })).toBe(
    'Ada Broker',
  );
  expect(nameOfCustomer({ customerName: '', customerEmail: 'ada@lopez.example' })).toBe('');
  expect(nameOfCustomer({ customerName: '', customerEmail: '' })).toBe('Deleted account');
});
