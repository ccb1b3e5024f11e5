import { expect, test } from 'vitest';
import { checkOrder } from './check-order.ts';

const customer = {
  customerName: 'Ada Broker',
  customerAddress: '1 Main Street',
  customerCountry: 'United States',
};

test('A customer must enter a name, an address and a country that are not blank', () => {
  expect(checkOrder(customer, undefined)).toEqual({});
  expect(checkOrder({ customerName: ' ', customerAddress: '', customerCountry: '' }, undefined)).toEqual({
    customerName: 'Please enter your name',
    customerAddress: 'Please enter your address',
    customerCountry: 'Please choose your country',
  });
});

test('Only a visitor needs a valid email and password for a new account', () => {
  expect(checkOrder(customer, { email: 'ada', password: '' })).toEqual({
    email: expect.any(String) as string,
    password: expect.any(String) as string,
  });
});
