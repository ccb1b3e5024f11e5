import { expect, test } from 'vitest';
import { customerErrors, newPriceIn } from './place-order.ts';

const customer = {
  customerName: 'Ada Broker',
  customerAddress: '1 Main Street',
  customerCountry: 'United States',
};

test('A customer must enter a name, an address and a country that are not blank', () => {
  expect(customerErrors(customer)).toEqual({});
  expect(customerErrors({ customerName: ' ', customerAddress: '', customerCountry: '' })).toEqual({
    customerName: 'Please enter your name',
    customerAddress: 'Please enter your address',
    customerCountry: 'Please choose your country',
  });
});

test('Only a conflict with a price shows the customer a new price', () => {
  const problem = { title: 'Conflict', detail: 'The price has changed.' };
  expect(newPriceIn({ ...problem, status: 409, currentPrice: '599' })).toBe('599');
  expect(newPriceIn({ ...problem, status: 409 })).toBeUndefined();
  expect(newPriceIn({ ...problem, status: 422, currentPrice: '599' })).toBeUndefined();
});
